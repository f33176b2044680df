/** Collects the signals of studies symbol by symbol, each with its returns. */

import type { RowRange } from '../../store/arrow/snapshot/snapshot.ts';
import { flagsOf, type TouchesFlag } from './flagged-rows.ts';
import { ReturnSums, type UniverseReturns } from './return-sums.ts';
import {
  type Entry,
  exitBars,
  isEarly,
  type SignalBars,
  signalReturn,
  splitsOf,
  takeReturns,
} from './signal-returns.ts';
import { type SignalRows, type StudyMode, takeSignals } from './signal-rows.ts';
import { EARLY, FLAGGED, type StudyBatch, StudyEvents } from './study-events.ts';
import { daysBetween, type StudyMarket } from './study-market.ts';

/** A symbol has ended if its last bar is older than the newest of all by more sessions than these. */
const ENDED_SESSIONS = 5;

/** Columns of which returns are made. */
const PRICES = ['open', 'close'] as const;

/** Part of a study that decides returns, whatever the signals are. */
export interface SignalQuestion {
  entry: Entry;
  /** Sessions of the symbol, each horizon alone. */
  horizons: readonly number[];
  /** Days of signals, inclusive. */
  fromDay: number;
  toDay: number;
}

export class SignalRun {
  readonly events: StudyEvents;
  /** Rows of the symbol in the days of the studies. */
  rows: RowRange = { start: 0, end: 0 };
  readonly #market: StudyMarket;
  readonly #question: SignalQuestion;
  readonly #steps: readonly number[];
  readonly #batches: readonly StudyBatch[];
  #number = -1;
  #sessions: Int32Array = new Int32Array(0);
  #bars: SignalBars | undefined;
  #touchesFlag: TouchesFlag | undefined;
  #flagsNumber = -1;
  /** By row of the symbol, its event; −1 for none. */
  readonly #eventOf: Int32Array;
  /** False if all of these are still of another symbol. */
  #hasEvents = false;
  /** Memory for rows of the symbol. */
  readonly #found: SignalRows;
  /** Sums of universes, and the memory of a symbol's prices. */
  readonly #sums: ReturnSums;

  constructor(
    market: StudyMarket,
    question: SignalQuestion,
    { batches, universes }: { batches: readonly StudyBatch[]; universes: number },
  ) {
    const { horizons, entry } = question;
    // Conditions read closes too, so these come first where not all fits.
    if (horizons.length > 0) market.columns.begin(PRICES.toReversed());
    const rows = market.series.ends[market.order.at(-1) ?? 0] ?? 0;
    this.#found = { rows: new Int32Array(rows), masks: new Uint16Array(rows) };
    this.#eventOf = new Int32Array(rows);
    this.#sums = new ReturnSums({ sessions: market.sessions.length, rows, universes }, question);
    this.#market = market;
    this.#question = question;
    this.#steps = horizons.map((horizon) => exitBars(entry, horizon));
    this.#batches = batches;
    this.events = new StudyEvents(horizons.length);
  }

  /** Returns the sessions of the studies' days, and of the bar before them of each symbol. */
  sessionsRead(numbers: Int32Array): Set<number> {
    const { fromDay, toDay } = this.#question;
    const read = new Set<number>();
    for (const [session, day] of this.#market.sessions.entries()) {
      if (day >= fromDay && day <= toDay) read.add(session);
    }
    for (const number of numbers) {
      const start = this.#market.days.rowOf(number, fromDay);
      if (start > 0) read.add(this.#market.sessionsOf(number)[start - 1]);
    }
    return read;
  }

  /** Goes on with a symbol. */
  begin(number: number): void {
    const { fromDay, toDay } = this.#question;
    const { days } = this.#market;
    this.rows = { start: days.rowOf(number, fromDay), end: days.rowOf(number, toDay + 1) };
    this.#number = number;
    this.#bars = undefined;
    this.#hasEvents = false;
  }

  /** Adds the symbol's part of the returns of a universe, by the bits of the rows in it. */
  addReturns(universe: number, isMember: Uint32Array): void {
    this.#sums.add(universe, this.#read(), this.#sessions, this.rows, isMember);
  }

  /** Adds all rows of the symbol, whatever the days of the studies, to the returns of a universe. */
  addAllReturns(universe: number): void {
    const all = { start: 0, end: this.#market.series.ends[this.#number] };
    this.#sums.add(universe, this.#read(), this.#sessions, all, undefined);
  }

  /** Returns the returns of a universe, by horizon. */
  returnsOf(universe: number): UniverseReturns[] {
    return this.#sums.returnsOf(universe);
  }

  /**
   * Puts the returns of rows of the symbol into a column for each horizon; −1 is no row.
   *
   * @param places As of `takeReturns`.
   */
  takeReturns(
    rows: Int32Array,
    places: { from: number; step: number },
    out: readonly Float64Array[],
  ): void {
    const { entry, horizons } = this.#question;
    const bars = this.#read();
    for (let place = 0; place < horizons.length; place++) {
      takeReturns(bars, { entry, horizon: horizons[place] }, rows, places, out[place]);
    }
  }

  /**
   * Adds the signals of the symbol to those of a batch, as `takeSignals` finds them.
   *
   * @returns how many they are.
   */
  add(
    batch: number,
    conditions: Parameters<typeof takeSignals>[0],
    isMember: Uint32Array | undefined,
    mode: StudyMode,
  ): number {
    const { rows } = this.#found;
    const count = takeSignals(conditions, isMember, this.rows, mode, this.#found);
    if (count === 0) return 0;
    const eventOf = this.#eventOf;
    if (!this.#hasEvents) eventOf.fill(-1, 0, this.#market.series.ends[this.#number]);
    this.#hasEvents = true;
    for (let i = 0; i < count; i++) {
      const row = rows[i];
      if (eventOf[row] < 0) eventOf[row] = this.#addEvent(row);
    }
    this.#batches[batch].addRows(this.#found, count, eventOf);
    return count;
  }

  /** Returns the rows of the signals that were added last. */
  lastRows(count: number): Int32Array {
    return this.#found.rows.subarray(0, count);
  }

  /** Returns the bytes of all events. @param more Those of an event in other places. */
  bytes(more: number): number {
    const bytes = StudyEvents.bytesOf(this.#question.horizons.length) + more;
    return this.#batches.reduce((sum, batch) => sum + batch.bytes, this.events.count * bytes);
  }

  #read(): SignalBars {
    if (this.#bars) return this.#bars;
    const { series, sessions } = this.#market;
    const number = this.#number;
    const end = series.ends[number];
    this.#sessions = this.#market.sessionsOf(number);
    const isEnded =
      daysBetween(this.#market, this.#sessions[end - 1], sessions.length) > ENDED_SESSIONS;
    this.#bars = { ...this.#pricesOf(number, end), isEnded };
    if (this.#question.horizons.length > 0) {
      this.#bars.splits = splitsOf(series.stepsOf(number), end);
    }
    return this.#bars;
  }

  #pricesOf(number: number, end: number): Pick<SignalBars, 'open' | 'close'> {
    const { columns, series } = this.#market;
    const [open, close] = PRICES.map((name) => columns.of(number, name));
    if (open && close) return { open, close };
    const own = [this.#sums.open.subarray(0, end), this.#sums.close.subarray(0, end)];
    if (this.#question.horizons.length > 0) {
      series.copyStored(number, PRICES, { start: 0, end }, own);
    }
    return { open: own[0], close: own[1] };
  }

  #addEvent(row: number): number {
    const bars = this.#read();
    const { events } = this;
    const { entry, horizons } = this.#question;
    const at = events.add(this.#number, row, this.#sessions[row]);
    const last = bars.close.length - 1;
    const touchesFlag = horizons.length > 0 ? this.#flags(bars) : undefined;
    events.entered[at] = row < last ? 1 : 0;
    // Entries of an array would be an object for each event and horizon.
    for (let place = 0; place < horizons.length; place++) {
      const steps = this.#steps[place];
      const value = signalReturn(bars, entry, horizons[place], row);
      events.returns[place][at] = value;
      let marks = isEarly(bars, steps, row) ? EARLY : 0;
      const exit = Math.min(row + steps, last);
      if (touchesFlag && !Number.isNaN(value) && touchesFlag(row + 1, exit)) marks |= FLAGGED;
      events.marks[place][at] = marks;
    }
    return at;
  }

  #flags({ close }: SignalBars): TouchesFlag | undefined {
    if (this.#flagsNumber !== this.#number) {
      this.#touchesFlag = flagsOf(this.#market, this.#number, close);
      this.#flagsNumber = this.#number;
    }
    return this.#touchesFlag;
  }
}
