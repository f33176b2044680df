/** 1846096 → `1,846,096`. By hand: the first `Intl.NumberFormat` of a process takes 28 ms. */
export function countText(count: number): string {
  if (!Number.isSafeInteger(count)) return count.toLocaleString('en-US');
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
