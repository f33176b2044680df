/** Quotes of many symbols from their newer daily bars: what `dailyQuote` gives, as columns. */

import type { BarColumns } from '../../../src/base/bars.ts';
import { MICROS_PER_MILLI, millisFromMicros } from '../../../src/base/bars.ts';
import { priceChange, priceChangePct } from '../../../src/base/price-change.ts';
import { sessionEndMs } from '../../../src/base/time/calendar.ts';
import { dayFromMillis } from '../../../src/base/time/dates.ts';
import type { NewRows } from '../../../src/compute/indicators/checkpoints.ts';
import type { NextSymbols } from '../next-symbols.ts';
import { RSI_COLUMN } from './daily-quote.ts';
import { dividendYield } from './dividend-yield.ts';

/**
 * @param days         New daily rows, at least one a series.
 * @param closesBefore By series, the close before its first new row; on the basis of the new
 *   rows, as no split lies between.
 */
export function setAppendedQuotes(
  next: NextSymbols,
  { symbols, starts, bars, indicators }: NewRows,
  closesBefore: Float64Array,
): void {
  const { quotes } = next;
  const timesMs = millisFromMicros(bars.timestampUs);
  const endsUs = new Map<number, bigint>();
  const endUs = (timeMs: number): bigint => {
    const known = endsUs.get(timeMs);
    if (known !== undefined) return known;
    const us = BigInt(sessionEndMs(dayFromMillis(timeMs)) * MICROS_PER_MILLI);
    endsUs.set(timeMs, us);
    return us;
  };
  for (let i = 0; i < symbols.length; i++) {
    const number = symbols[i];
    const row = (starts[i + 1] ?? timesMs.length) - 1;
    const price = bars.close[row];
    const previousClose = row > starts[i] ? bars.close[row - 1] : closesBefore[i];
    const change = priceChange(price, previousClose);
    quotes.price[number] = price;
    quotes.previousClose[number] = previousClose;
    quotes.changePct[number] = priceChangePct(change, previousClose);
    quotes.timestamp[number] = endUs(timesMs[row]);
    quotes.rsi14[number] = indicators[RSI_COLUMN][row];
    const facts = next.coveredFacts(number);
    quotes.dividendYield[number] =
      (facts && dividendYield(facts, dayFromMillis(timesMs[row]), price)) ?? Number.NaN;
    copyDay(quotes, number, bars, row);
  }
}

function copyDay(quotes: NextSymbols['quotes'], number: number, bars: BarColumns, row: number) {
  quotes.volume[number] = bars.volume[row];
  quotes.dayHigh[number] = bars.high[row];
  quotes.dayLow[number] = bars.low[row];
  quotes.dayOpen[number] = bars.open[row];
}
