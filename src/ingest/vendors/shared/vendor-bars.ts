/** Turns bars of vendors, one object each, into columns. Pure. */

import { z } from 'zod';
import {
  BAR_FIELDS,
  type BarColumns,
  blankBars,
  MICROS_PER_MILLI,
  MILLIS_PER_DAY,
} from '../../../base/bars.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import { malformed } from '../../http/checked-response.ts';

/** A price or volume; null and missing become NaN, which the row rules reject by name. */
const quantity = z.number().nullish();

type Quantity = z.infer<typeof quantity>;

/** A bar whose quantities are named by words or by their first letters. */
export type VendorBar = {
  /** Start in milliseconds UTC; a daily bar's is its date at 00:00Z. */
  startMs: number;
} & { [Name in keyof typeof quantities | keyof typeof letterQuantities]?: Quantity };

/** Schemas of the five quantities, by their names or their first letters. */
export const quantities = {
  open: quantity,
  high: quantity,
  low: quantity,
  close: quantity,
  volume: quantity,
};
export const letterQuantities = { o: quantity, h: quantity, l: quantity, c: quantity, v: quantity };

/** The intervals that are requested from vendors. */
export type VendorInterval = '1d' | '1m';

/** Computes a bar's start from a time in it: a day is the date on New York's clocks. */
export function barStartMs(momentMs: number, interval: VendorInterval): number {
  return interval === '1d' ? newYorkDay(momentMs) * MILLIS_PER_DAY : momentMs;
}

/** @throws {MalformedInputError} a field is missing from every bar: the format changed. */
export function columnsFromBars(
  bars: readonly VendorBar[],
  title: string,
  isOfLetters = false,
): BarColumns {
  const columns = blankBars(bars.length);
  const field = (name: (typeof BAR_FIELDS)[number]) =>
    (isOfLetters ? name[0] : name) as keyof typeof letterQuantities;
  for (const [row, bar] of bars.entries()) {
    columns.timestampUs[row] = BigInt(bar.startMs) * BigInt(MICROS_PER_MILLI);
    for (const name of BAR_FIELDS) columns[name][row] = bar[field(name)] ?? Number.NaN;
  }
  for (const name of BAR_FIELDS) {
    if (bars.length > 0 && columns[name].every(Number.isNaN)) {
      throw malformed(title, `no bar has a value in "${field(name)}"`);
    }
  }
  return columns;
}
