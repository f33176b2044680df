/**
 * Runs nights: `--seeds N [--from S] [--first]`, `--seed S[,S…] [--trace] [--until STEP]`, or
 * `--listed`, those that failed once.
 *
 * `--night fleet,files` runs these of each seed. `--first` ends at the first failed seed and does
 * not shrink it. Many seeds run in a process for each processor, and are told in their order.
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
import { shrink } from './shrink.ts';

const { NIGHT_NAMES, runNight } = await import('./run-night.ts');

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    from: { type: 'string', default: '1' },
    first: { type: 'boolean', default: false },
    night: { type: 'string' },
    seed: { type: 'string' },
    listed: { type: 'boolean', default: false },
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
  simulatedMs: number;
  failed: number;
}

/** Seeds from which on it is worth to start other processes. */
const MANY = 8;

/** Nights besides that of the fleet, which the seeds have by turns: all take too long. */
const TURNS: readonly NightName[][] = [
  ['files', 'work'],
  ['accounts', 'queue'],
];
/** Each such seed has a night of loads. One takes as long as four others. */
const LOADS_EACH = 20;
/** Threads of a collector would take the processors of other nights. */
const COLLECTION = ['--single-threaded-gc', '--max-semi-space-size=64'];
const MEMORY = '/dev/shm';
const root = join(existsSync(MEMORY) ? MEMORY : tmpdir(), `simulation-${process.pid}`);
const from = Number(values.from);
const seeds = seedsAsked();
const isWhole = !values.trace && values.until === undefined;
const stepsMax = values.until === undefined ? undefined : Number(values.until);
// The folder differs from run to run.
const shown = (line: string) => line.replaceAll(root, '').slice(0, 300);
const story = values.trace ? (line: string) => console.log(shown(line)) : undefined;
const startMs = performance.now();

const isPart = process.send !== undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, endEarly);
// The process that began it has ended.
if (isPart) process.once('disconnect', endEarly);

function seedsAsked(): number[] {
  if (values.listed) return [...new Set(Object.values(FAILED_ONCE).flat())];
  return (
    values.seed?.split(',').map(Number) ??
    Array.from({ length: Number(values.seeds) }, (_, i) => from + i)
  );
}

function nightsOf(seed: number): NightName[] {
  const { night, listed } = values;
  if (night) return NIGHT_NAMES.filter((name) => night.split(',').includes(name));
  if (listed) return NIGHT_NAMES.filter((name) => FAILED_ONCE[name]?.includes(seed));
  const turn = TURNS[seed % TURNS.length];
  return ['fleet', ...turn, ...(seed % LOADS_EACH === 0 ? (['loads'] as const) : [])];
}

/** Leaves no folder of a night that is not over. */
function endEarly(): void {
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
    ...{ seed, lines: [], counts: [], steps: 0, publishes: 0, simulatedMs: 0, failed: 0 },
  };
  for (const night of nightsOf(seed)) {
    const report = await runNight(night, seed, root, { story, stepsMax });
    told.counts.push(...report.counts);
    told.steps += report.steps;
    told.publishes += report.publishes;
    told.simulatedMs += report.simulatedMs;
    if (report.violations.length === 0) continue;
    told.failed++;
    told.lines.push(...(await linesOf(night, report)));
  }
  return told;
}

/** Runs each n-th seed in a process of its own. */
async function runParts(count: number): Promise<Told[]> {
  const parts = Array.from({ length: count }, (_, part) => {
    const own = seeds.filter((_seed, i) => i % count === part);
    const night = values.night ? ['--night', values.night] : [];
    const { promise, resolve, reject } = Promise.withResolvers<Told[]>();
    const child = fork(process.argv[1], ['--seed', `${own}`, ...night], { execArgv: COLLECTION });
    const told: Told[] = [];
    child.on('message', (one) => void told.push(one as Told));
    child.on('exit', (code) => {
      if (told.length === own.length) resolve(told);
      else reject(new Error(`a process ended with ${code} after ${told.length} seeds`));
    });
    return promise;
  });
  return (await Promise.all(parts)).flat().sort((a, b) => a.seed - b.seed);
}

async function runHere(): Promise<Told[]> {
  const all: Told[] = [];
  for (const seed of seeds) {
    const told = await runSeed(seed);
    if (process.send) await new Promise((done) => process.send?.(told, done));
    all.push(told);
    if (values.first && told.failed > 0) break;
  }
  return all;
}

const isShared = !isPart && isWhole && !values.first && !values.listed && seeds.length >= MANY;
const all = isShared ? await runParts(availableParallelism()) : await runHere();
const failed = sum(({ failed: one }) => one);
if (!isPart) tellAll();
process.exit(failed > 0 ? 1 : 0);

function sum(of: (told: Told) => number): number {
  return all.reduce((total, told) => total + of(told), 0);
}

function tellAll(): void {
  for (const line of all.flatMap(({ lines }) => lines)) console.log(line);
  const totals = Map.groupBy(
    all.flatMap(({ counts }) => counts),
    ([kind]) => kind,
  );
  const timesOf = (kind: Fault) => (totals.get(kind) ?? []).reduce((n, [, times]) => n + times, 0);
  const kinds = Object.keys(FAULTS) as Fault[];
  console.log(`activations: ${kinds.map((kind) => `${kind} ${timesOf(kind)}`).join(', ')}`);
  const [steps, publishes] = [sum((told) => told.steps), sum((told) => told.publishes)];
  console.log(`${all.length} seeds, ${steps} steps, ${publishes} publishes, ${failed} failed`);
  // Times differ from run to run; standard output does not.
  const seconds = (performance.now() - startMs) / 1000;
  const simulatedS = sum((told) => told.simulatedMs) / 1000;
  console.error(`${seconds.toFixed(1)} s, ${(simulatedS / seconds).toFixed(0)} × real time`);
}
