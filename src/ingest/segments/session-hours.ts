import { createHash } from 'node:crypto';
import {
  CALENDAR_FIRST_DAY,
  CALENDAR_LAST_DAY,
  newYorkOffsetMs,
  sessionCloseMs,
  sessionOpenMs,
  sessionsBetween,
} from '../../base/time/calendar.ts';
import type { Hours } from '../../base/time/intervals.ts';
import { jsonTable } from '../../store/duckdb/connection/sql-rows.ts';
import type { Scratch } from './scratch.ts';

export const HOURS: readonly Hours[] = ['regular', 'extended'];

/**
 * Creates `session_hours` (day DATE, open_utc, close_utc, open_local, close_local TIMESTAMP)
 * unless it exists: every session of the calendar, in UTC and on New York's clocks.
 */
export function makeSessionHours(scratch: Scratch): Promise<void> {
  const made = making.get(scratch) ?? makeTable(scratch);
  making.set(scratch, made);
  return made;
}

/** Tables per scratch, because one takes 0.1 s and a segment reads it repeatedly. */
const making = new WeakMap<Scratch, Promise<void>>();
/** Cached text of several megabytes that every segment needs. */
let sessionsText: string | undefined;

async function makeTable(scratch: Scratch): Promise<void> {
  const connection = await scratch.connect();
  sessionsText ??= JSON.stringify(allSessions());
  const columns = { day: 'INTEGER', open: 'BIGINT', close: 'BIGINT', behind: 'BIGINT' };
  await connection.run(
    `CREATE TEMP TABLE session_hours AS
     SELECT DATE '1970-01-01' + day AS day,
       make_timestamp(open * 1000) AS open_utc, make_timestamp(close * 1000) AS close_utc,
       make_timestamp((open - behind) * 1000) AS open_local,
       make_timestamp((close - behind) * 1000) AS close_local
     FROM ${jsonTable(columns)}`,
    [sessionsText],
  );
}

function allSessions() {
  const days = sessionsBetween(CALENDAR_FIRST_DAY, CALENDAR_LAST_DAY);
  return Array.from(days, (day) => {
    const open = sessionOpenMs(day);
    return { day, open, close: sessionCloseMs(day), behind: -newYorkOffsetMs(open) };
  });
}

/** Condition over `ts`, the start of a bar in UTC: true if the bar is in these hours. */
export function isOfHoursSql(hours: Hours): string {
  const isRegular = `EXISTS (FROM session_hours
    WHERE day = ts::DATE AND ts >= open_utc AND ts < close_utc)`;
  return hours === 'regular' ? isRegular : `NOT ${isRegular}`;
}

/** Names the half of a segment whose rows are in these hours. */
export function segmentIdOfHours(id: string, hours: Hours): string {
  return createHash('sha256').update(`${id} ${hours}\n`).digest('hex');
}
