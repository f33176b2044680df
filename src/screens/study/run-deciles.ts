/** Tenths of the universe by a factor at the ends of months, and their returns. */

import { lowerBound } from '../../base/search-sorted.ts';
import { LANES } from '../../compute/columns/layout.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { evaluateExpression } from '../plan/evaluate.ts';
import type { ScreenPlan } from '../plan/screen-plan.ts';
import { LaneMonths, MonthRows, MonthTenths, SYMBOLS_AT_ONCE } from './month-tenths.ts';
import { PastPlan } from './past-plan.ts';
import { PastTruth } from './past-truth.ts';
import type { EventRoom } from './run-study.ts';
import { allTrue, hasBit } from './signal-rows.ts';
import { type SignalQuestion, SignalRun } from './signal-run.ts';
import { mean, quantile } from './statistics.ts';
import { monthEnds, type StudyMarket, tickerOfDay } from './study-market.ts';

/** Securities below which a month has no tenths. */
const SYMBOLS_MIN = 100;

/** A plan whose `sort` is the factor, and what else a study asks. */
export interface DecilesQuestion extends SignalQuestion {
  factor: ScreenPlan;
  universe: ScreenPlan | undefined;
}

export interface Decile {
  /** Day of the month's last session. */
  day: number;
  horizon: number;
  /** 1 has the smallest values of the factor. */
  decile: number;
  symbols: number;
  /** Mean of the returns; NaN without any. */
  mean: number;
  median: number;
  /** Share of symbols that were in another tenth a month before, or in none; NaN in the first one. */
  turnover: number;
  /** Rank correlation of factor and return over all symbols of the month. */
  ic: number;
}

/** @param room As of `runStudy`. */
export function* runDeciles(
  snapshot: Snapshot,
  market: StudyMarket,
  question: DecilesQuestion,
  room: EventRoom,
): Generator<undefined, Decile[]> {
  const { factor, universe, horizons, fromDay, toDay } = question;
  const ends = monthEnds(market).filter(
    (session) => market.sessions[session] >= fromDay && market.sessions[session] <= toDay,
  );
  const run = new SignalRun(market, question, { batches: [], universes: 0 });
  const months = ends.map(() => new MonthRows(horizons.length, market.order.length));
  const lanes = new LaneMonths(ends.length, horizons.length);
  const plan = new PastPlan(snapshot, market, factor);
  const members = universe && new PastTruth(snapshot, market, [universe]);
  for (const one of [plan, members]) if (one) yield* one.prepare(() => ends, room.tables);
  for (let at = 0; at < market.order.length; at += LANES) {
    const numbers = market.order.subarray(at, at + LANES);
    const values = plan.of(numbers);
    const isMember = members && (yield* members.of(numbers));
    const first = at % SYMBOLS_AT_ONCE;
    for (const [i, number] of numbers.entries()) {
      const bits = isMember && allTrue(isMember[i], members.conditions[0]);
      const factorOfDay = evaluateExpression(factor.sort!.expression, values[i]);
      const sessions = market.sessionsOf(number);
      readMonths(lanes, first + i, { factorOfDay, bits, sessions, ends });
      run.begin(number);
      run.takeReturns(lanes.rows, { from: first + i, step: SYMBOLS_AT_ONCE }, lanes.returns);
    }
    yield;
    const end = at + numbers.length;
    if (end % SYMBOLS_AT_ONCE > 0 && end < market.order.length) continue;
    // Each month lies elsewhere in memory, so it takes all lanes at once.
    const taken = market.order.subarray(at - first, end);
    for (let month = 0; month < months.length; month++) months[month].take(taken, lanes, month);
    const bytes = months.reduce((sum, rows) => sum + rows.bytes, 0);
    if (bytes > room.bytesMax) throw room.tooMany(room.bytesMax);
  }
  for (const one of [plan, members]) one?.release();
  return yield* decilesOf(snapshot, market, { ends, months, horizons });
}

/** Reads the factors of a symbol at the ends of months. Loops of a generator would be slow. */
function readMonths(
  { rows, factors }: LaneMonths,
  lane: number,
  values: {
    factorOfDay: Float64Array;
    /** Bits of the rows in the universe; undefined for all. */
    bits: Uint32Array | undefined;
    sessions: Int32Array;
    ends: readonly number[];
  },
): void {
  const { factorOfDay, bits, sessions, ends } = values;
  for (let month = 0; month < ends.length; month++) {
    const row = rowOf(sessions, ends[month]);
    const isMissing = !Number.isFinite(factorOfDay[row]) || (bits && !hasBit(bits, row));
    rows[month * SYMBOLS_AT_ONCE + lane] = isMissing ? -1 : row;
    factors[month * SYMBOLS_AT_ONCE + lane] = factorOfDay[row];
  }
}

/** Returns the row of a session in those of a symbol; −1 if it has none. */
function rowOf(sessions: Int32Array, session: number): number {
  // Most symbols trade in each session from their first one on.
  const near = session - sessions[0];
  if (sessions[near] === session) return near;
  const row = lowerBound(sessions, session);
  return sessions[row] === session ? row : -1;
}

/** Ends of months with the rows of their symbols. */
interface Months {
  ends: readonly number[];
  months: readonly MonthRows[];
  horizons: readonly number[];
}

function* decilesOf(
  snapshot: Snapshot,
  market: StudyMarket,
  { ends, months, horizons }: Months,
): Generator<undefined, Decile[]> {
  const deciles: Decile[] = [];
  /** By symbol, its tenth a month before, from 1 on; 0 for none. */
  let before: Uint8Array | undefined;
  for (const [at, rows] of months.entries()) {
    if (rows.count < SYMBOLS_MIN) {
      before = undefined;
      continue;
    }
    const day = market.sessions[ends[at]];
    const month = new MonthTenths(rows, (number) => tickerOfDay(snapshot, number, day));
    const tenths = month.bySymbol(market.series.ends.length);
    const turnovers = before && month.turnovers(tenths, before);
    for (const [place, horizon] of horizons.entries()) {
      const { ic, tenths: returns } = month.returns(place);
      for (const [tenth, sorted] of returns.entries()) {
        deciles.push({
          ...{ day, horizon, decile: tenth + 1, symbols: month.countOf(tenth) },
          ...{ mean: mean(sorted), median: quantile(sorted, 0.5), ic },
          turnover: turnovers?.[tenth] ?? Number.NaN,
        });
      }
      yield;
    }
    before = tenths;
    yield;
  }
  return deciles;
}
