/** Random numbers of the seed. */

import { simulation } from '../simulation.ts';

export function randomFraction(): number {
  return simulation().chance.next();
}

export function randomBytes(count: number): Buffer {
  return simulation().chance.bytes(count);
}

export function randomInt(end: number): number {
  return simulation().chance.below(end);
}

export function randomUUID(): string {
  const hex = randomBytes(16).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
