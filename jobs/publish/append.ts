/**
 * Publishes series that only have a few newer bars, all at once, from their checkpoints. Gives the
 * bits of deriving each series whole.
 */

import { isDeepStrictEqual } from 'node:util';
import { gatheredBars, millisFromMicros } from '../../src/base/bars.ts';
import { limits } from '../../src/base/limits.ts';
import { sessionEndMs } from '../../src/base/time/calendar.ts';
import { dayFromMillis } from '../../src/base/time/dates.ts';
import { DAILY_INTERVALS } from '../../src/base/time/intervals.ts';
import { defaultBasis } from '../../src/compute/bars/adjust.ts';
import type { Checkpoints, NewRows } from '../../src/compute/indicators/checkpoints.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import type { SymbolFacts } from '../../src/store/arrow/snapshot/symbol-directory.ts';
import type { LayerWriter } from '../../src/store/arrow/write/layer-writer.ts';
import { type NewBars, readNewBars } from '../../src/store/duckdb/candles/read-new-bars.ts';
import type { MarketDb } from '../../src/store/duckdb/connection/open.ts';
import type { NextSymbols } from './next-symbols.ts';
import type { PublishPlan } from './plan.ts';
import { RSI_COLUMN, sessionAt, sessionQuote } from './quotes/daily-quote.ts';
import { newFacts } from './quotes/restated-facts.ts';

export interface AppendTarget {
  published: PublishedVersion;
  checkpoints: Checkpoints;
  next: NextSymbols;
  layer: LayerWriter;
}

/**
 * Publishes the newer bars of series whose published rows stay valid.
 *
 * @returns the appended series that must be derived whole instead.
 */
export async function publishAppended(
  market: MarketDb,
  { appended, restated }: Pick<PublishPlan, 'appended' | 'restated'>,
  { published, checkpoints, next, layer }: AppendTarget,
): Promise<Map<string, number>> {
  if (appended.size === 0) return appended;
  const symbols = [...appended.keys()];
  const read = await readNewBars(market, '1d', appended);
  const changed = await newFacts(
    market,
    published,
    restated.filter((symbol) => appended.has(symbol)),
    read.vintageUs,
  );
  const plain = new Map<number, number>();
  forEachSymbol(read, (place, start, end) => {
    const symbol = symbols[place];
    const number = published.directory.number(symbol)!;
    const lastUs = read.bars.timestampUs[end - 1];
    if (end - start > limits.serving.deltaRowsMax) return;
    if (checkpoints.rowCount(number, '1d') === 0) return;
    const facts = changed.get(symbol);
    const [firstMs, lastMs] = [checkpoints.firstBarMs(number), checkpoints.lastBarMs(number)];
    const old = { name: symbol, number, firstMs, lastMs };
    if (!isPastValid(published, old, facts, lastUs)) return;
    plain.set(place, number);
    if (facts) next.set(facts);
  });
  const rows = Int32Array.from(read.symbolIndex.keys()).filter((row) =>
    plain.has(read.symbolIndex[row]),
  );
  const newBars = {
    symbols: rows.map((row) => plain.get(read.symbolIndex[row])!),
    bars: gatheredBars(read.bars, rows),
  };
  const others = new Map([...appended].filter((_, place) => !plain.has(place)));
  if (plain.size === 0) return others;
  const closesBefore = Float64Array.from(plain.values(), (number) => checkpoints.lastClose(number));
  const derived = checkpoints.advance(newBars);
  for (const interval of DAILY_INTERVALS) layer.addSlices(interval, derived[interval]);
  setAppendedQuotes(next, derived['1d'], closesBefore);
  return others;
}

/** Calls `visit` with the rows [start, end) of each symbol that has new bars. */
function forEachSymbol(
  { symbolIndex }: NewBars,
  visit: (place: number, start: number, end: number) => void,
): void {
  for (let start = 0, end = 0; start < symbolIndex.length; start = end) {
    end = start + 1;
    while (end < symbolIndex.length && symbolIndex[end] === symbolIndex[start]) end++;
    visit(symbolIndex[start], start, end);
  }
}

/** Returns true if all published rows of a series, on its default adjustment, stay as they are. */
function isPastValid(
  { directory }: PublishedVersion,
  old: { name: string; number: number; firstMs: number; lastMs: number },
  facts: SymbolFacts | undefined,
  lastBarUs: bigint,
): boolean {
  // Without known actions there is no adjustment.
  if (!facts && !directory.hasCoverage(old.number)) return true;
  const before = directory.facts(old.name);
  const after = facts ?? before;
  const [firstBarUs, oldLastUs] = [old.firstMs, old.lastMs].map((ms) => BigInt(ms) * 1000n);
  const oldLastDay = dayFromMillis(old.lastMs);
  return (
    defaultBasis({ ...before, firstBarUs, lastBarUs: oldLastUs }) ===
      defaultBasis({ ...after, firstBarUs, lastBarUs }) &&
    isDeepStrictEqual(before.splits, after.splits) &&
    // A split announced ahead takes effect with a later bar.
    after.splits.every(({ exDay }) => exDay <= oldLastDay)
  );
}

/**
 * Sets the quotes of series with newer daily bars.
 *
 * @param days New daily rows, at least one a series.
 * @param closesBefore Close before the first new row of each series. No split lies between.
 */
function setAppendedQuotes(
  next: NextSymbols,
  { symbols, starts, bars, indicators }: NewRows,
  closesBefore: Float64Array,
): void {
  const timesMs = millisFromMicros(bars.timestampUs);
  const ends = new Map<number, number>();
  for (let i = 0; i < symbols.length; i++) {
    const row = (starts[i + 1] ?? timesMs.length) - 1;
    const day = dayFromMillis(timesMs[row]);
    const endMs = ends.get(day) ?? sessionEndMs(day);
    ends.set(day, endMs);
    const quote = sessionQuote('', sessionAt(bars, row, day, endMs), {
      previousClose: row > starts[i] ? bars.close[row - 1] : closesBefore[i],
      rsi14: indicators[RSI_COLUMN][row],
      facts: next.coveredFacts(symbols[i]),
    });
    next.setQuote(symbols[i], quote);
  }
}
