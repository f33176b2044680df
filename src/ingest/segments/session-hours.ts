import { createHash } from 'node:crypto';
import { DATE, TIMESTAMP } from '@duckdb/node-api';
import { microsFromMillis } from '../../base/bars.ts';
import {
  CALENDAR_FIRST_DAY,
  CALENDAR_LAST_DAY,
  newYorkOffsetMs,
  sessionCloseMs,
  sessionOpenMs,
  sessionsBetween,
} from '../../base/time/calendar.ts';
import type { Hours } from '../../base/time/intervals.ts';
import { appendColumns } from './append-columns.ts';
import type { Scratch } from './scratch.ts';

/**
 * Creates `session_hours` (day DATE, open_utc, close_utc, open_local, close_local TIMESTAMP)
 * unless it exists: every session of the calendar, in UTC and on New York's clocks.
 */
export function makeSessionHours(scratch: Scratch): Promise<void> {
  const made = making.get(scratch) ?? makeTable(scratch);
  making.set(scratch, made);
  return made;
}

/** Tables per scratch, because a segment reads one repeatedly. */
const making = new WeakMap<Scratch, Promise<void>>();
/** Columns of the table, which every segment needs. */
let sessions: ReturnType<typeof allSessions> | undefined;

async function makeTable(scratch: Scratch): Promise<void> {
  const connection = await scratch.connect();
  await connection.run(`CREATE TEMP TABLE session_hours (day DATE, open_utc TIMESTAMP,
    close_utc TIMESTAMP, open_local TIMESTAMP, close_local TIMESTAMP)`);
  const appender = await connection.createAppender('session_hours');
  try {
    sessions ??= allSessions();
    appendColumns(appender, [DATE, TIMESTAMP, TIMESTAMP, TIMESTAMP, TIMESTAMP], sessions);
  } finally {
    appender.closeSync();
  }
}

function allSessions() {
  const days = sessionsBetween(CALENDAR_FIRST_DAY, CALENDAR_LAST_DAY);
  const opens = Array.from(days, sessionOpenMs);
  const closes = Array.from(days, sessionCloseMs);
  const local = (momentMs: number, session: number) => momentMs + newYorkOffsetMs(opens[session]);
  const moments = [opens, closes, opens.map(local), closes.map(local)];
  return [days, ...moments.map((ms) => microsFromMillis(ms))];
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
