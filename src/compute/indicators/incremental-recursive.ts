/**
 * EMA, RSI and MACD bar by bar: the recursions of their kernels, carried from call to call.
 *
 * The three go on from the same last close, so they share a loop: apart they would take half as
 * long again.
 */

import { emaWarmup } from './ema.ts';
import { decayAt } from './ema-decay.ts';
import type { NewBars, StateRows } from './incremental-state.ts';
import type { IndicatorParams } from './indicator-spec.ts';
import { macdSignalWarmup, macdWarmup } from './macd.ts';
import { HELD_BELOW, rsiWarmup } from './rsi.ts';

/** Fields of a state row. */
export const COUNT = 0; // finite closes, counted until the warm-ups are over
export const LAST = 1; // the last of them
export const EMA_LAG = 2; // average minus close, as in the kernels, here and below
export const FAST_LAG = 3;
export const SLOW_LAG = 4;
export const SIGNAL = 5;
export const GROSS = 6; // of RSI: sum of sizes of change, and of changes
export const NET = 7;

/** How many fields of a state row belong to the recursions. All are 0 before the first bar. */
export const RECURSIVE_FIELDS = 8;

export type RecursiveParams = Readonly<Record<'ema' | 'rsi' | 'macd', IndicatorParams>>;

export interface RecursiveColumns {
  ema: Float64Array;
  rsi: Float64Array;
  macd: Float64Array;
  macd_signal: Float64Array;
  macd_histogram: Float64Array;
}

/**
 * Takes bars into the state and gives their values, one per entry.
 *
 * @returns Whether all closes are finite.
 */
export function advanceRecursions(
  state: StateRows,
  bars: NewBars,
  params: RecursiveParams,
  out: RecursiveColumns,
): boolean {
  let allFinite = true;
  let entry = 0;
  for (;;) {
    entry = advanceWhileSteady(state, bars, params, out, entry);
    if (entry === bars.closes.length) return allFinite;
    const close = bars.closes[entry];
    if (!Number.isFinite(close)) allFinite = false;
    advanceOne(state.rows, bars.symbols[entry] * state.rowLength, close, params, out, entry);
    entry++;
  }
}

/**
 * The plain loop for symbols past their warm-up. Leaving it for the others, instead of calling
 * from inside, keeps it free of checks that the compiler repeats after a call.
 *
 * @returns The first entry that is not plain and was not touched, or the number of entries.
 */
function advanceWhileSteady(
  { rows, rowLength }: StateRows,
  { symbols, closes }: NewBars,
  params: RecursiveParams,
  out: RecursiveColumns,
  start: number,
): number {
  const { fast, slow, signal } = params.macd;
  const steadyCount = steadyCountOf(params);
  const emaDecay = decayAt(params.ema.period, params.ema.period);
  const rsiDecay = wilderDecay(params.rsi.period);
  const fastDecay = decayAt(fast, fast);
  const slowDecay = decayAt(slow, slow);
  const signalDecay = decayAt(signal, signal);
  const signalWeight = 1 - signalDecay;
  const { ema, rsi, macd: line, macd_signal: signals, macd_histogram: histogram } = out;
  const entryCount = Math.min(closes.length, symbols.length);
  for (let entry = start; entry < entryCount; entry++) {
    const row = symbols[entry] * rowLength;
    const close = closes[entry];
    const change = close - rows[row + LAST];
    const gross = rows[row + GROSS] * rsiDecay + Math.abs(change);
    // The sum is NaN or infinite where the close is.
    const isPlain = gross >= HELD_BELOW && gross < Number.POSITIVE_INFINITY;
    if (!isPlain || rows[row + COUNT] < steadyCount) return entry;
    const net = rows[row + NET] * rsiDecay + change;
    const emaLag = (rows[row + EMA_LAG] - change) * emaDecay;
    const fastLag = (rows[row + FAST_LAG] - change) * fastDecay;
    const slowLag = (rows[row + SLOW_LAG] - change) * slowDecay;
    const difference = fastLag - slowLag;
    const average = rows[row + SIGNAL] * signalDecay + difference * signalWeight;
    rows[row + LAST] = close;
    rows[row + EMA_LAG] = emaLag;
    rows[row + FAST_LAG] = fastLag;
    rows[row + SLOW_LAG] = slowLag;
    rows[row + SIGNAL] = average;
    rows[row + GROSS] = gross;
    rows[row + NET] = net;
    ema[entry] = close + emaLag;
    rsi[entry] = 50 + 50 * (net / gross);
    line[entry] = difference;
    signals[entry] = average;
    histogram[entry] = difference - average;
  }
  return entryCount;
}

/** From so many finite closes on no average is being seeded. */
export function steadyCountOf({ ema, rsi, macd }: RecursiveParams): number {
  const { slow, signal } = macd;
  return 1 + Math.max(emaWarmup(ema.period), rsiWarmup(rsi.period), macdSignalWarmup(slow, signal));
}

/** Any bar: warming up, flat for thousands of bars, or without a finite close. */
export function advanceOne(
  rows: Float64Array,
  row: number,
  close: number,
  params: RecursiveParams,
  out: RecursiveColumns,
  entry: number,
): void {
  out.ema[entry] = Number.NaN;
  out.rsi[entry] = Number.NaN;
  out.macd[entry] = Number.NaN;
  out.macd_signal[entry] = Number.NaN;
  out.macd_histogram[entry] = Number.NaN;
  if (!Number.isFinite(close)) return;

  const index = rows[row + COUNT]++;
  const change = index === 0 ? 0 : close - rows[row + LAST];
  rows[row + LAST] = close;

  const { ema, rsi } = params;
  rows[row + EMA_LAG] = (rows[row + EMA_LAG] - change) * decayAt(index, ema.period);
  if (index >= emaWarmup(ema.period)) out.ema[entry] = close + rows[row + EMA_LAG];

  const { gross, net } = changesAfter(rows, row, index, change, rsi.period);
  rows[row + GROSS] = gross;
  rows[row + NET] = net;
  out.rsi[entry] = rsiOf(gross, net, index, rsi.period);
  advanceMacd(rows, row, index, change, params.macd, out, entry);
}

/** The RSI's sums with one more change; long flat, they hold what they have. */
function changesAfter(
  rows: Float64Array,
  row: number,
  index: number,
  change: number,
  period: number,
): { gross: number; net: number } {
  const isSeed = index <= rsiWarmup(period);
  const decay = isSeed ? 1 : wilderDecay(period);
  const gross = rows[row + GROSS] * decay + Math.abs(change);
  if (!isSeed && gross < HELD_BELOW) return { gross: rows[row + GROSS], net: rows[row + NET] };
  return { gross, net: rows[row + NET] * decay + change };
}

function rsiOf(gross: number, net: number, index: number, period: number): number {
  const isDefined = index >= rsiWarmup(period) && gross > 0;
  return isDefined ? 50 + 50 * (net / gross) : Number.NaN;
}

/**
 * The RSI that a finite close would give, without taking it into the state.
 *
 * @param row Where the state row begins.
 */
export function previewedRsi(
  rows: Float64Array,
  row: number,
  close: number,
  period: number,
): number {
  // The count stops to matter, but not to rise, once the warm-ups are over.
  const index = rows[row + COUNT];
  const change = index === 0 ? 0 : close - rows[row + LAST];
  const { gross, net } = changesAfter(rows, row, index, change, period);
  return rsiOf(gross, net, index, period);
}

function advanceMacd(
  rows: Float64Array,
  row: number,
  index: number,
  change: number,
  { fast, slow, signal }: RecursiveParams['macd'],
  out: RecursiveColumns,
  entry: number,
): void {
  rows[row + FAST_LAG] = (rows[row + FAST_LAG] - change) * decayAt(index, fast);
  rows[row + SLOW_LAG] = (rows[row + SLOW_LAG] - change) * decayAt(index, slow);
  const lineIndex = index - macdWarmup(slow);
  if (lineIndex < 0) return;
  const line = rows[row + FAST_LAG] - rows[row + SLOW_LAG];
  const decay = decayAt(lineIndex, signal);
  const average = rows[row + SIGNAL] * decay + line * (1 - decay);
  rows[row + SIGNAL] = average;
  out.macd[entry] = line;
  if (index < macdSignalWarmup(slow, signal)) return;
  out.macd_signal[entry] = average;
  out.macd_histogram[entry] = line - average;
}

export function wilderDecay(period: number): number {
  return (period - 1) / period;
}
