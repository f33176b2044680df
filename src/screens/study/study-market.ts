/** Daily series of a version with the sessions of their market, for studies. */

import { isTestIssue } from '../../base/symbols/test-issues.ts';
import { isClosedDay } from '../../base/time/closed-days.ts';
import { dateFromDay } from '../../base/time/dates.ts';
import { newestMarketDay } from '../../base/time/market-day.ts';
import { tickerOn } from '../../store/arrow/snapshot/current-symbols.ts';
import { listedRows } from '../../store/arrow/snapshot/directory-table.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { KeptColumns } from '../run/kept-columns.ts';
import type { ScreenMemory } from '../run/screen-memory.ts';
import type { DailySeries } from './past-columns.ts';
import type { UniverseReturns } from './return-sums.ts';

export interface StudyMarket extends DailySeries {
  /** Days on which any symbol has a bar, ascending. A session's number is its place. */
  sessions: Int32Array;
  /**
   * By session, and at the end, how many of those before are days of the market. The others are
   * bars of other markets or of wrong dates, which no other symbol's gaps and months count.
   */
  marketDays: Int32Array;
  /** Numbers of the symbols that count, those with the fewest bars first. */
  order: Int32Array;
  /** Returns of all symbols by entry and horizon, once they have been computed. */
  returns: Map<string, UniverseReturns>;
  /** Returns the numbers of the sessions of a symbol's bars; they must not be changed. */
  sessionsOf(number: number): Int32Array;
}

const markets = new WeakMap<DailySeries['series'], StudyMarket>();

/** Opens the market of a version, once. Test issues are no part of it. */
export function* studyMarket(
  snapshot: Snapshot,
  memory: ScreenMemory,
): Generator<undefined, StudyMarket> {
  const series = yield* memory.series(snapshot, '1d');
  const known = markets.get(series);
  if (known) return known;
  const days = yield* memory.days(snapshot, '1d');
  const infos = yield* memory.infos(snapshot);
  const order = series.order.filter((number) => !isTestIssue(snapshot.symbols[number]));
  const sessions = yield* days.unionOf(Array.from(order));
  const first = sessions[0] ?? 0;
  const numbers = new Int32Array((sessions.at(-1) ?? first) - first + 1);
  for (const [session, day] of sessions.entries()) numbers[day - first] = session;
  const all = Int32Array.from(sessions.keys());
  const sessionsOf = (number: number) => {
    const count = series.ends[number];
    const start = numbers[days.dayBefore(number, 1) - first];
    // Most symbols trade in each session from their first one to their last one.
    if (all[start + count - 1] === numbers[days.dayBefore(number, count) - first]) {
      return all.subarray(start, start + count);
    }
    const own = days.daysOf(number);
    for (let row = 0; row < own.length; row++) own[row] = numbers[own[row] - first];
    return own;
  };
  const newest = newestDay({ series, days }, order);
  const isMarketDay = (day: number) =>
    day <= newest && (!isClosedDay(day) || isTradedOn({ series, days }, order, day));
  const marketDays = countsBefore(sessions, isMarketDay);
  const market = {
    series,
    days,
    infos,
    columns: new KeptColumns(series),
    order,
    sessions,
    marketDays,
    sessionsOf,
    returns: new Map(),
  };
  markets.set(series, market);
  return market;
}

function newestDay({ series, days }: Pick<StudyMarket, 'series' | 'days'>, order: Int32Array) {
  const ends = order.map((number) => series.ends[number]);
  const newest = order.map((number, at) => days.dayBefore(number, ends[at]));
  const dayBefore = (at: number) =>
    ends[at] > 1 ? days.dayBefore(order[at], ends[at] - 1) : undefined;
  return newestMarketDay(newest, dayBefore) ?? -Infinity;
}

/** Returns true if most of the symbols with bars before and after a day have one on it. */
function isTradedOn(
  { series, days }: Pick<StudyMarket, 'series' | 'days'>,
  order: Int32Array,
  day: number,
): boolean {
  let [listed, traded] = [0, 0];
  for (const number of order) {
    const row = days.rowOf(number, day);
    if (row === series.ends[number]) continue;
    const hasBar = days.dayBefore(number, row + 1) === day;
    if (hasBar) traded++;
    if (hasBar || row > 0) listed++;
  }
  return traded * 2 > listed;
}

function countsBefore(sessions: Int32Array, isCounted: (day: number) => boolean): Int32Array {
  const before = new Int32Array(sessions.length + 1);
  for (const [at, day] of sessions.entries())
    before[at + 1] = before[at] + (isCounted(day) ? 1 : 0);
  return before;
}

/** Returns how many days of the market lie between two sessions. */
export function daysBetween(
  { marketDays }: Pick<StudyMarket, 'marketDays'>,
  session: number,
  later: number,
): number {
  return Math.max(0, marketDays[later] - marketDays[session + 1]);
}

/** Sums numbers of sessions up by day of the market: a bar of another day counts on the next one. */
export function byMarketDay(
  { marketDays }: Pick<StudyMarket, 'marketDays'>,
  bySession: Float64Array,
): Float64Array {
  const sums = new Float64Array(marketDays[bySession.length] + 1);
  // Entries of an array would be an object for each session.
  for (let session = 0; session < bySession.length; session++) {
    sums[marketDays[session]] += bySession[session];
  }
  return sums;
}

/**
 * Returns the numbers of the last days of the market in months. The newest month is left out: it
 * may have later ones.
 */
export function monthEnds({
  sessions,
  marketDays,
}: Pick<StudyMarket, 'sessions' | 'marketDays'>): number[] {
  const monthOf = (day: number) => dateFromDay(day).slice(0, 'YYYY-MM'.length);
  const open = [...sessions.keys()].filter((at) => marketDays[at + 1] > marketDays[at]);
  const months = open.map((session) => monthOf(sessions[session]));
  return open.filter((_, at) => at + 1 < open.length && months[at] !== months[at + 1]);
}

/** Returns the ticker that a symbol had on a day. */
export function tickerOfDay({ listings, symbols }: Snapshot, number: number, day: number): string {
  const symbol = symbols[number];
  const row = listedRows(listings).get(symbol);
  return row === undefined ? symbol : tickerOn(listings, row, day);
}
