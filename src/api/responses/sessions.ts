/** The parameter `session` of bars, and the columns that tell days and sessions apart. */

import { millisFromMicros } from '../../base/bars.ts';
import { ParameterError } from '../../base/errors.ts';
import {
  type Interval,
  isDailyInterval,
  SESSION_CHOICES,
  type SessionChoice,
  TRADING_SESSIONS,
} from '../../base/time/intervals.ts';
import { fillSessions } from '../../base/time/trading-sessions.ts';
import { NULL_INT } from '../../store/arrow/format/batch-layout.ts';
import { choiceField } from '../http/query-fields.ts';
import type { TableColumn } from './table.ts';
import { fillDates } from './time-text.ts';

export const sessionField = choiceField(SESSION_CHOICES)
  .default('regular')
  .describe(
    '`regular`: bars of the regular session. `extended`: from 04:00 to 20:00 in New York. `all`: ' +
      'overnight too. With the last two each bar has its `session` (`overnight`, `pre`, ' +
      '`regular`, `post`) and `tradeDate`. Days, weeks and months are of the regular session.',
  );

/** @throws {ParameterError} `session`: bars of whole days have no others than regular ones. */
export function checkSession(session: SessionChoice, interval: Interval): void {
  if (session === 'regular' || !isDailyInterval(interval)) return;
  throw new ParameterError(
    'session',
    `session must be regular for ${interval}, whose bars are of the regular session, got "${session}"`,
  );
}

/** Returns the header that names the sessions of a response. */
export function sessionHeader(session: SessionChoice = 'regular'): string[] {
  return ['X-SVC-Session', session];
}

/** Columns after `timestamp`: the date of whole days, or the trade date and the session. */
export type BarLabels = 'dates' | 'sessions' | 'none';

export function labelsOf({
  interval,
  session = 'regular',
}: {
  interval: Interval;
  session?: SessionChoice | undefined;
}): BarLabels {
  if (isDailyInterval(interval)) return 'dates';
  return session === 'regular' ? 'none' : 'sessions';
}

/** Names of the columns of labels. */
export const LABEL_NAMES: Readonly<Record<BarLabels, readonly string[]>> = {
  dates: ['date'],
  sessions: ['tradeDate', 'session'],
  none: [],
};

/** Trade dates and sessions of bars; `NULL_INT` is none. */
export interface SessionColumns {
  tradeDays: Int32Array;
  sessions: Int32Array;
}

export function sessionColumns(timestampMs: Float64Array): SessionColumns {
  const columns = {
    tradeDays: new Int32Array(timestampMs.length),
    sessions: new Int32Array(timestampMs.length),
  };
  fillSessions(timestampMs, NULL_INT, columns);
  return columns;
}

/** Returns the name of a session by its number; null for none. */
export function sessionName(number: number): string | null {
  return TRADING_SESSIONS[number] ?? null;
}

export function labelColumns(timestampUs: BigInt64Array, labels: BarLabels): TableColumn[] {
  if (labels === 'none') return [];
  if (labels === 'dates') {
    const values = fillDates(timestampUs, new Int32Array(timestampUs.length));
    return [{ name: 'date', type: 'date', values }];
  }
  const { tradeDays, sessions } = sessionColumns(millisFromMicros(timestampUs));
  return [
    { name: 'tradeDate', type: 'optionalDate', values: tradeDays },
    { name: 'session', type: 'optionalText', values: Array.from(sessions, sessionName) },
  ];
}
