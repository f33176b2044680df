/** Mann-Whitney U test: the chance that two sets of samples differ as much without a cause. */

/**
 * Returns the two-sided p-value, exact for samples without ties. A tie counts as half.
 *
 * The number of orders with a given U comes from the recursion of Mann and Whitney (1947), so both
 * sets may have any size; 64 samples each take 0.3 M additions.
 */
export function mannWhitney(a: readonly number[], b: readonly number[]): number {
  let u = 0;
  for (const x of a) for (const y of b) u += x > y ? 1 : x === y ? 0.5 : 0;
  const most = a.length * b.length;
  const extreme = Math.floor(Math.min(u, most - u));
  const counts = orderCounts(a.length, b.length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  let tail = 0;
  for (let i = 0; i <= extreme; i++) tail += counts[i];
  return Math.min(1, (2 * tail) / total);
}

/** Counts the orders of n and m samples by their U, from 0 to n × m. */
function orderCounts(n: number, m: number): Float64Array {
  // Coefficients of the Gaussian binomial: the product of (1 − q^(m+i)) / (1 − q^i), i to n.
  const counts = new Float64Array(n * m + 1);
  counts[0] = 1;
  for (let i = 1; i <= n; i++) {
    for (let u = counts.length - 1; u >= m + i; u--) counts[u] -= counts[u - m - i];
    for (let u = i; u < counts.length; u++) counts[u] += counts[u - i];
  }
  return counts;
}
