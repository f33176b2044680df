/** Times of bars as responses write them: `YYYY-MM-DDTHH:mm:ss.sssZ`, and as dates. */

import { MILLIS_PER_DAY, millisFromMicros } from '../../base/bars.ts';

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
  const timestampMs = millisFromMicros(timestampUs);
  for (let row = 0; row < days.length; row++) {
    days[row] = Math.floor(timestampMs[row] / MILLIS_PER_DAY);
  }
  return days;
}
