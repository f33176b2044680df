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
const COUNT = 0; // finite closes, counted until the warm-ups are over
const LAST = 1; // the last of them
const EMA_LAG = 2; // average minus close, as in the kernels, here and below
const FAST_LAG = 3;
const SLOW_LAG = 4;
const SIGNAL = 5;
const GROSS = 6; // of RSI: sum of sizes of change, and of changes
const NET = 7;

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
  const steadyCount =
    1 +
    Math.max(
      emaWarmup(params.ema.period),
      rsiWarmup(params.rsi.period),
      macdSignalWarmup(slow, signal),
    );
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

/** Any bar: warming up, flat for thousands of bars, or without a finite close. */
function advanceOne(
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

  const isSeed = index <= rsiWarmup(rsi.period);
  const rsiDecay = isSeed ? 1 : wilderDecay(rsi.period);
  const gross = rows[row + GROSS] * rsiDecay + Math.abs(change);
  if (isSeed || !(gross < HELD_BELOW)) {
    rows[row + NET] = rows[row + NET] * rsiDecay + change;
    rows[row + GROSS] = gross;
  }
  if (index >= rsiWarmup(rsi.period) && rows[row + GROSS] > 0) {
    out.rsi[entry] = 50 + 50 * (rows[row + NET] / rows[row + GROSS]);
  }
  advanceMacd(rows, row, index, change, params.macd, out, entry);
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

function wilderDecay(period: number): number {
  return (period - 1) / period;
}
