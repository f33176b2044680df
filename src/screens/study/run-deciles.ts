/** Tenths of the universe by a factor at the ends of months, and their returns. */

import { lowerBound } from '../../base/search-sorted.ts';
import { LANES } from '../../compute/columns/layout.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { evaluateExpression } from '../plan/evaluate.ts';
import { counted, equalEnd, meanRanks, orderOf, rankCorrelation } from '../plan/ranks.ts';
import type { ScreenPlan } from '../plan/screen-plan.ts';
import { gathered } from '../run/bars-source.ts';
import { PastPlan } from './past-plan.ts';
import { PastTruth } from './past-truth.ts';
import type { EventRoom } from './run-study.ts';
import { allTrue, hasBit } from './signal-rows.ts';
import { type SignalQuestion, SignalRun } from './signal-run.ts';
import { mean, quantile } from './statistics.ts';
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
  const ends = monthEnds(market).filter(
    (session) => market.sessions[session] >= fromDay && market.sessions[session] <= toDay,
  );
  const run = new SignalRun(market, question, { studies: 1, universes: 0 }, false);
  const factors: number[] = [];
  const plan = new PastPlan(snapshot, market, factor);
  const members = universe && new PastTruth(snapshot, market, [universe]);
  for (const one of [plan, members]) if (one) yield* one.prepare(() => ends, room.tables);
  for (let at = 0; at < market.order.length; at += LANES) {
    const numbers = market.order.subarray(at, at + LANES);
    const values = plan.of(numbers);
    const [isMember] = members ? yield* members.of(numbers) : [];
    for (const [i, number] of numbers.entries()) {
      const bits = isMember && allTrue(isMember[i]);
      const factorOfDay = evaluateExpression(factor.sort!.expression, values[i]);
      run.begin(number);
      for (const row of rowsOf(market, number, ends)) {
        if (!Number.isFinite(factorOfDay[row]) || (bits && !hasBit(bits, row))) continue;
        run.add(0, row);
        factors.push(factorOfDay[row]);
      }
    }
    if (run.bytes(room.eventBytes) > room.bytesMax) throw room.tooMany(room.bytesMax);
    yield;
  }
  for (const one of [plan, members]) one?.release();
  return yield* decilesOf(snapshot, market, run, Float64Array.from(factors), horizons);
}

/** Returns the rows of a symbol on some sessions. */
function rowsOf(market: StudyMarket, number: number, ends: readonly number[]): number[] {
  const sessions = market.sessionsOf(number);
  const rows: number[] = [];
  for (const end of ends) {
    const row = lowerBound(sessions, end);
    if (sessions[row] === end) rows.push(row);
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
  const ends = monthEnds(market);
  for (let start = 0, end: number; start < places.length; start = end) {
    const session = events.sessions[places[start]];
    for (end = start; end < places.length && events.sessions[places[end]] === session; end++);
    const count = end - start;
    if (count < SYMBOLS_MIN) continue;
    const day = market.sessions[session];
    const month = orderedMonth(snapshot, events, places.subarray(start, end), factors, day);
    const tenths = new Uint8Array(market.series.ends.length);
    for (let tenth = 0; tenth < TENTHS; tenth++) {
      const end = startOf(tenth + 1, count);
      for (let place = startOf(tenth, count); place < end; place++) {
        tenths[events.numbers[month.places[place]]] = tenth + 1;
      }
    }
    const at = ends.indexOf(session);
    const turnovers = at === expected ? turnoversOf(month, events, tenths, before) : undefined;
    for (const [place, horizon] of horizons.entries()) {
      const { ic, tenths: returns } = returnsOf(month, events.returns[place]);
      for (const [tenth, sorted] of returns.entries()) {
        deciles.push({
          ...{ day, horizon, decile: tenth + 1 },
          symbols: startOf(tenth + 1, count) - startOf(tenth, count),
          ...{ mean: mean(sorted), median: quantile(sorted, 0.5), ic },
          turnover: turnovers?.[tenth] ?? Number.NaN,
        });
      }
      yield;
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
  const ordered = new Int32Array(order.length);
  const factorOf = new Float64Array(order.length);
  for (let i = 0; i < order.length; i++) {
    ordered[i] = places[order[i]];
    factorOf[i] = own[order[i]];
  }
  return { places: ordered, factors: factorOf };
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

/** Returns the place of the first symbol of a tenth, from 0 on. */
function startOf(tenth: number, count: number): number {
  return Math.ceil((tenth * count) / TENTHS);
}

/** Returns the sorted returns of each tenth, and their rank correlation with the factor. */
function returnsOf(
  { places, factors }: MonthOrder,
  returnOf: Float64Array,
): { tenths: Float64Array[]; ic: number } {
  const count = places.length;
  const returns = new Float64Array(count);
  const factorOf = new Float64Array(count);
  const tenthOf = new Uint8Array(count);
  const starts: number[] = [];
  let length = 0;
  for (let tenth = 0; tenth < TENTHS; tenth++) {
    starts.push(length);
    const end = startOf(tenth + 1, count);
    for (let place = startOf(tenth, count); place < end; place++) {
      const value = returnOf[places[place]];
      if (Number.isNaN(value)) continue;
      returns[length] = value;
      factorOf[length] = factors[place];
      tenthOf[length++] = tenth;
    }
  }
  const found = returns.subarray(0, length);
  const order = orderOf(found);
  const sorted = new Float64Array(length);
  const ends = [...starts];
  for (let i = 0; i < length; i++) {
    const at = order[i];
    sorted[ends[tenthOf[at]]++] = found[at];
  }
  const tenths = starts.map((start, tenth) => sorted.subarray(start, ends[tenth]));
  // Factors are in their order.
  const ranks = meanRanks(factorOf.subarray(0, length), counted(length));
  return { tenths, ic: rankCorrelation(ranks, meanRanks(found, order)) };
}
