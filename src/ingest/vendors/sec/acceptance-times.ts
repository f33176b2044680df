/** Moments when EDGAR accepted filings. Stamps end in `Z`, but may be New York's. Pure. */

import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import { newYorkOffsetMs } from '../../../base/time/calendar.ts';
import { dayFromMillis, weekdayFromDay } from '../../../base/time/dates.ts';

export interface AcceptanceStamp {
  accession: string;
  /** The file's own stamp, read as UTC. */
  stampMs: number;
  /** Date of the filing, which EDGAR counts in New York. */
  filedDay: number | undefined;
}

const MILLIS_PER_HOUR = 3_600_000;

/** EDGAR accepts filings from 6:00 to 22:00 in New York on business days. */
const OPEN_MS = 6 * MILLIS_PER_HOUR;
const CLOSE_MS = 22 * MILLIS_PER_HOUR;

/** Most filings accepted later than this have the date of the next business day. */
const DATED_NEXT_MS = 17.5 * MILLIS_PER_HOUR;

const SATURDAY = 6;

/**
 * Gives the moments of acceptance by accession. One reading holds for the whole file: the one that
 * puts more filings into EDGAR's hours and on their dates, or UTC if both do. Stamps without a
 * time are left out.
 */
export function acceptanceMoments(all: readonly AcceptanceStamp[]): Map<string, number> {
  const stamps = all.filter(
    ({ stampMs, filedDay }) =>
      stampMs % MILLIS_PER_DAY !== 0 || filedDay !== dayFromMillis(stampMs),
  );
  const readings = [(ms: number) => ms, momentFromNewYork];
  const [asUtc, asNewYork] = readings.map(
    (read) =>
      stamps.filter(({ stampMs, filedDay }) => isInHours(clockOf(read(stampMs)), filedDay)).length,
  );
  const read = readings[asNewYork > asUtc ? 1 : 0];
  return new Map(stamps.map(({ accession, stampMs }) => [accession, read(stampMs)]));
}

/** @param clockMs Local time in New York, written as if it were UTC. */
function momentFromNewYork(clockMs: number): number {
  // Clocks change at night, when EDGAR is closed. Five hours later, the day's offset holds.
  return clockMs - newYorkOffsetMs(clockMs + 5 * MILLIS_PER_HOUR);
}

const clockOf = (ms: number) => ms + newYorkOffsetMs(ms);

function isInHours(clockMs: number, filedDay: number | undefined): boolean {
  const day = dayFromMillis(clockMs);
  const timeMs = clockMs - day * MILLIS_PER_DAY;
  if (timeMs < OPEN_MS || timeMs > CLOSE_MS || weekdayFromDay(day) % SATURDAY === 0) return false;
  if (filedDay === undefined || filedDay === day) return true;
  return filedDay > day && timeMs >= DATED_NEXT_MS;
}
