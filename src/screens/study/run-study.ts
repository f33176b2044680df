/** Runs a study: finds the events of a condition over all days, and their returns. */

import type { SymbolValues } from '../../base/symbol-expression.ts';
import { LANES } from '../../compute/columns/layout.ts';
import type { RowRange, Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import type { ScreenPlan } from '../plan/screen-plan.ts';
import { flagsOf, type TouchesFlag } from './flagged-rows.ts';
import { PastPlan, truthOf } from './past-plan.ts';
import { PastTruth, type Truth } from './past-truth.ts';
import {
  type Entry,
  exitBars,
  isEarly,
  type SignalBars,
  signalReturn,
  signalReturns,
  splitsBetween,
} from './signal-returns.ts';
import { StudyEvents } from './study-events.ts';
import type { StudyMarket } from './study-market.ts';
import type { UniverseReturns } from './study-summary.ts';
import { Sums } from './sums.ts';

/** A symbol has ended if its last bar is older than the newest of all by more sessions than these. */
const ENDED_SESSIONS = 5;

/** Returns of entries and horizons that a version keeps: 16 bytes a session for each. */
const RETURNS_MAX = 1000;

/** `begins`: only the first bar of those on which the condition is true. */
export const STUDY_MODES = ['begins', 'matches'] as const;
export type StudyMode = (typeof STUDY_MODES)[number];

/** Part of a study that decides returns, whatever the signals are. */
export interface SignalQuestion {
  entry: Entry;
  /** Sessions of the symbol, each horizon alone. */
  horizons: readonly number[];
  /** Days of signals, inclusive. */
  fromDay: number;
  toDay: number;
}

export interface StudyQuestion extends SignalQuestion {
  where: ScreenPlan;
  mode: StudyMode;
  /** Condition as of each day; undefined for all symbols. */
  universe: ScreenPlan | undefined;
  /** Returns of the universe by horizon, if another study of the same question found them. */
  returns?: readonly UniverseReturns[] | undefined;
  /** Numbers of the symbols whose events count; undefined for all. */
  symbols?: Int32Array | undefined;
}

export interface StudyRun {
  events: StudyEvents;
  /** By horizon. */
  universe: readonly UniverseReturns[];
}

/**
 * @param room  Called before an event is added with the number of those found; may throw.
 * @param taken Called with the rows of a symbol's events, in their order, and its values by row.
 */
export function* runStudy(
  snapshot: Snapshot,
  market: StudyMarket,
  question: StudyQuestion,
  room: (count: number) => void,
  taken?: (rows: readonly number[], values: SymbolValues) => void,
): Generator<undefined, StudyRun> {
  const isWhole = question.universe === undefined && question.symbols === undefined;
  const returns = isWhole ? yield* returnsOfAll(market, question) : question.returns;
  const run = new SignalRun(market, question, room, returns);
  const values = taken && new PastPlan(snapshot, market, question.where);
  const where = taken ? undefined : new PastTruth(snapshot, market, question.where);
  const universe = question.universe && new PastTruth(snapshot, market, question.universe);
  const order = question.symbols ?? market.order;
  const sessions = () => run.sessionsRead(order);
  for (const one of [values, where, universe]) if (one) yield* one.prepare(market, sessions);
  for (let at = 0; at < order.length; at += LANES) {
    const numbers = order.subarray(at, at + LANES);
    const shown = values?.of(numbers);
    const truths =
      where?.of(numbers) ?? shown!.map((one) => truthOf(question.where.conditions, one));
    const members = universe?.of(numbers);
    for (const [i, number] of numbers.entries()) {
      const rows = signalsOf(truths[i], members?.[i], run.rowsOf(number), question.mode);
      run.take(number, rows, members?.[i]);
      if (shown) taken?.(rows, shown[i]);
    }
    yield;
  }
  return { events: run.events, universe: run.universe };
}

/**
 * Returns the returns of all symbols, by horizon. They do not depend on signals, so a version
 * computes those of an entry and a horizon once.
 */
function* returnsOfAll(
  market: StudyMarket,
  { entry, horizons }: SignalQuestion,
): Generator<undefined, UniverseReturns[]> {
  const keyOf = (horizon: number) => `${entry} ${horizon}`;
  const missing = horizons.filter((horizon) => !market.returns.has(keyOf(horizon)));
  if (missing.length > 0) {
    const all = { fromDay: Number.NEGATIVE_INFINITY, toDay: Number.POSITIVE_INFINITY };
    const run = new SignalRun(market, { ...all, entry, horizons: missing }, () => {});
    for (const [i, number] of market.order.entries()) {
      run.take(number, [], undefined);
      if (i % LANES === 0) yield;
    }
    if (market.returns.size + missing.length > RETURNS_MAX) market.returns.clear();
    for (const [place, horizon] of missing.entries()) {
      market.returns.set(keyOf(horizon), run.universe[place]);
    }
    if (missing.length < horizons.length)
      return yield* returnsOfAll(market, { ...all, entry, horizons });
  }
  return horizons.map((horizon) => market.returns.get(keyOf(horizon))!);
}

function signalsOf(
  truth: Truth,
  isMember: Truth | undefined,
  { start, end }: RowRange,
  mode: StudyMode,
): number[] {
  const rows: number[] = [];
  for (let row = start; row < end; row++) {
    if (truth[row] !== 1 || (isMember && isMember[row] !== 1)) continue;
    if (mode === 'begins' && row > 0 && truth[row - 1] === 1) continue;
    rows.push(row);
  }
  return rows;
}

/** Collects the signals of symbols, and the returns of the universe on the same days. */
export class SignalRun {
  readonly events: StudyEvents;
  readonly universe: readonly UniverseReturns[];
  readonly #market: StudyMarket;
  readonly #question: SignalQuestion;
  readonly #room: (count: number) => void;
  readonly #steps: readonly number[];
  readonly #isKnown: boolean;

  /** @param returns Those of the universe by horizon, where they are known before. */
  constructor(
    market: StudyMarket,
    question: SignalQuestion,
    room: (count: number) => void,
    returns?: readonly UniverseReturns[],
  ) {
    const { horizons, entry } = question;
    this.#market = market;
    this.#question = question;
    this.#room = room;
    this.#steps = horizons.map((horizon) => exitBars(entry, horizon));
    this.events = new StudyEvents(horizons.length);
    this.#isKnown = returns !== undefined;
    const { length } = market.sessions;
    this.universe =
      returns ?? horizons.map(() => ({ sums: new Sums(length), counts: new Float64Array(length) }));
  }

  /** Returns the rows of a symbol in the study's days. */
  rowsOf(number: number): RowRange {
    const { fromDay, toDay } = this.#question;
    const { days } = this.#market;
    return { start: days.rowOf(number, fromDay), end: days.rowOf(number, toDay + 1) };
  }

  /** Returns the sessions of the study's days, and of the bar before them of each symbol. */
  sessionsRead(numbers: Int32Array): Set<number> {
    const { fromDay, toDay } = this.#question;
    const read = new Set<number>();
    for (const [session, day] of this.#market.sessions.entries()) {
      if (day >= fromDay && day <= toDay) read.add(session);
    }
    for (const number of numbers) {
      const { start } = this.rowsOf(number);
      if (start > 0) read.add(this.#market.sessionsOf(number)[start - 1]);
    }
    return read;
  }

  /**
   * Takes the signals of a symbol, and its part of the universe's returns.
   *
   * @param isMember 1 at each row on which the symbol belongs to the universe; undefined: all.
   */
  take(number: number, signals: readonly number[], isMember: Truth | undefined): void {
    const { entry, horizons } = this.#question;
    const isRead = horizons.length > 0 && !this.#isKnown;
    if (signals.length === 0 && !isRead) return;
    const sessions = this.#market.sessionsOf(number);
    const bars = this.#bars(number, sessions);
    if (isRead) {
      const { start, end } = this.rowsOf(number);
      const values = new Float64Array(sessions.length);
      for (const [place, horizon] of horizons.entries()) {
        signalReturns(bars, entry, horizon, values);
        this.#addToUniverse(place, values, sessions.subarray(0, end), start, isMember);
      }
    }
    const touchesFlag = horizons.length > 0 ? flagsOf(this.#market, number) : undefined;
    for (const row of signals) {
      const at = this.#add(number, row, sessions[row], bars);
      if (touchesFlag) this.#flag(at, row, bars.close.length - 1, touchesFlag);
    }
  }

  #bars(number: number, sessions: Int32Array): SignalBars {
    const { series } = this.#market;
    const end = sessions.length;
    const [open, close] = [new Float64Array(end), new Float64Array(end)];
    const isEnded = this.#market.sessions.length - 1 - sessions[end - 1] > ENDED_SESSIONS;
    if (this.#question.horizons.length === 0) return { open, close, isEnded };
    series.copyStored(number, ['open', 'close'], { start: 0, end }, [open, close]);
    return { open, close, isEnded, splits: splitsBetween(series.stepsOf(number), end) };
  }

  #addToUniverse(
    place: number,
    returns: Float64Array,
    sessions: Int32Array,
    first: number,
    isMember: Truth | undefined,
  ): void {
    const { sums, counts } = this.universe[place];
    for (let row = first; row < sessions.length; row++) {
      const value = returns[row];
      if (Number.isNaN(value) || (isMember && isMember[row] !== 1)) continue;
      sums.add(sessions[row], value);
      counts[sessions[row]]++;
    }
  }

  #flag(at: number, row: number, last: number, touchesFlag: TouchesFlag): void {
    const { returns, flagged } = this.events;
    for (const [place, steps] of this.#steps.entries()) {
      if (Number.isNaN(returns[place][at])) continue;
      flagged[place][at] = touchesFlag(row + 1, Math.min(row + steps, last)) ? 1 : 0;
    }
  }

  /** @returns the event's place in the columns. */
  #add(number: number, row: number, session: number, bars: SignalBars): number {
    const { events } = this;
    const { entry, horizons } = this.#question;
    this.#room(events.count);
    const at = events.add({ number, row, session });
    events.entered[at] = row + 1 < bars.close.length ? 1 : 0;
    for (const [place, horizon] of horizons.entries()) {
      events.returns[place][at] = signalReturn(bars, entry, horizon, row);
      events.early[place][at] = isEarly(bars, this.#steps[place], row) ? 1 : 0;
    }
    return at;
  }
}
