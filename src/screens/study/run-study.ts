/** Runs a study: finds the events of a condition over all days, and their returns. */

import type { SymbolValues } from '../../base/symbol-expression.ts';
import { LANES } from '../../compute/columns/layout.ts';
import type { RowRange, Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import type { ScreenPlan } from '../plan/screen-plan.ts';
import { PastPlan, truthOf } from './past-plan.ts';
import { type Entry, exitBars, isEarly, type SignalBars, signalReturns } from './signal-returns.ts';
import { StudyEvents } from './study-events.ts';
import { rowOfDay, type StudyMarket } from './study-market.ts';
import type { UniverseReturns } from './study-summary.ts';

/** A symbol has ended if its last bar is older than the newest of all by more sessions than these. */
const ENDED_SESSIONS = 5;

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
  taken: (rows: readonly number[], values: SymbolValues) => void = () => {},
): Generator<undefined, StudyRun> {
  const run = new SignalRun(market, question, room);
  const where = new PastPlan(snapshot, market, question.where);
  const universe = question.universe && new PastPlan(snapshot, market, question.universe);
  const order = question.symbols ?? market.order;
  const sessions = () => run.sessionsRead(order);
  yield* where.prepare(market, sessions);
  if (universe) yield* universe.prepare(market, sessions);
  for (let at = 0; at < order.length; at += LANES) {
    const numbers = order.subarray(at, at + LANES);
    const values = where.of(numbers);
    const members = universe?.of(numbers);
    for (const [i, number] of numbers.entries()) {
      const truth = truthOf(question.where.conditions, values[i]);
      const isMember = members && truthOf(question.universe!.conditions, members[i]);
      const rows = signalsOf(truth, isMember, run.rowsOf(number), question.mode);
      run.take(number, rows, isMember);
      taken(rows, values[i]);
    }
    yield;
  }
  return { events: run.events, universe: run.universe };
}

function signalsOf(
  truth: Uint8Array,
  isMember: Uint8Array | undefined,
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
  readonly universe: UniverseReturns[];
  readonly #market: StudyMarket;
  readonly #question: SignalQuestion;
  readonly #room: (count: number) => void;
  readonly #steps: readonly number[];

  constructor(market: StudyMarket, question: SignalQuestion, room: (count: number) => void) {
    const { horizons, entry } = question;
    this.#market = market;
    this.#question = question;
    this.#room = room;
    this.#steps = horizons.map((horizon) => exitBars(entry, horizon));
    this.events = new StudyEvents(horizons.length);
    this.universe = horizons.map(() => ({
      sums: new Float64Array(market.sessions.length),
      counts: new Float64Array(market.sessions.length),
    }));
  }

  /** Returns the rows of a symbol in the study's days. */
  rowsOf(number: number): RowRange {
    const { fromDay, toDay } = this.#question;
    const { sessions } = this.#market;
    const own = this.#market.sessionsOf(number);
    return { start: rowOfDay(sessions, own, fromDay), end: rowOfDay(sessions, own, toDay + 1) };
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
  take(number: number, signals: readonly number[], isMember: Uint8Array | undefined): void {
    const { entry, horizons } = this.#question;
    if (horizons.length === 0 && signals.length === 0) return;
    const { start, end } = this.rowsOf(number);
    const sessions = this.#market.sessionsOf(number);
    const bars = this.#bars(number, sessions);
    const returns = horizons.map((horizon, place) => {
      const values = new Float64Array(sessions.length);
      signalReturns(bars, entry, horizon, values);
      this.#addToUniverse(place, values, sessions.subarray(0, end), start, isMember);
      return values;
    });
    for (const row of signals) this.#add(number, row, sessions[row], bars, returns);
  }

  #bars(number: number, sessions: Int32Array): SignalBars {
    const { series } = this.#market;
    const end = sessions.length;
    const [open, close] = [new Float64Array(end), new Float64Array(end)];
    if (this.#question.horizons.length > 0) {
      series.copy(number, ['open', 'close'], { start: 0, end }, [open, close]);
    }
    const isEnded = this.#market.sessions.length - 1 - sessions[end - 1] > ENDED_SESSIONS;
    return { open, close, isEnded };
  }

  #addToUniverse(
    place: number,
    returns: Float64Array,
    sessions: Int32Array,
    first: number,
    isMember: Uint8Array | undefined,
  ): void {
    const { sums, counts } = this.universe[place];
    for (let row = first; row < sessions.length; row++) {
      const value = returns[row];
      if (Number.isNaN(value) || (isMember && isMember[row] !== 1)) continue;
      sums[sessions[row]] += value;
      counts[sessions[row]]++;
    }
  }

  #add(
    number: number,
    row: number,
    session: number,
    bars: SignalBars,
    returns: readonly Float64Array[],
  ): void {
    const { events } = this;
    this.#room(events.count);
    const at = events.add({ number, row, session });
    events.entered[at] = row + 1 < bars.close.length ? 1 : 0;
    for (const [place, values] of returns.entries()) {
      events.returns[place][at] = values[row];
      events.early[place][at] = isEarly(bars, this.#steps[place], row) ? 1 : 0;
    }
  }
}
