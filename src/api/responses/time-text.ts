/** Times of bars as responses write them: `YYYY-MM-DDTHH:mm:ss.sssZ`, and as dates. */

import { MICROS_PER_DAY, MILLIS_PER_DAY, microsOfHalves } from '../../base/bars.ts';

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

const DAY_US = Number(MICROS_PER_DAY);

/** Fills `days` with the dates of bars, in days since the epoch. */
export function fillDates(timestampUs: BigInt64Array, days: Int32Array): Int32Array {
  // A column of milliseconds would leave 20 KB a series for the collector.
  const { buffer, byteOffset, length } = timestampUs;
  const halves = new Int32Array(buffer, byteOffset, 2 * length);
  for (let row = 0; row < days.length; row++) {
    days[row] = Math.floor(microsOfHalves(halves, row) / DAY_US);
  }
  return days;
}
