/**
 * The long form of all faults, one after the other: `npm run faults [-- NAME... [--part I/N]]`.
 * Names are those of the tests, `kill` for `kill.test.ts`, and `properties`; without any all run.
 * Points of `kill` and `disk-full` are tried by two processes at once; `--part` takes only the I-th
 * of N parts of them, from 0, so that they can be run in pieces. Ends in a table of what was tried.
 */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { TOLD } from './scale.ts';

/** In this order: what takes longest comes last. */
const NAMES = [
  ...['properties', 'publish-crash', 'relay-crash', 'worker', 'failover', 'mutants'],
  ...['rebuild-kill', 'upgrade', 'order', 'backup', 'publishes', 'flips', 'flips-http'],
  ...['redis-flow', 'soak', 'kill', 'disk-full'],
];

/** Random histories of whole stores, with as many runs as `../support/store-runs.ts` says. */
const PROPERTIES = [
  ...['load/intraday', 'load/load-candle-batch', 'load/load-row-batch', 'load/load-rows'],
  ...['securities/change-securities', 'segments/explain-bar', 'vintages/winners'],
].map((name) => `test/store/duckdb/${name}.test.ts`);
PROPERTIES.push(
  ...['lists/served-lists', 'write/fold', 'write/fold-intraday'].map(
    (name) => `test/store/arrow/${name}.test.ts`,
  ),
  ...['lists/publish', 'publish-updates'].map((name) => `test/jobs/publish/${name}.test.ts`),
);

/** Where the tests of a name are, if not in this folder. */
const ELSEWHERE: Record<string, string[]> = {
  properties: PROPERTIES,
  'publish-crash': ['test/jobs/publish/publish-crash.test.ts'],
  'relay-crash': ['test/jobs/events/relay-crash.test.ts'],
  worker: ['test/jobs/redis/worker.test.ts'],
  failover: ['test/jobs/redis/failover.test.ts'],
  soak: ['test/faults/soak/soak.test.ts'],
};

/** Those whose points are tried one by one, each on its own. */
const POINTWISE = new Set(['kill', 'disk-full']);

/** Two cores. */
const PROCESSES = 2;

const root = fileURLToPath(new URL('../..', import.meta.url));
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

interface Outcome {
  /** Numbers by fault. */
  told: Map<string, Record<string, number>>;
  isPassed: boolean;
}

/** The parts of a part: of `1/3` in two `1/6` and `4/6`. */
function partsOf(part: string, count: number): string[] {
  const [index, parts] = part.split('/').map(Number);
  return Array.from({ length: count }, (_, i) => `${index + i * parts}/${parts * count}`);
}

function runTest(name: string, part: string): Promise<Outcome> {
  const env = { ...process.env, TAPEWORKS_FAULTS: 'long', TAPEWORKS_FAULTS_PART: part };
  const files = ELSEWHERE[name] ?? [`test/faults/${name}.test.ts`];
  const child = spawn(process.execPath, [vitest, 'run', ...files], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const told: Outcome['told'] = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.startsWith(TOLD)) return console.log(`${name} ${part}: ${line}`);
    const [fault, numbers] = JSON.parse(line.slice(TOLD.length));
    told.set(fault, numbers);
  });
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ told, isPassed: code === 0 }));
  });
}

/** Numbers of parts together. */
function joined(outcomes: readonly Outcome[]): Outcome {
  const told: Outcome['told'] = new Map();
  for (const [fault, numbers] of outcomes.flatMap((outcome) => [...outcome.told])) {
    const sums = told.get(fault) ?? {};
    for (const [name, value] of Object.entries(numbers)) {
      const before = sums[name] ?? 0;
      sums[name] = name.endsWith('at most') ? Math.max(before, value) : before + value;
    }
    told.set(fault, sums);
  }
  return { told, isPassed: outcomes.every(({ isPassed }) => isPassed) };
}

const { values, positionals } = parseArgs({
  options: { part: { type: 'string', default: '0/1' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) throw new Error(`no such tests: ${unknown}; there are ${NAMES.join(', ')}`);

const rows = ['| fault | numbers |', '|---|---|'];
const failed: string[] = [];
for (const name of positionals.length > 0 ? positionals : NAMES) {
  const parts = POINTWISE.has(name) ? partsOf(values.part, PROCESSES) : ['0/1'];
  const { told, isPassed } = joined(await Promise.all(parts.map((part) => runTest(name, part))));
  if (!isPassed) failed.push(name);
  for (const [fault, numbers] of told) {
    const text = Object.entries(numbers).map(([what, value]) => `${value} ${what}`);
    rows.push(`| ${fault} | ${text.join(', ')} |`);
  }
}
console.log(rows.join('\n'));
console.log(failed.length > 0 ? `failed: ${failed.join(', ')}` : 'all passed');
process.exitCode = failed.length > 0 ? 1 : 0;
