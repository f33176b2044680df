/** `npm run bench`: every benchmark, one after another. Arguments go to each (`--quick`, `--smoke`). */

import { spawnSync } from 'node:child_process';
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

const folder = fileURLToPath(new URL('.', import.meta.url));
let failed = 0;
for (const name of BENCHMARKS) {
  console.log(`\n## ${name}\n`);
  const { status } = spawnSync(
    process.execPath,
    [`${folder}${name}.ts`, ...process.argv.slice(2)],
    { stdio: 'inherit' },
  );
  if (status !== 0) failed++;
}
console.log(`\n${BENCHMARKS.length - failed} benchmarks right, ${failed} wrong`);
process.exitCode = failed === 0 ? 0 : 1;
