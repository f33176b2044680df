/** Points of a run by name, since their order differs from run to run: files are written at once. */

import type { Failpoint } from '../../../src/base/failpoints.ts';

/** Says of each step which one it is: its text and how often that was met, like `fsync folder@2`. */
export function createPlaces(): (name: Failpoint, what: string) => string {
  const counts = new Map<string, number>();
  return (name, what) => {
    const text = `${name} ${what}`.trim();
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return `${text}@${count}`;
  };
}

/** Notes of who is at work are written as often as the store is opened, which depends on the time. */
export function isCertain(place: string): boolean {
  return !/^\w+ note\b/.test(place);
}
