/** EMA, RSI and MACD over a whole history for the state alone: what publishing everything needs. */

import { decayAt } from './ema-decay.ts';
import {
  advanceOne,
  COUNT,
  EMA_LAG,
  FAST_LAG,
  GROSS,
  LAST,
  NET,
  type RecursiveColumns,
  type RecursiveParams,
  SIGNAL,
  SLOW_LAG,
  steadyCountOf,
  wilderDecay,
} from './incremental-recursive.ts';
import { HELD_BELOW } from './rsi.ts';

/**
 * Takes a whole history into a row that is all zeros, without the values: a third of the time.
 *
 * @param row Where the state row begins.
 */
export function seedRecursions(
  rows: Float64Array,
  row: number,
  history: Float64Array,
  params: RecursiveParams,
): void {
  const value = () => new Float64Array(1);
  const unused: RecursiveColumns = {
    ema: value(),
    rsi: value(),
    macd: value(),
    macd_signal: value(),
    macd_histogram: value(),
  };
  for (let bar = 0; ; bar++) {
    bar = seedWhileSteady(rows, row, history, params, bar);
    if (bar === history.length) return;
    advanceOne(rows, row, history[bar], params, unused, 0);
  }
}

/**
 * The loop of `advanceWhileSteady` for one symbol, whose state stays in registers.
 *
 * @returns The first bar from `start` on that is not plain, or the number of bars.
 */
function seedWhileSteady(
  rows: Float64Array,
  row: number,
  history: Float64Array,
  { ema, rsi, macd }: RecursiveParams,
  start: number,
): number {
  if (rows[row + COUNT] < steadyCountOf({ ema, rsi, macd })) return start;
  const emaDecay = decayAt(ema.period, ema.period);
  const rsiDecay = wilderDecay(rsi.period);
  const fastDecay = decayAt(macd.fast, macd.fast);
  const slowDecay = decayAt(macd.slow, macd.slow);
  const signalDecay = decayAt(macd.signal, macd.signal);
  const signalWeight = 1 - signalDecay;
  let last = rows[row + LAST];
  let emaLag = rows[row + EMA_LAG];
  let fastLag = rows[row + FAST_LAG];
  let slowLag = rows[row + SLOW_LAG];
  let average = rows[row + SIGNAL];
  let gross = rows[row + GROSS];
  let net = rows[row + NET];
  let bar = start;
  for (; bar < history.length; bar++) {
    const close = history[bar];
    const change = close - last;
    const nextGross = gross * rsiDecay + Math.abs(change);
    if (!(nextGross >= HELD_BELOW && nextGross < Number.POSITIVE_INFINITY)) break;
    gross = nextGross;
    net = net * rsiDecay + change;
    emaLag = (emaLag - change) * emaDecay;
    fastLag = (fastLag - change) * fastDecay;
    slowLag = (slowLag - change) * slowDecay;
    average = average * signalDecay + (fastLag - slowLag) * signalWeight;
    last = close;
  }
  rows[row + LAST] = last;
  rows[row + EMA_LAG] = emaLag;
  rows[row + FAST_LAG] = fastLag;
  rows[row + SLOW_LAG] = slowLag;
  rows[row + SIGNAL] = average;
  rows[row + GROSS] = gross;
  rows[row + NET] = net;
  return bar;
}
