/**
 * Runs nights: `--seeds N [--from S] [--first]`, `--seed S[,S…] [--trace] [--until STEP]`, or
 * `--listed N`, of each kind the first that failed once.
 *
 * `--night fleet,files` runs these of each seed; with `--turn` only those of its turn. `--first`
 * ends at the first failed seed and does not shrink it. Many seeds run in a process for each
 * processor, and are told in their order.
 */

import { fork } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FAULTS, type Fault } from './faults.ts';
import { FAILED_ONCE } from './listed-nights.ts';
import type { NightName, NightReport } from './run-night.ts';
import './register.ts';
import { growthOf, type Held, heldNow } from './left-over.ts';
import { shrink } from './shrink.ts';

const { NIGHT_NAMES, runNight } = await import('./run-night.ts');

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    from: { type: 'string', default: '1' },
    first: { type: 'boolean', default: false },
    night: { type: 'string' },
    turn: { type: 'boolean', default: false },
    seed: { type: 'string' },
    listed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    until: { type: 'string' },
  },
});

/** Nights of one seed. */
interface Told {
  seed: number;
  lines: string[];
  counts: [Fault, number][];
  steps: number;
  publishes: number;
  compared: number;
  simulatedMs: number;
  failed: number;
  /** Memory and open files of the process after this seed. */
  held: Held;
}

/** Seeds from which on it is worth to start other processes. */
const MANY = 8;
/** Message of such a process that waits for its first seed. */
const READY = 'ready';

/** Nights besides that of the fleet, which the seeds have by turns: all take too long. */
const TURNS: readonly NightName[][] = [
  ['files', 'work'],
  ['accounts', 'queue'],
];
/** Each such seed has a night of loads, or a whole one. One takes as long as four others. */
const LOADS_EACH = 20;
const WHOLE_EACH = 10;
/**
 * Threads of a collector would take the processors of other nights. Code that is made of text could go
 * around the world.
 */
const OPTIONS = [
  ...['--single-threaded-gc', '--max-semi-space-size=64'],
  '--disallow-code-generation-from-strings',
];
const MEMORY = '/dev/shm';
const root = join(existsSync(MEMORY) ? MEMORY : tmpdir(), `simulation-${process.pid}`);
const from = Number(values.from);
const listed = Object.entries(FAILED_ONCE).map(
  ([night, failed]) => [night as NightName, failed.slice(0, Number(values.listed ?? 0))] as const,
);
const seeds = seedsAsked();
const isWhole = !values.trace && values.until === undefined;
const stepsMax = values.until === undefined ? undefined : Number(values.until);
// The folder differs from run to run.
const shown = (line: string) => line.replaceAll(root, '').slice(0, 300);
const story = values.trace ? (line: string) => console.log(shown(line)) : undefined;
const startMs = performance.now();
/** Seeds that other processes have run. */
const told: Told[] = [];

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, endEarly);
// The process that began it has ended, or has no more seeds.
if (process.send) process.once('disconnect', endEarly);

function seedsAsked(): number[] {
  if (values.listed) return [...new Set(listed.flatMap(([, failed]) => failed))];
  return (
    values.seed?.split(',').map(Number) ??
    Array.from({ length: Number(values.seeds) }, (_, i) => from + i)
  );
}

function nightsOf(seed: number): NightName[] {
  const { night = '' } = values;
  const asked = NIGHT_NAMES.filter((name) => night.split(',').includes(name));
  if (night && !values.turn) return asked;
  if (values.listed) return listed.flatMap(([name, failed]) => (failed.includes(seed) ? name : []));
  const turn: NightName[] = ['fleet', ...TURNS[seed % TURNS.length]];
  if (seed % LOADS_EACH === 0) turn.push('loads');
  if (seed % WHOLE_EACH === 5) turn.push('whole');
  return night ? turn.filter((name) => asked.includes(name)) : turn;
}

/** Tells what is known, and leaves no folder of a night that is not over. */
function endEarly(): void {
  if (told.length > 0) tellAll(told);
  rmSync(root, { recursive: true, force: true });
  process.exit(1);
}

async function linesOf(night: NightName, report: NightReport): Promise<string[]> {
  const { seed, violations, happened } = report;
  const [violation] = violations;
  const lines = [shown(`seed ${seed}: ${violation.split('\n')[0]}`)];
  if (values.first || !isWhole) return lines;
  const invariant = violation.split(':')[0];
  const fewer = await shrink(happened, async (allowed) => {
    const again = await runNight(night, seed, root, { allowed });
    return again.violations[0]?.split(':')[0] === invariant;
  });
  return [...lines, `  needs ${fewer.length} of ${happened.length} faults: ${fewer.join(', ')}`];
}

async function runSeed(seed: number): Promise<Told> {
  const told: Told = {
    ...{ seed, lines: [], counts: [], steps: 0, publishes: 0, compared: 0 },
    ...{ simulatedMs: 0, failed: 0, held: { pid: 0, bytes: 0, files: 0 } },
  };
  for (const night of nightsOf(seed)) {
    const report = await runNight(night, seed, root, { story, stepsMax });
    told.counts.push(...report.counts);
    told.steps += report.steps;
    told.publishes += report.publishes;
    told.compared += report.compared;
    told.simulatedMs += report.simulatedMs;
    if (report.violations.length === 0) continue;
    told.failed++;
    told.lines.push(...(await linesOf(night, report)));
  }
  told.held = heldNow();
  return told;
}

/** Gives seeds to a process for each processor, one after the other: they take unlike times. */
async function runParts(count: number): Promise<Told[]> {
  const waiting = [...seeds];
  const { night, turn } = values;
  const own = [...(night ? ['--night', night] : []), ...(turn ? ['--turn'] : [])];
  const parts = Array.from({ length: count }, () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const child = fork(process.argv[1], own, { execArgv: OPTIONS });
    let seed: number | undefined;
    child.on('message', (one) => {
      if (one !== READY) told.push(one as Told);
      seed = waiting.shift();
      if (seed === undefined) child.disconnect();
      else child.send(seed, () => {}); // Its exit says what it did not run.
    });
    child.on('exit', (code) => {
      if (seed === undefined && waiting.length === 0) resolve();
      else reject(new Error(`a process ended with ${code} in seed ${seed}`));
    });
    return promise;
  });
  await Promise.all(parts);
  return told;
}

/** Runs the seeds that another process gives. */
function runGiven(send: (message: unknown) => void): void {
  process.on('message', (seed: number) => void runSeed(seed).then(send));
  send(READY);
}

async function runHere(): Promise<Told[]> {
  const all: Told[] = [];
  for (const seed of seeds) {
    const told = await runSeed(seed);
    all.push(told);
    if (values.first && told.failed > 0) break;
  }
  return all;
}

const toParent = process.send?.bind(process);
// The process that began this one may have been interrupted.
const orEnd = (error: Error | null) => void (error && endEarly());
if (toParent) runGiven((message) => toParent(message, undefined, undefined, orEnd));
else {
  const isShared = isWhole && !values.first && !values.listed && seeds.length >= MANY;
  const all = isShared ? await runParts(availableParallelism()) : await runHere();
  const failed = tellAll(all);
  process.exit(failed > 0 ? 1 : 0);
}

/** Prints the violations and the totals. @returns the number of failures. */
function tellAll(unordered: readonly Told[]): number {
  const growth = growthOf(unordered.map(({ held }) => held));
  const all = unordered.toSorted((a, b) => a.seed - b.seed);
  const sum = (of: (told: Told) => number) => all.reduce((total, told) => total + of(told), 0);
  const failed = sum((told) => told.failed) + growth.violations.length;
  for (const line of [...all.flatMap(({ lines }) => lines), ...growth.violations]) {
    console.log(line);
  }
  const totals = Map.groupBy(
    all.flatMap(({ counts }) => counts),
    ([kind]) => kind,
  );
  const timesOf = (kind: Fault) => (totals.get(kind) ?? []).reduce((n, [, times]) => n + times, 0);
  const kinds = Object.keys(FAULTS) as Fault[];
  console.log(`activations: ${kinds.map((kind) => `${kind} ${timesOf(kind)}`).join(', ')}`);
  const [steps, publishes] = [sum((told) => told.steps), sum((told) => told.publishes)];
  console.log(
    `${all.length} seeds, ${steps} steps, ${publishes} publishes, ` +
      `${sum((told) => told.compared)} versions compared, ${failed} failed`,
  );
  // Times and memory differ from run to run; standard output does not.
  for (const line of growth.told) console.error(line);
  const seconds = (performance.now() - startMs) / 1000;
  const simulatedS = sum((told) => told.simulatedMs) / 1000;
  console.error(`${seconds.toFixed(1)} s, ${(simulatedS / seconds).toFixed(0)} × real time`);
  return failed;
}
