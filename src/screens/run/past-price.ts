/** Reads the price of a security on a day, on the split basis of that day. */

import { MICROS_PER_DAY } from '../../base/bars.ts';
import { dayFromMillis } from '../../base/time/dates.ts';
import { basisAsOf } from '../../compute/bars/basis-as-of.ts';
import { scaleColumn } from '../../compute/bars/ratio.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';

export interface DatedPrice {
  price: number;
  /** Day of its bar, since the epoch. */
  day: number;
}

/** Days by which a price may be older than the day that it is of. */
const OLDER_DAYS_MAX = 7;

/** Returns the newest price as a quote has it; undefined without bars. */
export function newestPrice(snapshot: Snapshot, symbol: string): DatedPrice | undefined {
  const quote = snapshot.quote(symbol);
  return quote && { price: quote.price, day: dayFromMillis(quote.timestampMs) };
}

/**
 * Returns the close of the newest daily bar up to a day; undefined if it is older than seven days,
 * or if later splits, which would have to be undone, may be unknown.
 */
export function pastPrice(snapshot: Snapshot, symbol: string, day: number): DatedPrice | undefined {
  const info = snapshot.symbol(symbol);
  if (!info) return undefined;
  const end = snapshot.rowAt(symbol, '1d', BigInt(day + 1) * MICROS_PER_DAY);
  if (end === 0) return undefined;
  const bars = snapshot.bars(symbol, '1d', { start: end - 1, end });
  const barDay = Number(bars.timestampUs[0] / MICROS_PER_DAY);
  if (barDay < day - OLDER_DAYS_MAX) return undefined;
  const { ratio, isOfDay } = basisAsOf(
    { ...info, lastBarDay: Number(info.lastBarUs / MICROS_PER_DAY) },
    day,
  );
  if (!isOfDay) return undefined;
  const isSame = ratio.numerator === ratio.denominator;
  const price = isSame ? bars.close[0] : scaleColumn(Float64Array.of(bars.close[0]), ratio)[0];
  return { price, day: barDay };
}
