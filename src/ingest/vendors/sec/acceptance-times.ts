/** When EDGAR accepted filings, whether a file stamps UTC or New York's clocks with its `Z`. Pure. */

import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import { newYorkOffsetMs } from '../../../base/time/calendar.ts';
import { dayFromMillis, weekdayFromDay } from '../../../base/time/dates.ts';

export interface AcceptanceStamp {
  accession: string;
  /** The file's own stamp, read as UTC. */
  stampMs: number;
  /** The date of the filing, which EDGAR counts in New York. */
  filedDay: number | undefined;
}

const MILLIS_PER_HOUR = 3_600_000;

/** EDGAR accepts filings from 6:00 to 22:00 in New York on business days. */
const OPEN_MS = 6 * MILLIS_PER_HOUR;
const CLOSE_MS = 22 * MILLIS_PER_HOUR;

/** Most filings that EDGAR accepts later have the date of the next business day. */
const DATED_NEXT_MS = 17.5 * MILLIS_PER_HOUR;

const SATURDAY = 6;

/**
 * Moments of acceptance by accession. Some files stamp New York's clocks and write `Z` behind them.
 * The reading that puts more filings into EDGAR's hours, and on their dates, holds for the whole
 * file; of two alike UTC. Stamps of old filings that have a date only are left out.
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

/** @param clockMs What New York's clocks show, written as if it were UTC. */
function momentFromNewYork(clockMs: number): number {
  // Clocks change at night, when EDGAR is closed: five hours on, the day's offset holds.
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
