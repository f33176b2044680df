/**
 * How often each fault is tried: a few times in CI, all of it with `TAPEWORKS_FAULTS=long`. The
 * long form says its numbers, which are kept in `docs/faults.md`.
 */

export const isLong = process.env.TAPEWORKS_FAULTS === 'long';

/** A day for the long form; a short one on a busy machine. */
export const TIMEOUT_MS = isLong ? 86_400_000 : 300_000;

export function scaled(short: number, long: number): number {
  return isLong ? long : short;
}

/** Tells a line of the table in `docs/faults.md`. */
export function tell(fault: string, numbers: Record<string, number>): void {
  if (!isLong) return;
  const text = Object.entries(numbers).map(([name, value]) => `${value} ${name}`);
  process.stdout.write(`${fault}: ${text.join(', ')}\n`);
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
