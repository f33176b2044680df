/** Daily series of a version with the sessions of their market, for studies. */

import { isTestIssue } from '../../base/symbols/test-issues.ts';
import { dateFromDay } from '../../base/time/dates.ts';
import { tickerOn } from '../../store/arrow/snapshot/current-symbols.ts';
import { listedRows } from '../../store/arrow/snapshot/directory-table.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import type { ScreenMemory } from '../run/screen-memory.ts';
import type { DailySeries } from './past-columns.ts';
import type { UniverseReturns } from './universe-returns.ts';

export interface StudyMarket extends DailySeries {
  /** Days on which any symbol has a bar, ascending. A session's number is its place. */
  sessions: Int32Array;
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
  const market = { series, days, infos, order, sessions, sessionsOf, returns: new Map() };
  markets.set(series, market);
  return market;
}

/**
 * Returns the numbers of the last sessions of months. The month of the newest session is left out: it
 * may have later ones.
 */
export function monthEnds(sessions: Int32Array): number[] {
  const monthOf = (day: number) => dateFromDay(day).slice(0, 'YYYY-MM'.length);
  const months = Array.from(sessions, monthOf);
  return [...months.keys()].filter((at) => at + 1 < months.length && months[at] !== months[at + 1]);
}

/** Returns the ticker that a symbol had on a day. */
export function tickerOfDay({ listings, symbols }: Snapshot, number: number, day: number): string {
  const symbol = symbols[number];
  const row = listedRows(listings).get(symbol);
  return row === undefined ? symbol : tickerOn(listings, row, day);
}
