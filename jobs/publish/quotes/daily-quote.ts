/** Makes the quote of a session, and that of a symbol's daily bars. */

import type { BarColumns, BarValues } from '../../../src/base/bars.ts';
import { priceChange, priceChangePct } from '../../../src/base/prices/price-change.ts';
import { newYorkDay, sessionEndMs } from '../../../src/base/time/calendar.ts';
import { dayFromMillis } from '../../../src/base/time/dates.ts';
import { previousClose } from '../../../src/compute/bars/previous-close.ts';
import { dividendYield } from '../../../src/compute/companies/dividend-yield.ts';
import { defaultColumns } from '../../../src/compute/indicators/catalogue.ts';
import { UNKNOWN_FIGURES } from '../../../src/store/arrow/snapshot/quote.ts';
import type { Quote } from '../../../src/store/arrow/snapshot/snapshot.ts';
import type { SymbolFacts } from '../../../src/store/arrow/snapshot/symbol-directory.ts';
import type { SeriesRows } from '../../../src/store/arrow/write/volume-writer.ts';

/** Place of the RSI among the published columns. */
export const RSI_COLUMN = defaultColumns.findIndex(({ name }) => name === 'rsi');

/** Session that a quote shows. */
export interface Session extends BarValues {
  day: number;
  endMs: number;
}

/** Figures that a quote has next to those of its session. */
interface QuoteFigures {
  previousClose: number | null;
  /** NaN if there is none yet. */
  rsi14: number;
  /** Facts that the dividends follow from; undefined if splits and dividends are not known. */
  facts: SymbolFacts | undefined;
}

/** Makes the quote of a session; `marketCap` and `peRatio` are set later. */
export function sessionQuote(
  symbol: string,
  { day, endMs, open, high, low, close, volume }: Session,
  { previousClose, rsi14, facts }: QuoteFigures,
): Quote {
  const change = previousClose === null ? null : priceChange(close, previousClose);
  return {
    ...UNKNOWN_FIGURES,
    symbol,
    price: close,
    change,
    changePct: change === null ? null : priceChangePct(change, previousClose as number),
    volume,
    timestampMs: endMs,
    dayHigh: high,
    dayLow: low,
    dayOpen: open,
    previousClose,
    rsi14: Number.isNaN(rsi14) ? null : rsi14,
    dividendYield: facts ? dividendYield(facts, day, close) : null,
  };
}

/** Returns the quote with its dividend yield by new facts. */
export function restatedQuote(quote: Quote | undefined, facts: SymbolFacts): Quote | undefined {
  if (!quote) return undefined;
  // A session ends before midnight in New York.
  const day = newYorkDay(quote.timestampMs - 1);
  return { ...quote, dividendYield: dividendYield(facts, day, quote.price) };
}

export function sessionAt(
  { open, high, low, close, volume }: BarColumns,
  row: number,
  day: number,
  endMs: number,
): Session {
  return {
    day,
    endMs,
    open: open[row],
    high: high[row],
    low: low[row],
    close: close[row],
    volume: volume[row],
  };
}

/**
 * Compares the newest bar with the one before it.
 *
 * @param bars At least one, on the basis of `facts`.
 * @param rsi14 NaN if there is none yet.
 */
export function dailyQuote(bars: BarColumns, facts: SymbolFacts, rsi14: number): Quote {
  const last = bars.close.length - 1;
  const day = dayFromMillis(Number(bars.timestampUs[last] / 1000n));
  const before = last > 0 ? previousClose(bars, facts) : null;
  const session = sessionAt(bars, last, day, sessionEndMs(day));
  return sessionQuote(facts.symbol, session, { previousClose: before, rsi14, facts });
}

/** Returns the newest RSI of a derived daily series; NaN if there is none yet. */
export function lastRsi({ indicators }: SeriesRows): number {
  return indicators[RSI_COLUMN].at(-1) ?? Number.NaN;
}
