/** Rows of bars: views of a part, and two parts as one. */

import type { BarColumns } from '../src/bars.ts';

/** The rows from `firstRow` on, as views. */
export function barsFrom(bars: BarColumns, firstRow: number): BarColumns {
  return {
    timestampUs: bars.timestampUs.subarray(firstRow),
    open: bars.open.subarray(firstRow),
    high: bars.high.subarray(firstRow),
    low: bars.low.subarray(firstRow),
    close: bars.close.subarray(firstRow),
    volume: bars.volume.subarray(firstRow),
  };
}

/** Copies of both, the second after the first. */
export function joinedBars(a: BarColumns, b: BarColumns): BarColumns {
  const timestampUs = new BigInt64Array(a.timestampUs.length + b.timestampUs.length);
  timestampUs.set(a.timestampUs);
  timestampUs.set(b.timestampUs, a.timestampUs.length);
  return {
    timestampUs,
    open: joined(a.open, b.open),
    high: joined(a.high, b.high),
    low: joined(a.low, b.low),
    close: joined(a.close, b.close),
    volume: joined(a.volume, b.volume),
  };
}

function joined(a: Float64Array, b: Float64Array): Float64Array {
  const out = new Float64Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}
