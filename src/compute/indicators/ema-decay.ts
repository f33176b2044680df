/**
 * What is left of an average when its next value comes in: a plain mean while it is seeded, the
 * exponential weight from then on.
 *
 * @param index The value's own number, from 0.
 */
export function decayAt(index: number, period: number): number {
  return index < period ? index / (index + 1) : (period - 1) / (period + 1);
}
