/**
 * `npm run bench`: every benchmark, or those that are named, one after another. Options go to each
 * (`--quick`, `--smoke`).
 *
 * At smoke size no speed counts, and some fifty processes find their sources compiled.
 */

import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** Each checks its results first and exits 1 when one is wrong. */
const BENCHMARKS = [
  'kernels/kernels',
  'kernels/accuracy',
  'load/sentiment',
  'publish/updates',
  'screener/screener',
  'screener/studies',
  'screener/alpha158',
  'screener/members',
  'http/http-pages',
  'http/seam',
  'http/screens',
  'bulk/bulk',
  'bulk/bulk-technical',
  'bulk/files',
  'load/backfill',
  'load/reading',
  'load/filings',
  'load/sets',
  'jobs/jobs',
  'publish/publish-under-load',
  'fleet/fleet',
  'fleet/accounts',
  'page/page',
];

const NAMES = BENCHMARKS.map((path) => basename(path));

/** Reads the command line; wrong usage ends the process with one line. */
function asked(): { names: readonly string[]; options: string[] } {
  const options = { smoke: { type: 'boolean' }, quick: { type: 'boolean' } } as const;
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const unknown = positionals.find((name) => !NAMES.includes(name));
    if (unknown !== undefined) {
      throw new Error(`"${unknown}" is no benchmark; known ones: ${NAMES.join(', ')}`);
    }
    const names = NAMES.filter((name) => positionals.includes(name));
    return {
      names: names.length > 0 ? names : NAMES,
      options: Object.keys(values).map((name) => `--${name}`),
    };
  } catch (error) {
    console.error(`bench: ${(error as Error).message.split('. ')[0]}`);
    process.exit(2);
  }
}

const folder = fileURLToPath(new URL('.', import.meta.url));
const { names, options: args } = asked();
const isSmoke = args.includes('--smoke');
const env = { ...process.env };
// Where `bin/tapeworks.js` keeps what it has compiled.
if (isSmoke) env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
let failed = 0;
for (const name of names) {
  console.log(`\n## ${name}\n`);
  const path = `${folder}${BENCHMARKS[NAMES.indexOf(name)]}.ts`;
  const { status } = spawnSync(process.execPath, [path, ...args], { stdio: 'inherit', env });
  if (status !== 0) failed++;
}
console.log(`\n${names.length - failed} benchmarks right, ${failed} wrong`);
process.exitCode = failed === 0 ? 0 : 1;
