import { MICROS_PER_MILLI } from '../../../base/bars.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import { dayFromMillis } from '../../../base/time/dates.ts';
import type { LoadedFile } from '../candles/insert-rows.ts';
import type { CandleSegment, SymbolActions } from '../connection/candle-segment.ts';

export interface LoadExtent {
  /** Bars, or rows of a dataset. */
  rows: number;
  symbols: readonly string[];
  /** Days of bars, or days on which rows became known; undefined: none. */
  firstDay: number | undefined;
  lastDay: number | undefined;
  /** A symbol with a row of the last day. */
  lastSymbol: string | undefined;
}

interface SymbolPart {
  symbol: string;
  rows: number;
  firstDay: number;
  lastDay: number;
}

export function extentOf(parts: readonly SymbolPart[]): LoadExtent {
  let rows = 0;
  let firstDay: number | undefined;
  let last: SymbolPart | undefined;
  for (const part of parts) {
    rows += part.rows;
    if (firstDay === undefined || part.firstDay < firstDay) firstDay = part.firstDay;
    if (last === undefined || part.lastDay > last.lastDay) last = part;
  }
  const symbols = [...new Set(parts.map(({ symbol }) => symbol))];
  return { rows, symbols, firstDay, lastDay: last?.lastDay, lastSymbol: last?.symbol };
}

/** Returns the extent of candles. @param loaded The segment's files, in its order. */
export function extentOfCandles(
  { dataset, interval, files, actions = [] }: CandleSegment,
  loaded: readonly Pick<LoadedFile, 'accepted' | 'firstUs' | 'lastUs'>[],
): LoadExtent {
  if (dataset === 'corporate-actions') return extentOfActions(actions);
  const dayOf = interval === '1d' ? dayFromMillis : newYorkDay;
  const day = (us: number) => dayOf(us / MICROS_PER_MILLI);
  return extentOf(
    loaded.flatMap(({ accepted, firstUs, lastUs }, i) =>
      accepted === 0
        ? []
        : { symbol: files[i].symbol, rows: accepted, firstDay: day(firstUs), lastDay: day(lastUs) },
    ),
  );
}

function extentOfActions(actions: readonly SymbolActions[]): LoadExtent {
  return extentOf(
    actions.flatMap(({ symbol, splits, dividends }) =>
      [...splits, ...dividends].map(({ exDay }) => ({
        ...{ symbol, rows: 1, firstDay: exDay, lastDay: exDay },
      })),
    ),
  );
}

export function extentOfSymbols(facts: readonly { symbol: string }[]): LoadExtent {
  const symbols = [...new Set(facts.map(({ symbol }) => symbol))];
  return { ...extentOf([]), rows: facts.length, symbols };
}
