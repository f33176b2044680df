/** Interleaved timing: each candidate runs once per round, so slow spells of the machine hit all. */

/**
 * A piece of work, which may be asynchronous. A number that it returns is its own time in
 * milliseconds, of which only a part was work that counts.
 */
import { monotonicMs } from '../../../src/base/world/clock.ts';

export interface Candidate {
  id: string;
  run(): unknown;
  /** True to run once a sample, however quick, and in no warm-up: each run starts a process. */
  isSingle?: boolean;
}

export interface RoundOptions {
  rounds: number;
  /** Rounds that are run and not counted, for compilers and first touches of memory. */
  warmupRounds: number;
  /** Shortest time of a sample. Quicker work runs several times, and its mean is the sample. */
  sampleMsMin?: number;
  nowMs?: () => number;
  /** Gets the time on the wall of each sample, of candidates that return none of their own. */
  wall?: Map<string, number[]>;
  onRound?: (round: number) => void;
}

/** Returns the samples of each candidate in milliseconds, in the order of the rounds. */
export async function measureRounds(
  candidates: readonly Candidate[],
  { rounds, warmupRounds, sampleMsMin = 0, nowMs = performanceNow, wall, onRound }: RoundOptions,
): Promise<Map<string, number[]>> {
  const samples = new Map<string, number[]>(candidates.map(({ id }) => [id, []]));
  const repeats = new Map<string, number>();
  for (let round = -warmupRounds; round < rounds; round++) {
    for (const { id, run, isSingle } of candidates) {
      if (isSingle && round < 0) continue;
      const times = repeats.get(id) ?? 1;
      let sumMs = 0;
      const wallStartMs = monotonicMs();
      let isOwnTime = false;
      for (let time = 0; time < times; time++) {
        const startMs = nowMs();
        const pending = run();
        const given = pending instanceof Promise ? await pending : pending;
        const elapsedMs = nowMs() - startMs;
        isOwnTime ||= typeof given === 'number';
        sumMs += typeof given === 'number' ? given : elapsedMs;
      }
      const ms = sumMs / times;
      const wallMs = (monotonicMs() - wallStartMs) / times;
      if (round >= 0 && wall && !isOwnTime) wall.getOrInsertComputed(id, () => []).push(wallMs);
      if (round >= 0) samples.get(id)?.push(ms);
      else if (sampleMsMin > 0) repeats.set(id, repeatsFor(ms, sampleMsMin));
    }
    if (round >= 0) onRound?.(round);
  }
  return samples;
}

const REPEATS_MAX = 1000;

function repeatsFor(ms: number, sampleMsMin: number): number {
  return Math.max(1, Math.min(REPEATS_MAX, Math.ceil(sampleMsMin / Math.max(ms, 1e-6))));
}

function performanceNow(): number {
  return monotonicMs();
}
