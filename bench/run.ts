/**
 * `npm run bench`: every benchmark, one after another. Arguments go to each (`--quick`, `--smoke`).
 *
 * At smoke size no speed counts, so little is done twice: two read one sandbox, which the first of
 * them fills, and some fifty processes find their sources compiled.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Each checks its results first and exits 1 when one is wrong. */
const BENCHMARKS = [
  'kernels',
  'accuracy',
  'incremental',
  'minutes',
  'updates',
  'screener',
  'point-reads',
  'http',
  'http-pages',
  'garbage',
  'overhead',
  'threads',
  'pages',
  'bulk',
  'backfill',
  'filings',
  'jobs',
  'workers',
  'durability',
  'loads',
  'publish-under-load',
];

/** They take a sandbox of the same companies at smoke size. */
const OVER_SANDBOX = ['http-pages', 'threads'];

const folder = fileURLToPath(new URL('.', import.meta.url));
const args = process.argv.slice(2);
const isSmoke = args.includes('--smoke');
const env = { ...process.env };
// Where `bin/tapeworks.js` keeps what it has compiled.
if (isSmoke) env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
const sandbox = mkdtempSync(join(tmpdir(), 'tapeworks-'));
let failed = 0;
try {
  for (const name of BENCHMARKS) {
    console.log(`\n## ${name}\n`);
    const shared = isSmoke && OVER_SANDBOX.includes(name) ? ['--data', sandbox] : [];
    const { status } = spawnSync(process.execPath, [`${folder}${name}.ts`, ...args, ...shared], {
      stdio: 'inherit',
      env,
    });
    if (status !== 0) failed++;
  }
} finally {
  rmSync(sandbox, { recursive: true });
}
console.log(`\n${BENCHMARKS.length - failed} benchmarks right, ${failed} wrong`);
process.exitCode = failed === 0 ? 0 : 1;
