/** Times of bars as responses write them: `YYYY-MM-DDTHH:mm:ss.sssZ`, and as dates. */

import { MILLIS_PER_DAY, millisOfHalves } from '../../base/bars.ts';

/**
 * Texts of midnights, at most some 30,000 in the history of the exchange. They are flat strings:
 * `JSON.stringify` takes twice as long for strings joined by `+`.
 */
const midnightTexts = new Map<number, string>();

export function dateTimeText(ms: number): string {
  if (ms % MILLIS_PER_DAY !== 0) return new Date(ms).toISOString();
  const known = midnightTexts.get(ms);
  if (known !== undefined) return known;
  const text = new Date(ms).toISOString();
  midnightTexts.set(ms, text);
  return text;
}

/** Fills `days` with the dates of bars, in days since the epoch. */
export function fillDates(timestampUs: BigInt64Array, days: Int32Array): Int32Array {
  // A column of milliseconds would leave 20 KB a series for the collector.
  const { buffer, byteOffset, length } = timestampUs;
  const halves = new Int32Array(buffer, byteOffset, 2 * length);
  for (let row = 0; row < days.length; row++) {
    days[row] = Math.floor(millisOfHalves(halves, row) / MILLIS_PER_DAY);
  }
  return days;
}
