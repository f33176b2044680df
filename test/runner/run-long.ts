/**
 * Runs the long tests, one after the other: `npm run test:long [-- NAME... [--part I/N]]`. Without
 * a name it runs those that take minutes, with `all` also those that take hours. A name is that of
 * a test file, `kill` for `kill.test.ts`, a path in `test`, or one of `properties`, `fuzz`,
 * `schemathesis`, `image` and `bench`.
 *
 * Two processes share the points of `kill`, `disk-full` and `hard-cases`. `--part` takes only the I-th of N parts
 * of these points, from 0. The run ends with a table of what it tried.
 *
 * It fails if tests were skipped, and names what is missing for them; `--skips` lets them pass.
 */

import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { TOLD } from '../faults/scale.ts';
import { skippedTests } from './skipped-tests.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

/** Commands by the name of what they try. */
const commands = new Map<string, readonly string[]>();

for (const file of globSync('test/**/*.long.test.ts', { cwd: root }).sort()) {
  commands.set(basename(file, '.long.test.ts'), vitestOf(file));
}
/** The import of a test that does more in the long form, such as random histories. */
const LONG_FORM = /\b(isLong|scaled|STORE_RUNS|someOf|long)\b[^']*'[^']*\/(scale|store-runs)\.ts'/;

const tests = globSync('test/**/*.test.ts', {
  cwd: root,
  exclude: ['test/faults/**', 'test/fuzz/**', 'test/**/*.long.test.ts'],
});
const HARD_CASES = 'test/store/duckdb/securities/hard-cases.test.ts';
commands.set('hard-cases', vitestOf(HARD_CASES));
const withLongForm = tests.filter(
  (file) => file !== HARD_CASES && LONG_FORM.test(readFileSync(join(root, file), 'utf8')),
);
commands.set('properties', vitestOf(...withLongForm.sort()));
commands.set('fuzz', vitestOf('test/fuzz'));
commands.set('schemathesis', ['bash', 'test/contract/schemathesis.sh', '120', '20']);
commands.set('image', [process.execPath, '.ci/image.ts']);
commands.set('bench', [process.execPath, 'bench/run.ts', '--smoke']);
const MINUTES = [...commands.keys()];

for (const name of ['rebuild-kill', 'upgrade', 'order', 'backup', 'publishes', 'flips']) {
  commands.set(name, vitestOf(`test/faults/${name}.test.ts`));
}
for (const name of ['flips-http', 'redis-flow', 'soak/soak', 'kill', 'disk-full']) {
  commands.set(basename(name), vitestOf(`test/faults/${name}.test.ts`));
}

/** Tests that try their points one by one, each on its own. */
const POINTWISE = new Set(['kill', 'disk-full', 'hard-cases']);

/** Two cores. */
const PROCESSES = 2;

interface Outcome {
  /** Numbers by fault. */
  told: Map<string, Record<string, number>>;
  isPassed: boolean;
  /** A line for each file with skipped tests. */
  skipped: string[];
}

/** The reports of Vitest. */
const reports = mkdtempSync(join(tmpdir(), 'tapeworks-long-'));
process.once('exit', () => rmSync(reports, { recursive: true, force: true }));

function vitestOf(...files: string[]): string[] {
  return [process.execPath, vitest, 'run', ...files];
}

/** Divides a part further: `1/3` in two gives `1/6` and `4/6`. */
function partsOf(part: string, count: number): string[] {
  const [index, parts] = part.split('/').map(Number);
  return Array.from({ length: count }, (_, i) => `${index + i * parts}/${parts * count}`);
}

function runOne(name: string, part: string): Promise<Outcome> {
  const env = { ...process.env, FORM_OF_TESTS: 'long', PART_OF_TESTS: part };
  const [command, ...args] = commands.get(name) as string[];
  const report = join(reports, `${name} ${part}.json`.replaceAll('/', ' '));
  if (args.includes(vitest))
    args.push('--reporter=default', '--reporter=json', `--outputFile.json=${report}`);
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const told: Outcome['told'] = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.startsWith(TOLD)) return console.log(`${name} ${part}: ${line}`);
    const [fault, numbers] = JSON.parse(line.slice(TOLD.length));
    told.set(fault, numbers);
  });
  return new Promise((resolve) => {
    child.on('close', (code) => {
      const isReported = existsSync(report);
      const skipped = isReported
        ? skippedTests(JSON.parse(readFileSync(report, 'utf8')), root)
        : [];
      resolve({ told, isPassed: code === 0, skipped });
    });
  });
}

/** Adds up the numbers of parts. */
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
  const skipped = [...new Set(outcomes.flatMap((outcome) => outcome.skipped))];
  return { told, isPassed: outcomes.every(({ isPassed }) => isPassed), skipped };
}

const { values, positionals } = parseArgs({
  options: {
    part: { type: 'string', default: '0/1' },
    skips: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const known = [...commands.keys()];
for (const name of positionals) {
  if (/^test\//.test(name) && existsSync(join(root, name))) commands.set(name, vitestOf(name));
}
const unknown = positionals.filter((name) => name !== 'all' && !commands.has(name));
if (unknown.length > 0) {
  console.error(`test:long: no such tests: ${unknown}; there are ${known.join(', ')}, all`);
  process.exit(2);
}
const named = positionals.length > 0 ? positionals : MINUTES;

const rows = ['| fault | numbers |', '|---|---|'];
const failed: string[] = [];
const lacking: string[] = [];
for (const name of named.includes('all') ? known : named) {
  const parts = POINTWISE.has(name) ? partsOf(values.part, PROCESSES) : ['0/1'];
  const outcomes = await Promise.all(parts.map((part) => runOne(name, part)));
  const { told, isPassed, skipped } = joined(outcomes);
  lacking.push(...skipped);
  if (!isPassed || (skipped.length > 0 && !values.skips)) failed.push(name);
  for (const [fault, numbers] of told) {
    const text = Object.entries(numbers).map(([what, value]) => `${value} ${what}`);
    rows.push(`| ${fault} | ${text.join(', ')} |`);
  }
}
console.log(rows.join('\n'));
for (const line of lacking) console.log(line);
console.log(failed.length > 0 ? `failed: ${failed.join(', ')}` : 'all passed');
process.exitCode = failed.length > 0 ? 1 : 0;
