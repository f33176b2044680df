import { ParameterError } from '../../base/errors.ts';
import { decayAt } from './ema-decay.ts';
import { skipGaps } from './gaps.ts';
import { checkColumns, checkPeriod } from './kernel-arguments.ts';

export interface MacdColumns {
  /** Fast average minus slow average. */
  macd: Float64Array;
  /** Average of the line. */
  signal: Float64Array;
  /** Line minus signal. */
  histogram: Float64Array;
}

/** Index of the first value of the line. */
export function macdWarmup(slow: number): number {
  return slow - 1;
}

/** Index of the first value of signal and histogram. */
export function macdSignalWarmup(slow: number, signal: number): number {
  return slow + signal - 2;
}

/** What is wrong with two spans, if anything. */
export function macdConflict(fast: number, slow: number): string | undefined {
  return fast < slow ? undefined : `fast must be less than slow "${slow}", got "${fast}"`;
}

/**
 * Moving Average Convergence Divergence: EMA(fast) − EMA(slow), each seeded with the mean of its
 * own first closes; the signal is the EMA of that line, seeded with the mean of its first values.
 * Some libraries seed with the first close, or start the fast average late, and differ at first.
 *
 * A close that is not finite gives NaN at that bar; the next goes on as if it were absent. One
 * pass, no allocation.
 *
 * @param close  Closing prices in quote currency, oldest first; length n.
 * @param fast   Span of the fast average in bars; integer, 1 or more, less than `slow`.
 * @param slow   Span of the slow average in bars.
 * @param signal Span of the signal in bars; integer, 1 or more.
 * @param out    Three columns that receive n values each; none may be `close`.
 * @returns `out`; NaN before `macdWarmup` in the line and `macdSignalWarmup` in the others.
 * @throws {ParameterError} a span breaks its rule, or lengths differ.
 */
export function macd(
  close: Float64Array,
  fast: number,
  slow: number,
  signal: number,
  out: MacdColumns,
): MacdColumns {
  checkPeriod('MACD', 'fast', fast);
  checkPeriod('MACD', 'slow', slow);
  checkPeriod('MACD', 'signal', signal);
  const conflict = macdConflict(fast, slow);
  if (conflict) throw new ParameterError('fast', `MACD ${conflict}`);
  const columns = [out.macd, out.signal, out.histogram];
  checkColumns('MACD', close, ...columns);
  if (!macdOfFinite(close, fast, slow, signal, out)) {
    skipGaps(close, columns, (finite, [line, signalLine, histogram]) =>
      macdOfFinite(finite, fast, slow, signal, { macd: line, signal: signalLine, histogram }),
    );
  }
  return out;
}

/**
 * Both averages and the signal in lockstep. The averages are carried as their lags behind the
 * close, as in `ema`; the price level, which the line does not depend on, never enters it.
 *
 * @returns Whether all closes are finite; if not, `out` must be computed anew.
 */
function macdOfFinite(
  close: Float64Array,
  fast: number,
  slow: number,
  signal: number,
  out: MacdColumns,
): boolean {
  const { macd: lines, signal: signals, histogram: histograms } = out;
  const length = close.length;
  const lineWarmup = macdWarmup(slow);
  const signalWarmup = macdSignalWarmup(slow, signal);
  lines.fill(Number.NaN, 0, lineWarmup);
  signals.fill(Number.NaN, 0, signalWarmup);
  histograms.fill(Number.NaN, 0, signalWarmup);
  if (length <= lineWarmup) return true;

  let fastLag = 0;
  let slowLag = 0;
  let average = 0;
  let last = close[0];
  const seedEnd = Math.min(signalWarmup + 1, length);
  for (let i = 1; i < seedEnd; i++) {
    const change = close[i] - last;
    last = close[i];
    fastLag = (fastLag - change) * decayAt(i, fast);
    slowLag = (slowLag - change) * decayAt(i, slow);
    if (i < lineWarmup) continue;
    const line = fastLag - slowLag;
    const decay = decayAt(i - lineWarmup, signal);
    average = average * decay + line * (1 - decay);
    lines[i] = line;
  }
  if (length > signalWarmup) {
    signals[signalWarmup] = average;
    histograms[signalWarmup] = lines[signalWarmup] - average;
  }

  const fastDecay = decayAt(fast, fast);
  const slowDecay = decayAt(slow, slow);
  const decay = decayAt(signal, signal);
  const weight = 1 - decay;
  for (let i = seedEnd; i < length; i++) {
    const change = close[i] - last;
    last = close[i];
    fastLag = (fastLag - change) * fastDecay;
    slowLag = (slowLag - change) * slowDecay;
    const line = fastLag - slowLag;
    average = average * decay + line * weight;
    lines[i] = line;
    signals[i] = average;
    histograms[i] = line - average;
  }
  // A close that is not finite makes the lags NaN or infinite for good.
  return Number.isFinite(slowLag);
}
