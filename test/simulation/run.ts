/**
 * Runs nights: `--seeds N [--from S] [--first]`, or `--seed S[,S…] [--trace] [--until STEP]`.
 *
 * `--night fleet,files` runs some of the three. `--first` ends at the first failed seed and does not shrink it.
 */

import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FAULTS, type Fault } from './faults.ts';
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
    trace: { type: 'boolean', default: false },
    until: { type: 'string' },
  },
});

const MEMORY = '/dev/shm';
const root = join(existsSync(MEMORY) ? MEMORY : tmpdir(), `simulation-${process.pid}`);
const from = Number(values.from);
const seeds =
  values.seed?.split(',').map(Number) ??
  Array.from({ length: Number(values.seeds) }, (_, i) => from + i);
const stepsMax = values.until === undefined ? undefined : Number(values.until);
// The folder differs from run to run.
const tell = (line: string) => console.log(line.replaceAll(root, '').slice(0, 300));
const story = values.trace ? tell : undefined;
const totals = new Map<Fault, number>();
const sums = { seeds: 0, steps: 0, publishes: 0, simulatedMs: 0, failed: 0 };
const startMs = performance.now();

async function tellFailure(night: NightName, { seed, violations, happened }: NightReport) {
  const [violation] = violations;
  tell(`seed ${seed}: ${violation.split('\n')[0]}`);
  if (values.first || values.trace || stepsMax !== undefined) return;
  const invariant = violation.split(':')[0];
  const fewer = await shrink(happened, async (allowed) => {
    const again = await runNight(night, seed, root, { allowed });
    return again.violations[0]?.split(':')[0] === invariant;
  });
  console.log(`  needs ${fewer.length} of ${happened.length} faults: ${fewer.join(', ')}`);
}

const nights = NIGHT_NAMES.filter(
  (name) => !values.night || values.night.split(',').includes(name),
);
for (const seed of seeds) {
  if (values.first && sums.failed > 0) break;
  for (const night of nights) {
    const report = await runNight(night, seed, root, { story, stepsMax });
    for (const [kind, times] of report.counts) totals.set(kind, (totals.get(kind) ?? 0) + times);
    sums.steps += report.steps;
    sums.publishes += report.publishes;
    sums.simulatedMs += report.simulatedMs;
    if (report.violations.length === 0) continue;
    sums.failed++;
    await tellFailure(night, report);
  }
  sums.seeds++;
}
const kinds = Object.keys(FAULTS) as Fault[];
console.log(`activations: ${kinds.map((kind) => `${kind} ${totals.get(kind) ?? 0}`).join(', ')}`);
console.log(
  `${sums.seeds} seeds, ${sums.steps} steps, ${sums.publishes} publishes, ${sums.failed} failed`,
);
// Times differ from run to run; standard output does not.
const seconds = (performance.now() - startMs) / 1000;
const speed = sums.simulatedMs / 1000 / seconds;
console.error(`${seconds.toFixed(1)} s, ${speed.toFixed(0)} × real time`);
process.exit(sums.failed > 0 ? 1 : 0);
