/**
 * Number of tries of each fault: a few in CI, all with `FORM_OF_TESTS=long`, which is no setting of
 * the program, so that its processes may inherit it. The long form prints its numbers, which
 * `docs/faults.md` keeps.
 */

export const isLong = process.env.FORM_OF_TESTS === 'long';

/**
 * Returns this process's part of the cases of the long form. `PART_OF_TESTS=1/2` is the
 * second half, `3/16` a sample. All parts of one division together are the whole.
 */
export function ours<T>(all: readonly T[]): T[] {
  const [part, parts] = (process.env.PART_OF_TESTS ?? '0/1').split('/').map(Number);
  return all.filter((_, i) => i % parts === part);
}

export function scaled<T>(short: T, long: T): T {
  return isLong ? long : short;
}

/**
 * Tries one after the other. The long form says how far it is, and goes on after a failure, so that
 * hours of work end in a list of what failed.
 */
export async function each<T>(all: readonly T[], tryOne: (one: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const [i, one] of all.entries()) {
    try {
      await tryOne(one);
    } catch (error) {
      if (!isLong) throw error;
      failures.push(error);
      process.stdout.write(`FAILED ${(error as Error).message}\n`);
    }
    if (isLong && (i + 1) % 10 === 0) process.stdout.write(`${i + 1} of ${all.length}\n`);
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} failed`);
}

/** Beginning of the lines that `run-long.ts` reads from the output. */
export const TOLD = 'FAULTS ';

/** Tells a line of the table in `docs/faults.md`; a number named `… at most` is not added up. */
export function tell(fault: string, numbers: Record<string, number>): void {
  if (isLong) process.stdout.write(`${TOLD}${JSON.stringify([fault, numbers])}\n`);
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
