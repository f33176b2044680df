/**
 * Bars whose close is not a finite number. They are rare, so kernels run their plain loop first,
 * learn from its last state whether a gap was met, and only then come here. On finite columns
 * nothing of this runs; on the others the same loops do the arithmetic, so the bits agree.
 */

/**
 * Runs a recursive kernel as if bars without a finite close were absent: they receive NaN and
 * the next bar goes on from the last finite close.
 *
 * @param outs   Receive the results; same length as `close`.
 * @param kernel Called once, with the finite closes alone and with columns of their length.
 */
export function skipGaps(
  close: Float64Array,
  outs: readonly Float64Array[],
  kernel: (finite: Float64Array, finiteOuts: Float64Array[]) => void,
): void {
  const finite = close.filter(Number.isFinite);
  const finiteOuts = outs.map(() => new Float64Array(finite.length));
  kernel(finite, finiteOuts);
  for (let column = 0; column < outs.length; column++) {
    const source = finiteOuts[column];
    const out = outs[column];
    let taken = 0;
    for (let i = 0; i < close.length; i++) {
      out[i] = Number.isFinite(close[i]) ? source[taken++] : Number.NaN;
    }
  }
}

/**
 * Copy of a column in which infinities are NaN. Window kernels need it: NaN makes every window
 * that holds it NaN, while an infinity would give an infinite mean.
 */
export function withoutInfinities(close: Float64Array): Float64Array {
  return close.map((value) => (Number.isFinite(value) ? value : Number.NaN));
}
