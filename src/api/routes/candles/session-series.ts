/** Intraday bars of one symbol in other hours than regular ones: those of several stored series. */

import {
  type BarColumns,
  type Basis,
  barRows,
  blankBars,
  gatheredBars,
  joinedBars,
  MICROS_PER_MILLI,
  millisFromMicros,
} from '../../../base/bars.ts';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import {
  EXTENDED_INTRADAY,
  type ExtendedIntraday,
  type SessionChoice,
  STORED_INTRADAY,
} from '../../../base/time/intervals.ts';
import {
  hoursOfTradingDay,
  isChosen,
  tradingDay,
  tradingDayStartMs,
  tradingSpans,
} from '../../../base/time/trading-sessions.ts';
import { defaultBasis, derivableBases } from '../../../compute/bars/adjust.ts';
import { type AlignedSpan, resampleIntraday } from '../../../compute/bars/resample-intraday.ts';
import { type CopyOnBasis, copierOnBasis } from '../../../screens/run/bars-on-basis.ts';
import type { BarsSnapshot, SymbolInfo } from '../../../store/arrow/snapshot/snapshot.ts';
import type { TimeWindow } from '../../http/query-fields.ts';
import {
  type IntradayBase,
  IntradaySeries,
  intradayBase,
  rowsWithin,
  type SubdayInterval,
  type SubdaySeries,
} from './intraday-series.ts';
import { responseBasis } from './served-bars.ts';

/** Days of all minutes from 04:00 to 20:00 that are about `limits.bulk.intradayRows`. */
const DAYS_OF_PIECE = Math.floor(limits.bulk.intradayRows / (16 * 60));

export interface SeriesRequest {
  interval: SubdayInterval;
  /** Undefined: the default of the symbol. */
  adjustment: Basis | undefined;
  session?: SessionChoice;
}

/** Finds a symbol's intraday bars; undefined without any in the chosen sessions. */
export function subdaySeries(
  snapshot: BarsSnapshot,
  symbol: string,
  { interval, adjustment, session = 'regular' }: SeriesRequest,
): SubdaySeries | undefined {
  if (session !== 'regular') {
    const infos = seriesInfos(snapshot, symbol, interval, session);
    if (infos.length === 0) return undefined;
    const basis = commonBasis(infos, adjustment);
    return new SessionSeries(snapshot, symbol, { interval, adjustment: basis, session });
  }
  const base = intradayBase(snapshot, symbol, interval);
  return base && new IntradaySeries(snapshot, base, interval, adjustment);
}

/** Returns the facts about each stored series behind a symbol's intraday bars. */
export function seriesInfos(
  snapshot: BarsSnapshot,
  symbol: string,
  interval: SubdayInterval,
  session: SessionChoice = 'regular',
): SymbolInfo[] {
  const regular = intradayBase(snapshot, symbol, interval)?.info;
  const extended =
    session === 'regular'
      ? []
      : extendedIntervals(interval).map((stored) => snapshot.intraday(symbol, stored));
  return [regular, ...extended].filter((info) => info !== undefined);
}

/** Finds the stored bars behind the bar of a moment. */
export function baseOfBar(
  snapshot: BarsSnapshot,
  symbol: string,
  interval: SubdayInterval,
  startMs: number,
): IntradayBase | undefined {
  const day = tradingDay(startMs);
  const hours = hoursOfTradingDay(day).find(({ endMs }) => startMs < endMs);
  if (hours?.session === 'regular') return intradayBase(snapshot, symbol, interval);
  for (const [place, stored] of extendedIntervals(interval).entries()) {
    const info = snapshot.intraday(symbol, stored);
    const [start, end] = [startUs(day), startUs(day + 1)].map((us) =>
      snapshot.rowAt(symbol, stored, us),
    );
    if (info && end > start) return { interval: STORED_INTRADAY[place], info };
  }
  return undefined;
}

/** Returns the stored series outside of regular sessions, the finest first. */
function extendedIntervals(interval: SubdayInterval): readonly ExtendedIntraday[] {
  return interval === '1m' ? ['1m-extended'] : EXTENDED_INTRADAY;
}

/**
 * Chooses a basis that all series have: the requested one, or the default of the first.
 *
 * @throws {ParameterError} `adjustment` can't be derived, or `session`: they have none in common.
 */
function commonBasis(infos: readonly SymbolInfo[], requested: Basis | undefined): Basis {
  if (requested) for (const info of infos) responseBasis(info, requested);
  const found = requested ?? sharedBasis(infos);
  if (found) return found;
  const bases = infos.map(({ basis }) => basis).join(' and ');
  throw new ParameterError(
    'session',
    `session must be regular for ${infos[0].symbol}: its bars of other hours have another price ` +
      `basis (${bases})`,
  );
}

/** Returns the default basis of bars of several series; undefined if they have none in common. */
export function sharedBasis(infos: readonly SymbolInfo[]): Basis | undefined {
  const isShared = (basis: Basis) => infos.every((info) => derivableBases(info).includes(basis));
  const preferred = defaultBasis(infos[0]);
  return isShared(preferred) ? preferred : derivableBases(infos[0]).find(isShared);
}

interface StoredPart {
  interval: ExtendedIntraday;
  copy: CopyOnBasis;
}

/**
 * Bars of a symbol in order of time: regular ones, as `IntradaySeries` gives them, and those of the
 * other chosen sessions, each resampled from its own start. A trading day's five-minute bars count
 * only if it has no minutes.
 */
class SessionSeries implements SubdaySeries {
  readonly symbol: string;
  readonly adjustment: Basis;
  readonly #snapshot: BarsSnapshot;
  readonly #interval: SubdayInterval;
  readonly #session: SessionChoice;
  readonly #regular: IntradaySeries | undefined;
  readonly #parts: StoredPart[] = [];
  readonly #firstDay: number;
  readonly #lastDay: number;

  constructor(
    snapshot: BarsSnapshot,
    symbol: string,
    { interval, adjustment, session }: Required<SeriesRequest> & { adjustment: Basis },
  ) {
    this.symbol = symbol;
    this.adjustment = adjustment;
    this.#snapshot = snapshot;
    this.#interval = interval;
    this.#session = session;
    const base = intradayBase(snapshot, symbol, interval);
    if (base) this.#regular = new IntradaySeries(snapshot, base, interval, adjustment);
    for (const stored of extendedIntervals(interval)) {
      const info = snapshot.intraday(symbol, stored);
      if (!info) continue;
      const copy = copierOnBasis(snapshot, info, stored, adjustment);
      this.#parts.push({ interval: stored, copy });
    }
    const infos = seriesInfos(snapshot, symbol, interval, session);
    this.#firstDay = Math.min(...infos.map(({ firstBarUs }) => dayOf(firstBarUs)));
    this.#lastDay = Math.max(...infos.map(({ lastBarUs }) => dayOf(lastBarUs)));
  }

  within(window: TimeWindow): BarColumns {
    const regular = this.#regular?.within(window) ?? blankBars(0);
    const [first, last] = this.#daysOf(window);
    return mergedBars(regular, rowsWithin(this.#outside(first, last), window));
  }

  latest(rowsMax: number, window: TimeWindow): BarColumns {
    const regular = this.#regular?.latest(rowsMax, window) ?? blankBars(0);
    const [first, last] = this.#daysOf(window);
    let outside = blankBars(0);
    for (let days = 1; ; days *= 4) {
      const from = Math.max(first, last - days);
      outside = rowsWithin(this.#outside(from, last), window);
      if (outside.close.length >= rowsMax || from <= first) break;
    }
    const bars = mergedBars(regular, outside);
    return barRows(bars, Math.max(0, bars.close.length - rowsMax));
  }

  *counts(window: TimeWindow): Generator<{ rows: number; readRows: number }> {
    for (const { close } of this.pieces(window)) {
      yield { rows: close.length, readRows: Math.max(1, close.length) };
    }
  }

  *pieces(window: TimeWindow): Generator<BarColumns> {
    const [first, last] = this.#daysOf(window);
    for (let day = first; day <= last; day += DAYS_OF_PIECE) {
      const fromUs = later(startUs(day), window.fromUs);
      const toUs = earlier(startUs(day + DAYS_OF_PIECE) - 1n, window.toUs);
      yield this.within({ fromUs, toUs });
    }
  }

  /** Returns the first and last trading day of a window that may have bars. */
  #daysOf({ fromUs, toUs }: TimeWindow): [number, number] {
    return [
      fromUs === undefined ? this.#firstDay : Math.max(this.#firstDay, dayOf(fromUs)),
      toUs === undefined ? this.#lastDay : Math.min(this.#lastDay, dayOf(toUs)),
    ];
  }

  /** Returns the bars of trading days outside of regular sessions. */
  #outside(firstDay: number, lastDay: number): BarColumns {
    if (lastDay < firstDay) return blankBars(0);
    const [fine, coarse] = this.#parts.map((part) => this.#read(part, firstDay, lastDay));
    if (!fine || !coarse) return fine ?? blankBars(0);
    const known = new Set(millisFromMicros(fine.timestampUs).values().map(tradingDay));
    const times = millisFromMicros(coarse.timestampUs);
    const rows = Int32Array.from(times.keys()).filter((row) => !known.has(tradingDay(times[row])));
    return mergedBars(fine, gatheredBars(coarse, rows));
  }

  #read({ interval, copy }: StoredPart, firstDay: number, lastDay: number): BarColumns {
    const [start, end] = [startUs(firstDay), startUs(lastDay + 1)].map((us) =>
      this.#snapshot.rowAt(this.symbol, interval, us),
    );
    const bars = blankBars(end - start);
    copy({ start, end }, bars);
    const spans = (timestampMs: Float64Array) => this.#spansOf(timestampMs);
    const isStored = interval === `${this.#interval}-extended`;
    if (this.#interval !== '1m' && !isStored) return resampleIntraday(bars, this.#interval, spans);
    if (this.#session === 'all') return bars;
    const chosen = spans(millisFromMicros(bars.timestampUs)).flatMap((span) =>
      Array.from({ length: span.end - span.start }, (_, i) => span.start + i),
    );
    return gatheredBars(bars, Int32Array.from(chosen));
  }

  #spansOf(timestampMs: Float64Array): AlignedSpan[] {
    return [...tradingSpans(timestampMs)]
      .filter(({ session }) => isChosen(this.#session, session))
      .map(({ startMs, start, end }) => ({ openMs: startMs, start, end }));
  }
}

function dayOf(us: bigint): number {
  return tradingDay(Number(us) / MICROS_PER_MILLI);
}

function startUs(day: number): bigint {
  return BigInt(tradingDayStartMs(day)) * BigInt(MICROS_PER_MILLI);
}

function later(a: bigint, b: bigint | undefined): bigint {
  return b !== undefined && b > a ? b : a;
}

function earlier(a: bigint, b: bigint | undefined): bigint {
  return b !== undefined && b < a ? b : a;
}

/** Merges bars of different times into one order. */
function mergedBars(a: BarColumns, b: BarColumns): BarColumns {
  if (a.close.length === 0) return b;
  if (b.close.length === 0) return a;
  const [countA, countB] = [a.close.length, b.close.length];
  const order = new Int32Array(countA + countB);
  for (let row = 0, rowA = 0, rowB = 0; row < order.length; row++) {
    const isFromA = rowB === countB || (rowA < countA && a.timestampUs[rowA] < b.timestampUs[rowB]);
    order[row] = isFromA ? rowA++ : countA + rowB++;
  }
  return gatheredBars(joinedBars(a, b), order);
}
