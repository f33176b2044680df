import { MILLIS_PER_DAY, millisFromMicros } from '../../base/bars.ts';

/** Fills `days` with the dates of bars, in days since the epoch. */
export function fillDates(timestampUs: BigInt64Array, days: Int32Array): Int32Array {
  const timestampMs = millisFromMicros(timestampUs);
  for (let row = 0; row < days.length; row++) {
    days[row] = Math.floor(timestampMs[row] / MILLIS_PER_DAY);
  }
  return days;
}
