/** Random numbers, keys and ids. */
export { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** Returns a number from 0 up to 1, not for secrets. */
export function randomFraction(): number {
  return Math.random();
}
