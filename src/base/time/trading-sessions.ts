/**
 * Sessions around the regular one, and trade dates. They follow from the time of a bar and the
 * calendar, and are not stored.
 */

import { lowerBound } from '../search-sorted.ts';
import {
  CALENDAR_FIRST_DAY,
  CALENDAR_LAST_DAY,
  isSession,
  newYorkClockMs,
  newYorkMidnightMs,
  newYorkMomentMs,
  sessionCloseMs,
  sessionOpenMs,
} from './calendar.ts';
import { overnightHours, POST_MINUTES, PRE_OPEN, TRADE_DATE_TURN } from './calendar-rules.ts';
import { dayFromMillis } from './dates.ts';
import { type SessionChoice, TRADING_SESSIONS, type TradingSession } from './intervals.ts';

const MILLIS_PER_MINUTE = 60_000;
const EVENING_MS = (24 * 60 - TRADE_DATE_TURN) * MILLIS_PER_MINUTE;

/** A part of a trading day; outside of every session `session` is undefined. */
export interface SessionHours {
  session: TradingSession | undefined;
  /** Undefined on days without trading. */
  tradeDay: number | undefined;
  startMs: number;
  endMs: number;
}

/** Returns the trading day of a moment: days turn at 20:00 in New York. */
export function tradingDay(ms: number): number {
  return dayFromMillis(newYorkClockMs(ms) + EVENING_MS);
}

/** Returns the moment at which a trading day begins, on the evening before its date. */
export function tradingDayStartMs(day: number): number {
  return newYorkMomentMs(day - 1, TRADE_DATE_TURN);
}

/** Returns the parts of a trading day in order of time, without gaps. */
export function hoursOfTradingDay(day: number): SessionHours[] {
  const startMs = tradingDayStartMs(day);
  const endMs = tradingDayStartMs(day + 1);
  const overnight = overnightHours(day);
  const tradeDay = hasSession(day) ? day : undefined;
  const hours: SessionHours[] = [];
  let fromMs = startMs;
  const until = (toMs: number, session?: TradingSession, date = tradeDay) => {
    if (toMs > fromMs) hours.push({ session, tradeDay: date, startMs: fromMs, endMs: toMs });
    fromMs = Math.max(fromMs, toMs);
  };
  if (!overnight) until(newYorkMidnightMs(day), undefined, sessionOrNone(day - 1));
  if (tradeDay === undefined) {
    until(endMs);
    return hours;
  }
  if (overnight) {
    const { open, reopen } = overnight;
    until(newYorkMomentMs(day - 1, hasSession(day - 1) ? open : reopen));
  }
  until(newYorkMomentMs(day, PRE_OPEN), overnight && 'overnight');
  until(sessionOpenMs(day), 'pre');
  const closeMs = sessionCloseMs(day);
  until(closeMs, 'regular');
  until(closeMs + POST_MINUTES * MILLIS_PER_MINUTE, 'post');
  until(endMs);
  return hours;
}

function hasSession(day: number): boolean {
  return day >= CALENDAR_FIRST_DAY && day <= CALENDAR_LAST_DAY && isSession(day);
}

function sessionOrNone(day: number): number | undefined {
  return hasSession(day) ? day : undefined;
}

/** Returns the start of the bar of a moment; bars count from the start of each session. */
export function barStartMs(ms: number, stepMs: number): number {
  const { startMs } = hoursOfTradingDay(tradingDay(ms)).find(({ endMs }) => ms < endMs)!;
  return ms - ((ms - startMs) % stepMs);
}

/** Rows [start, end) of a series that lie in one part of a trading day; at least one. */
export interface TradingSpan extends SessionHours {
  start: number;
  end: number;
}

/**
 * Yields the parts of trading days that have rows, oldest first, by binary searches alone.
 *
 * @param timestampMs Bar starts, strictly rising. The bar that starts at the close, which has the
 *   closing auction, is after the session.
 */
export function* tradingSpans(timestampMs: Float64Array): Generator<TradingSpan> {
  for (let row = 0; row < timestampMs.length; ) {
    for (const hours of hoursOfTradingDay(tradingDay(timestampMs[row]))) {
      const end = lowerBound(timestampMs, hours.endMs, row);
      if (end > row) yield { ...hours, start: row, end };
      row = end;
    }
  }
}

/** Returns true if a request for bars takes those of a session. */
export function isChosen(choice: SessionChoice, session: TradingSession | undefined): boolean {
  if (choice === 'all') return true;
  if (choice === 'regular') return session === 'regular';
  return session !== undefined && session !== 'overnight';
}

/**
 * Fills the session, as a number of `TRADING_SESSIONS`, and the trade date of each bar.
 *
 * @param none Stands for no session, and for no trade date.
 */
export function fillSessions(
  timestampMs: Float64Array,
  none: number,
  { sessions, tradeDays }: { sessions: Int32Array; tradeDays: Int32Array },
): void {
  for (const { session, tradeDay = none, start, end } of tradingSpans(timestampMs)) {
    sessions.fill(session ? TRADING_SESSIONS.indexOf(session) : none, start, end);
    tradeDays.fill(tradeDay, start, end);
  }
}

/** Returns 1 for the first bar of each trading day, else 0, one number per bar. */
export function tradingDayStarts(timestampMs: Float64Array): Float64Array {
  const starts = new Float64Array(timestampMs.length);
  for (let row = 0; row < timestampMs.length; ) {
    starts[row] = 1;
    row = lowerBound(timestampMs, tradingDayStartMs(tradingDay(timestampMs[row]) + 1), row);
  }
  return starts;
}
