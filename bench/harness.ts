/** Shared parts of all benchmarks: interleaved timing, plain tables, the machine line, goals. */

import { cpus } from 'node:os';
import { parseArgs } from 'node:util';

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
  const samplesMs: Record<string, number[]> = {};
  for (const name of Object.keys(candidates)) samplesMs[name] = [];
  for (let round = -warmupRounds; round < rounds; round++) {
    for (const [name, run] of Object.entries(candidates)) {
      const startMs = nowMs();
      const pending = run();
      if (pending) await pending;
      const elapsedMs = nowMs() - startMs;
      if (round >= 0) samplesMs[name].push(elapsedMs);
    }
  }
  const entries = Object.entries(samplesMs);
  return Object.fromEntries(entries.map(([name, ms]) => [name, timingFromSamples(ms)]));
}

/** CPU time of this process, user and system. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Markdown table; the first column is left-aligned, the others right-aligned. */
export function tableFromRows(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = header.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column].length)),
  );
  const line = (cells: readonly string[]) => {
    const padded = cells.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
    );
    return `| ${padded.join(' | ')} |`;
  };
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(header), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}

/** Three significant digits without an exponent: `0.0214`, `8.53`, `1,530`. */
export function readable(value: number): string {
  const digits = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.max(0, 2 - digits) });
}

/** The machine a table was measured on, in one line. */
export function machineLine(): string {
  const processors = cpus();
  const model = processors[0]?.model.trim() || 'unknown processor';
  return `${model}, ${processors.length} cores, ${process.platform}-${process.arch}, Node ${process.version}`;
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
