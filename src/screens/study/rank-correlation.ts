/** Rank correlation, and the ranks that it is made of. */

/** Returns ranks from 1 on; equal values have the mean of theirs. */
export function meanRanks(values: Float64Array): Float64Array {
  const order = new Uint32Array(values.length)
    .map((_, at) => at)
    .sort((a, b) => values[a] - values[b]);
  const ranks = new Float64Array(values.length);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && values[order[end]] === values[order[start]]) end++;
    for (let place = start; place < end; place++) ranks[order[place]] = (start + end + 1) / 2;
    start = end;
  }
  return ranks;
}

/** Returns Spearman's correlation; NaN for fewer than two values, or without variance. */
export function rankCorrelation(a: Float64Array, b: Float64Array): number {
  if (a.length < 2) return Number.NaN;
  const [x, y] = [meanRanks(a), meanRanks(b)];
  const center = (a.length + 1) / 2;
  let [both, ofX, ofY] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    both += (x[i] - center) * (y[i] - center);
    ofX += (x[i] - center) ** 2;
    ofY += (y[i] - center) ** 2;
  }
  return ofX > 0 && ofY > 0 ? both / Math.sqrt(ofX * ofY) : Number.NaN;
}
