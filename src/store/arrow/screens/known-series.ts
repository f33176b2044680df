/** Daily series of a version with their facts, found once and then looked up for every past day. */

import { MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../../base/bars.ts';
import { sessionsBetween } from '../../../base/time/calendar.ts';
import type { Snapshot, StoredSeries, SymbolInfo } from '../snapshot/snapshot.ts';
import { inSteps } from './in-steps.ts';

const MICROS_PER_DAY = BigInt(MILLIS_PER_DAY * MICROS_PER_MILLI);

/** Timestamps of the newest bar up to a day, and of the bar after it. */
const two = new BigInt64Array(2);

/** Days between which sessions were counted last, and their number. */
let counted = { afterDay: 0, lastDay: 0, count: 0 };

export class KnownSeries {
  readonly info: SymbolInfo;
  readonly series: StoredSeries;
  readonly firstDay: number;
  readonly lastDay: number;
  /** Day that was looked up last, and its result. */
  #day = Number.NaN;
  #rowCount = 0;
  #barDay = Number.NaN;

  constructor(info: SymbolInfo, series: StoredSeries) {
    this.info = info;
    this.series = series;
    this.firstDay = dayOf(info.firstBarUs);
    this.lastDay = dayOf(info.lastBarUs);
  }

  /** Returns the number of bars up to a day. */
  rowsUpTo(day: number): number {
    this.#find(day);
    return this.#rowCount;
  }

  /** Returns the day of the newest bar up to a day; NaN without one. */
  barDayUpTo(day: number): number {
    this.#find(day);
    return this.#barDay;
  }

  #find(day: number): void {
    if (this.#day === day) return;
    this.#day = day;
    this.#rowCount = 0;
    this.#barDay = Number.NaN;
    if (day < this.firstDay) return;
    if (day >= this.lastDay) {
      this.#rowCount = this.series.rowCount;
      this.#barDay = this.lastDay;
      return;
    }
    // Most series have a bar a session.
    const guess = this.series.rowCount - sessionsAfter(day, this.lastDay);
    if (this.#take(guess, day)) return;
    this.#take(this.series.rowAt(BigInt(day + 1) * MICROS_PER_DAY), day);
  }

  /** Takes a number of rows if the last of them, and no row after them, is up to the day. */
  #take(rowCount: number, day: number): boolean {
    if (rowCount < 1 || rowCount >= this.series.rowCount) return false;
    this.series.copyTimestamps({ start: rowCount - 1, end: rowCount + 1 }, two);
    const barDay = dayOf(two[0]);
    if (barDay > day || dayOf(two[1]) <= day) return false;
    this.#rowCount = rowCount;
    this.#barDay = barDay;
    return true;
  }
}

function sessionsAfter(afterDay: number, lastDay: number): number {
  if (counted.afterDay !== afterDay || counted.lastDay !== lastDay) {
    const count = sessionsBetween(afterDay + 1, lastDay).length;
    counted = { afterDay, lastDay, count };
  }
  return counted.count;
}

/** Daily bars are stamped with their date at midnight. */
function dayOf(timestampUs: bigint): number {
  return Number(timestampUs / MICROS_PER_DAY);
}

/** By the symbols of a version, which versions share while their daily bars are the same. */
const knownBefore = new WeakMap<readonly string[], ReadonlyMap<string, KnownSeries>>();

/**
 * Returns the daily series of a version by symbol. Each takes some 2 KB while the version is in use,
 * half of it for dividends.
 */
export function* knownSeries(
  snapshot: Snapshot,
): Generator<undefined, ReadonlyMap<string, KnownSeries>> {
  const { symbols } = snapshot;
  const before = knownBefore.get(symbols);
  if (before) return before;
  const known = new Map<string, KnownSeries>();
  yield* inSteps(symbols, (symbol) => {
    const info = snapshot.symbol(symbol);
    const series = snapshot.series(symbol, '1d');
    if (info && series) known.set(symbol, new KnownSeries(info, series));
  });
  knownBefore.set(symbols, known);
  return known;
}
