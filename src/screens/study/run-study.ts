/** Runs studies together: finds the events of their conditions over all days, and their returns. */

import type { ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { SymbolValues } from '../../base/symbol-expression.ts';
import { LANES } from '../../compute/columns/layout.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import type { ScreenPlan } from '../plan/screen-plan.ts';
import { PastPlan } from './past-plan.ts';
import { PastTruth } from './past-truth.ts';
import type { UniverseReturns } from './return-sums.ts';
import { allTrue, type StudyMode } from './signal-rows.ts';
import { type SignalQuestion, SignalRun } from './signal-run.ts';
import { BATCH_STUDIES, StudyBatch, type StudyEvents } from './study-events.ts';
import type { StudyMarket } from './study-market.ts';

/** Returns of entries and horizons that a version keeps: 16 bytes a session for each. */
const RETURNS_MAX = 1000;

/** Memory of events beside any comparisons. */
const EVENT_BYTES_MIN = 80 * 1024 * 1024;

export interface StudyPlans {
  where: ScreenPlan;
  /** Condition as of each day, the same plan where it is the same; undefined for all symbols. */
  universe: ScreenPlan | undefined;
}

export interface StudiesQuestion extends SignalQuestion {
  studies: readonly StudyPlans[];
  mode: StudyMode;
  /** Numbers of the symbols whose events count, without horizons; undefined for all. */
  symbols?: Int32Array | undefined;
}

/** Memory of events. */
export interface EventRoom {
  bytesMax: number;
  /** Tables of comparisons across symbols that were used before, all of one size. */
  tables: Float64Array[];
  /** Bytes that an event takes in other places. */
  eventBytes: number;
  /** @param bytesMax Memory that was left for events. */
  tooMany(bytesMax: number): ParameterError;
}

export interface StudyRun {
  /** Events of all studies: of one, symbol by symbol; of several, session by session. */
  events: StudyEvents;
  /** Has the events of this study and of its neighbours. */
  batch: StudyBatch;
  /** Number of the study in the batch. */
  study: number;
  /** By horizon. */
  universe: readonly UniverseReturns[];
}

/** Returns the events of a study, ascending. */
export function placesOf({ batch, study }: StudyRun): Int32Array {
  return batch.placesOf(study);
}

/**
 * Runs as many of the studies as the room holds, the first ones.
 *
 * @param taken Called with the rows of a symbol's events, in their order, and its values by row, of
 *   a single study.
 * @returns by study.
 * @throws {ParameterError} The events of one study are too many.
 */
export function* runStudies(
  snapshot: Snapshot,
  market: StudyMarket,
  question: StudiesQuestion,
  room: EventRoom,
  taken?: (rows: Int32Array, values: SymbolValues) => void,
): Generator<undefined, StudyRun[]> {
  const { mode, studies } = question;
  const hasAll = studies.some(({ universe }) => universe === undefined);
  let all = hasAll ? keptReturns(market, question) : [];
  const conditions = [...new Set(studies.flatMap(({ universe }) => universe ?? []))];
  const numberOf = new Map(conditions.map((universe, i) => [universe, i]));
  const plans = [...new Set(studies.flatMap(({ where, universe }) => [where, universe ?? where]))];
  const truth = new PastTruth(snapshot, market, plans);
  const conditionsOf = new Map(plans.map((plan, i) => [plan, truth.conditions[i]]));
  const parts = batchesOf(studies).map((some) => ({
    batch: new StudyBatch(some.length),
    universe: some[0].universe,
    conditions: some.map(({ where }) => conditionsOf.get(where)!),
  }));
  const batches = parts.map(({ batch }) => batch);
  const run = new SignalRun(market, question, {
    batches,
    universes: conditions.length + (all ? 0 : 1),
  });
  const values = taken && new PastPlan(snapshot, market, studies[0].where);
  const order = question.symbols ?? market.order;
  const sessions = () => run.sessionsRead(order);
  for (const one of [truth, values]) if (one) yield* one.prepare(sessions, room.tables);
  const release = () => {
    for (const one of [truth, values]) one?.release();
  };
  const comparedBytes = truth.bytes + (values?.bytes ?? 0);
  const left = Math.max(limits.study.bytesMax - comparedBytes, EVENT_BYTES_MIN);
  const bytesMax = Math.min(room.bytesMax, left);
  for (let at = 0; at < order.length; at += LANES) {
    const numbers = order.subarray(at, at + LANES);
    const truths = yield* truth.of(numbers);
    let shown: SymbolValues[] | undefined;
    for (const [lane, number] of numbers.entries()) {
      run.begin(number);
      if (!all) run.addAllReturns(conditions.length);
      const members = conditions.map((one) => allTrue(truths[lane], conditionsOf.get(one)!));
      for (const [i, isMember] of members.entries()) run.addReturns(i, isMember);
      for (const [batch, { universe, conditions: own }] of parts.entries()) {
        const isMember = universe && members[numberOf.get(universe)!];
        const count = run.add(batch, { truths: truths[lane], studies: own }, isMember, mode);
        if (!values || count === 0) continue;
        shown ??= values.of(numbers);
        taken!(run.lastRows(count), shown[lane]);
      }
      if (run.bytes(room.eventBytes) > bytesMax) {
        if (studies.length === 1) throw room.tooMany(bytesMax);
        release();
        const some = studies.slice(0, studies.length >> 1);
        return yield* runStudies(snapshot, market, { ...question, studies: some }, room);
      }
      if (lane === LANES >> 1) yield;
    }
    yield;
  }
  release();
  if (!all) {
    all = run.returnsOf(conditions.length);
    keepReturns(market, question, all);
  }
  const returns = conditions.map((_, i) => run.returnsOf(i));
  if (studies.length > 1) yield* run.events.sortBySession(batches);
  return parts.flatMap(({ batch, universe, conditions: own }) =>
    own.map((_, study) => ({
      ...{ events: run.events, batch, study },
      universe: universe === undefined ? all : returns[numberOf.get(universe)!],
    })),
  );
}

/** Divides studies into batches of neighbours with one universe. */
function batchesOf(studies: readonly StudyPlans[]): StudyPlans[][] {
  const batches: StudyPlans[][] = [];
  for (const study of studies) {
    const last = batches.at(-1);
    const isFull = last?.length === BATCH_STUDIES || last?.[0].universe !== study.universe;
    if (last && !isFull) last.push(study);
    else batches.push([study]);
  }
  return batches;
}

/**
 * Returns the returns of all symbols, by horizon; undefined if one is missing. They do not depend on
 * signals, so a version computes those of an entry and a horizon once.
 */
function keptReturns(
  market: StudyMarket,
  { entry, horizons }: SignalQuestion,
): UniverseReturns[] | undefined {
  const kept = horizons.flatMap((horizon) => market.returns.get(`${entry} ${horizon}`) ?? []);
  return kept.length === horizons.length ? kept : undefined;
}

function keepReturns(
  market: StudyMarket,
  { entry, horizons }: SignalQuestion,
  returns: readonly UniverseReturns[],
): void {
  if (market.returns.size + horizons.length > RETURNS_MAX) market.returns.clear();
  for (const [place, horizon] of horizons.entries()) {
    market.returns.set(`${entry} ${horizon}`, returns[place]);
  }
}
