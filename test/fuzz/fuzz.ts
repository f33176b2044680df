/**
 * Runs random cases by their seeds: the same few in CI, new ones in the long form. A seed that fails
 * is shrunk, and the message has both. `FUZZ_SEED=17 FUZZ_COUNT=1` runs one again; `FUZZ_MINUTES`
 * bounds the time.
 */

import fc from 'fast-check';
import { isLong, tell } from '../faults/scale.ts';

const { FUZZ_SEED, FUZZ_COUNT, FUZZ_MINUTES } = process.env;

/** Failures after which a run ends: others are likely of the same kinds. */
const FAILURES_MAX = Number(process.env.FUZZ_FAILURES ?? 5);

/**
 * @param holds Throws if the case violates what it must hold. A text that it returns
 * counts the outcome of the case, for the line that the long form tells.
 * @param counts Number of seeds in CI and in the long form.
 */
export async function fuzz<T>(
  name: string,
  cases: fc.Arbitrary<T>,
  holds: (one: T) => Promise<unknown>,
  [short, long]: readonly [short: number, long: number],
): Promise<void> {
  const first = Number(FUZZ_SEED ?? (isLong ? Math.floor(Date.now() / 1000) : 1));
  const count = Number(FUZZ_COUNT ?? (isLong ? long : short));
  const endMs = FUZZ_MINUTES
    ? Date.now() + Number(FUZZ_MINUTES) * 60_000
    : Number.POSITIVE_INFINITY;
  const outcomes: Record<string, number> = { seeds: 0 };
  const failures: string[] = [];
  for (let seed = first; seed < first + count && Date.now() < endMs; seed++) {
    let isShrinking = false;
    const property = fc.asyncProperty(cases, async (one) => {
      const outcome = await holds(one).catch((error) => {
        isShrinking = true;
        throw error;
      });
      if (typeof outcome === 'string' && !isShrinking) {
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      }
    });
    const details = await fc.check(property, { seed, numRuns: 1 });
    outcomes.seeds++;
    if (!details.failed) continue;
    failures.push(messageOf(seed, details));
    if (isLong) process.stdout.write(`FAILED ${failures.at(-1)}\n`);
    if (failures.length >= FAILURES_MAX) break;
  }
  tell(name, outcomes);
  if (failures.length > 0) throw new Error(`${name}:\n${failures.join('\n\n')}`);
}

function messageOf<T>(seed: number, { counterexample, errorInstance }: fc.RunDetails<[T]>): string {
  const reason = (errorInstance as Error | null)?.stack?.split('\n    at ')[0];
  return `FUZZ_SEED=${seed} FUZZ_COUNT=1, shrunk to ${fc.stringify(counterexample?.[0])}: ${reason}`;
}
