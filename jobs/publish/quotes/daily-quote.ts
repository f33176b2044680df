/** Makes the quote of a symbol from its daily bars. */

import type { BarColumns } from '../../../src/base/bars.ts';
import { priceChange, priceChangePct } from '../../../src/base/price-change.ts';
import { sessionEndMs } from '../../../src/base/time/calendar.ts';
import { dayFromMillis } from '../../../src/base/time/dates.ts';
import { adjustBars } from '../../../src/compute/bars/adjust.ts';
import { defaultColumns } from '../../../src/compute/indicators/catalogue.ts';
import { UNKNOWN_FIGURES } from '../../../src/store/arrow/snapshot/quote.ts';
import type { Quote } from '../../../src/store/arrow/snapshot/snapshot.ts';
import type { SymbolFacts } from '../../../src/store/arrow/snapshot/symbol-directory.ts';
import type { SeriesRows } from '../../../src/store/arrow/write/volume-writer.ts';
import { dividendYield } from './dividend-yield.ts';

/** Place of the RSI among the published columns. */
export const RSI_COLUMN = defaultColumns.findIndex(({ name }) => name === 'rsi');

/**
 * Compares the newest bar with the one before it. `marketCap` and `peRatio` are set later.
 *
 * @param bars  At least one, in the basis of `facts`.
 * @param rsi14 Newest value; NaN if there is none yet.
 */
export function dailyQuote(bars: BarColumns, facts: SymbolFacts, rsi14: number): Quote {
  const last = bars.close.length - 1;
  const day = dayFromMillis(Number(bars.timestampUs[last] / 1000n));
  const price = bars.close[last];
  const previousClose = last > 0 ? previousCloseOf(bars, facts) : null;
  const change = previousClose === null ? null : priceChange(price, previousClose);
  return {
    ...UNKNOWN_FIGURES,
    symbol: facts.symbol,
    price,
    change,
    changePct: change === null ? null : priceChangePct(change, previousClose as number),
    volume: bars.volume[last],
    timestampMs: sessionEndMs(day),
    dayHigh: bars.high[last],
    dayLow: bars.low[last],
    dayOpen: bars.open[last],
    previousClose,
    rsi14: Number.isNaN(rsi14) ? null : rsi14,
    dividendYield: dividendYield(facts, day, price),
  };
}

/** Returns the newest RSI of a derived daily series; NaN if there is none yet. */
export function lastRsi({ indicators }: SeriesRows): number {
  return indicators[RSI_COLUMN].at(-1) ?? Number.NaN;
}

/** Returns the close before the last, on the split basis of the last bar's day. */
function previousCloseOf(bars: BarColumns, { basis, splits }: SymbolFacts): number {
  const last = bars.close.length - 1;
  if (basis !== 'raw') return bars.close[last - 1];
  const newest = (column: Float64Array) => column.subarray(last - 1);
  const lastTwo = {
    timestampUs: bars.timestampUs.subarray(last - 1),
    open: newest(bars.open),
    high: newest(bars.high),
    low: newest(bars.low),
    close: newest(bars.close),
    volume: newest(bars.volume),
  };
  return adjustBars(lastTwo, { basis, splits, dividends: [] }, 'split').close[0];
}
