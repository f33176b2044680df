/** Tenths of the universe by a factor at the ends of months, and their returns. */

import { LANES } from '../../compute/columns/layout.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { evaluateExpression } from '../plan/evaluate.ts';
import type { ScreenPlan } from '../plan/screen-plan.ts';
import { PastPlan } from './past-plan.ts';
import { PastTruth } from './past-truth.ts';
import { rankCorrelation } from './rank-correlation.ts';
import type { EventRoom } from './run-study.ts';
import { hasBit } from './signal-rows.ts';
import { type SignalQuestion, SignalRun } from './signal-run.ts';
import { mean, quantile } from './statistics.ts';
import { monthEnds, rowOfDay, type StudyMarket } from './study-market.ts';

/** Securities below which a month has no tenths. */
const SYMBOLS_MIN = 100;

const TENTHS = 10;

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
  const ends = monthEnds(market.sessions).filter(
    (session) => market.sessions[session] >= fromDay && market.sessions[session] <= toDay,
  );
  const run = new SignalRun(market, question, 1);
  const factors: number[] = [];
  const plan = new PastPlan(snapshot, market, factor);
  const members = universe && new PastTruth(snapshot, market, [universe]);
  for (const one of [plan, members]) if (one) yield* one.prepare(() => ends);
  for (let at = 0; at < market.order.length; at += LANES) {
    const numbers = market.order.subarray(at, at + LANES);
    const values = plan.of(numbers);
    const [isMember] = members ? yield* members.of(numbers) : [];
    for (const [i, number] of numbers.entries()) {
      const factorOfDay = evaluateExpression(factor.sort!.expression, values[i]);
      run.begin(number);
      for (const row of rowsOf(market, number, ends)) {
        if (!Number.isFinite(factorOfDay[row]) || (isMember && !hasBit(isMember[i], row))) continue;
        run.add(0, row);
        factors.push(factorOfDay[row]);
      }
    }
    if (run.bytes(room.eventBytes) > room.bytesMax) throw room.tooMany();
    yield;
  }
  return decilesOf(run, Float64Array.from(factors), ends, market, horizons);
}

/** Returns the rows of a symbol on some sessions. */
function rowsOf(market: StudyMarket, number: number, ends: readonly number[]): number[] {
  const sessions = market.sessionsOf(number);
  return ends.flatMap((end) => {
    const row = rowOfDay(market.sessions, sessions, market.sessions[end]);
    return sessions[row] === end ? [row] : [];
  });
}

function decilesOf(
  { events }: SignalRun,
  factors: Float64Array,
  ends: readonly number[],
  market: StudyMarket,
  horizons: readonly number[],
): Decile[] {
  const bySession = Map.groupBy(new Int32Array(events.count).keys(), (at) => events.sessions[at]);
  const deciles: Decile[] = [];
  let before: ReadonlyMap<number, number> | undefined;
  for (const session of ends) {
    const places = (bySession.get(session) ?? []).sort(
      (a, b) => factors[a] - factors[b] || events.numbers[a] - events.numbers[b],
    );
    if (places.length < SYMBOLS_MIN) {
      before = undefined;
      continue;
    }
    const tenthOf = (place: number) => Math.floor((place * TENTHS) / places.length);
    const tenths = Array.from({ length: TENTHS }, () => [] as number[]);
    for (const [place, at] of places.entries()) tenths[tenthOf(place)].push(at);
    const now = new Map(places.map((at, place) => [events.numbers[at], tenthOf(place)]));
    for (const [place, horizon] of horizons.entries()) {
      const returns = events.returns[place];
      const known = places.filter((at) => !Number.isNaN(returns[at]));
      const ic = rankCorrelation(
        Float64Array.from(known, (at) => factors[at]),
        Float64Array.from(known, (at) => returns[at]),
      );
      for (const [tenth, members] of tenths.entries()) {
        const own = Float64Array.from(members, (at) => returns[at]).filter(
          (value) => !Number.isNaN(value),
        );
        const moved = before && members.filter((at) => before?.get(events.numbers[at]) !== tenth);
        deciles.push({
          ...{ day: market.sessions[session], horizon, decile: tenth + 1, symbols: members.length },
          ...{ mean: mean(own), median: quantile(own.toSorted(), 0.5), ic },
          turnover: moved ? moved.length / members.length : Number.NaN,
        });
      }
    }
    before = now;
  }
  return deciles;
}
