/** Shared parts of all benchmarks: interleaved timing, plain tables, the machine line, goals. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureRounds } from './command/measure/rounds.ts';
import { readable } from './command/report/text.ts';

export { cpuMs } from './command/measure/cpu-time.ts';
export { machineLine } from './command/measure/machine.ts';
export { medianOf } from './command/measure/summary.ts';
export { readable, tableFromRows } from './command/report/text.ts';

/** `smoke` checks results on tiny sizes (CI); `quick` is for a look; `full` gives the numbers. */
export type BenchSize = 'smoke' | 'quick' | 'full';

/** Reads `--smoke` and `--quick`; any other argument is an error. */
export function benchSizeFromArgs(args: string[] = process.argv.slice(2)): BenchSize {
  const options = { smoke: { type: 'boolean' }, quick: { type: 'boolean' } } as const;
  const { values } = parseArgs({ args, options });
  if (values.smoke) return 'smoke';
  return values.quick ? 'quick' : 'full';
}

/**
 * Takes `--data DIR` out of the arguments: a folder that stays, for those that can work on one that
 * is filled already; undefined where none is given.
 */
export function takeDataDir(args: string[] = process.argv): string | undefined {
  const at = args.indexOf('--data');
  return at < 0 ? undefined : args.splice(at, 2)[1];
}

/** Creates a folder that is removed when the process ends, with a wrong result too. */
export function benchFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tapeworks-bench-'));
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Distribution of the times one candidate took. */
export interface Timing {
  runCount: number;
  minMs: number;
  medianMs: number;
  p99Ms: number;
}

/** @param samplesMs One time per run, in any order; at least one. */
export function timingFromSamples(samplesMs: readonly number[]): Timing {
  const sorted = Float64Array.from(samplesMs).sort();
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1];
  return {
    runCount: sorted.length,
    minMs: sorted[0],
    medianMs: at(0.5),
    p99Ms: at(0.99),
  };
}

/** Named pieces of work that are compared with one another. A piece may be asynchronous. */
export type Candidates = Record<string, () => void | Promise<void>>;

/**
 * Times candidates round by round, each once per round, so that a slow spell of the machine
 * falls on all of them and their ratios hold.
 *
 * @param warmupRounds Rounds that are run and not counted, for the JIT and first touch.
 * @param nowMs `cpuMs` counts the time that this process has worked, on all threads: for pieces
 *   without waiting, on a machine that has other work.
 */
export async function timeInterleaved(
  candidates: Candidates,
  rounds: number,
  warmupRounds = 2,
  nowMs: () => number = () => performance.now(),
): Promise<Record<string, Timing>> {
  const list = Object.entries(candidates).map(([id, run]) => ({ id, run }));
  const samples = await measureRounds(list, { rounds, warmupRounds, nowMs });
  return Object.fromEntries([...samples].map(([id, ms]) => [id, timingFromSamples(ms)]));
}

/** One promise of the documentation: a ratio within one run, and the least it must be. */
export interface Goal {
  name: string;
  ratio: number;
  atLeast: number;
}

/** One plain line per goal, for the end of a benchmark's output. */
export function goalLines(goals: readonly Goal[]): string {
  return goals
    .map(({ name, ratio, atLeast }) => {
      const verdict = ratio >= atLeast ? 'met' : 'MISSED';
      return `${name}: ${readable(ratio)} (goal ${readable(atLeast)}, ${verdict})`;
    })
    .join('\n');
}

/** Ends the benchmark with exit code 1 when a result is wrong; a wrong result has no speed. */
export function checkResult(isRight: boolean, message: string): asserts isRight {
  if (isRight) return;
  console.error(`wrong result: ${message}`);
  process.exit(1);
}
