/** Tenths of the universe by a factor at the ends of months, and their returns. */

import { LANES } from '../../compute/columns/layout.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { evaluateExpression } from '../plan/evaluate.ts';
import type { ScreenPlan } from '../plan/screen-plan.ts';
import { gathered } from '../run/bars-source.ts';
import { PastPlan } from './past-plan.ts';
import { PastTruth } from './past-truth.ts';
import { equalEnd, orderOf, rankCorrelation } from './rank-correlation.ts';
import type { EventRoom } from './run-study.ts';
import { hasBit } from './signal-rows.ts';
import { type SignalQuestion, SignalRun } from './signal-run.ts';
import { mean, quantiles } from './statistics.ts';
import type { StudyEvents } from './study-events.ts';
import { monthEnds, type StudyMarket, tickerOfDay } from './study-market.ts';

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
  return yield* decilesOf(snapshot, market, run, Float64Array.from(factors), horizons);
}

/** Returns the rows of a symbol on some sessions. */
function rowsOf(
  { days, sessions }: StudyMarket,
  number: number,
  ends: readonly number[],
): number[] {
  const rows: number[] = [];
  for (const end of ends) {
    const row = days.rowOf(number, sessions[end]);
    if (days.rowOf(number, sessions[end] + 1) > row) rows.push(row);
  }
  return rows;
}

/** Symbols of a month in the order of their factors. */
interface MonthOrder {
  /** Places of the events. */
  places: Int32Array;
  factors: Float64Array;
}

function* decilesOf(
  snapshot: Snapshot,
  market: StudyMarket,
  run: SignalRun,
  factors: Float64Array,
  horizons: readonly number[],
): Generator<undefined, Decile[]> {
  const { events } = run;
  const places = events.ordered(run.placesOf(0));
  const deciles: Decile[] = [];
  /** By symbol, its tenth a month before, from 1 on; 0 for none. */
  let before: Uint8Array | undefined;
  let expected = -1;
  const ends = monthEnds(market.sessions);
  for (let start = 0, end: number; start < places.length; start = end) {
    const session = events.sessions[places[start]];
    for (end = start; end < places.length && events.sessions[places[end]] === session; end++);
    const count = end - start;
    if (count < SYMBOLS_MIN) continue;
    const day = market.sessions[session];
    const month = orderedMonth(snapshot, events, places.subarray(start, end), factors, day);
    const tenths = new Uint8Array(market.series.ends.length);
    for (const [place, at] of month.places.entries()) {
      tenths[events.numbers[at]] = Math.floor((place * TENTHS) / count) + 1;
    }
    const at = ends.indexOf(session);
    const turnovers = at === expected ? turnoversOf(month, events, tenths, before) : undefined;
    for (const [place, horizon] of horizons.entries()) {
      const returns = gathered(events.returns[place], month.places);
      const ic = correlationOf(month.factors, returns);
      yield;
      for (let tenth = 0; tenth < TENTHS; tenth++) {
        const [from, to] = [tenth, tenth + 1].map((one) => Math.ceil((one * count) / TENTHS));
        const own = known(returns.subarray(from, to));
        const [median] = yield* quantiles(own, [0.5]);
        deciles.push({
          ...{ day, horizon, decile: tenth + 1, symbols: to - from },
          ...{ mean: mean(own), median, ic },
          turnover: turnovers?.[tenth] ?? Number.NaN,
        });
      }
    }
    before = tenths;
    expected = at + 1;
    yield;
  }
  return deciles;
}

/** Orders the events of a month by factor, equal factors by the ticker of the day. */
function orderedMonth(
  snapshot: Snapshot,
  events: StudyEvents,
  places: Int32Array,
  factors: Float64Array,
  day: number,
): MonthOrder {
  const own = gathered(factors, places);
  const order = orderOf(own);
  for (let start = 0, end = 0; start < order.length; start = end) {
    end = equalEnd(own, order, start);
    if (end === start + 1) continue;
    // A ticker of today would let a later rename move a symbol to another tenth.
    const tied = Array.from(order.subarray(start, end), (place) => ({
      place,
      ticker: tickerOfDay(snapshot, events.numbers[places[place]], day),
    }));
    tied.sort((a, b) => (a.ticker < b.ticker ? -1 : 1));
    for (const [i, { place }] of tied.entries()) order[start + i] = place;
  }
  return {
    places: new Int32Array(order).map((place) => places[place]),
    factors: new Float64Array(order).map((place) => own[place]),
  };
}

/** Returns by tenth the share of its symbols that were in another one, or in none. */
function turnoversOf(
  { places }: MonthOrder,
  { numbers }: StudyEvents,
  tenths: Uint8Array,
  before: Uint8Array | undefined,
): number[] | undefined {
  if (!before) return undefined;
  const [moved, all] = [new Float64Array(TENTHS), new Float64Array(TENTHS)];
  for (const at of places) {
    const tenth = tenths[numbers[at]];
    all[tenth - 1]++;
    if (before[numbers[at]] !== tenth) moved[tenth - 1]++;
  }
  return Array.from(moved, (count, tenth) => count / all[tenth]);
}

/** Returns the rank correlation over symbols with a return. */
function correlationOf(factors: Float64Array, returns: Float64Array): number {
  return rankCorrelation(known(factors, returns), known(returns));
}

/** Returns the values beside which there is a number. */
function known(values: Float64Array, beside = values): Float64Array {
  const out = new Float64Array(values.length);
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    if (!Number.isNaN(beside[i])) out[count++] = values[i];
  }
  return out.subarray(0, count);
}
