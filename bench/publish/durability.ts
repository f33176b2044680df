/**
 * Cost of surviving a power cut: a backfill as it is, next to the same program whose
 * calls to fsync do nothing (libeatmydata, of the package eatmydata). Skipped without it.
 */

import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMeasured } from '../../src/bench/measure/measured-child.ts';
import {
  type BenchSize,
  benchSizeFromArgs,
  checkResult,
  machineLine,
  readable,
  timingFromSamples,
} from '../harness.ts';
import { writeRealLikeFiles } from '../load/backfill-files.ts';

const SYMBOLS: Record<BenchSize, number> = { smoke: 3, quick: 500, full: 4000 };
const PAIRS: Record<BenchSize, number> = { smoke: 1, quick: 3, full: 5 };
const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
const size = benchSizeFromArgs();

/** Returns the library's path on Debian; undefined if it is not installed. */
function unsyncedLibrary(): string | undefined {
  const folder = '/usr/lib';
  if (!existsSync(folder)) return undefined;
  const path = readdirSync(folder)
    .map((name) => join(folder, name, 'libeatmydata.so'))
    .find((candidate) => existsSync(candidate));
  return path;
}

const library = unsyncedLibrary();
if (!library) {
  console.log('skipped: no libeatmydata (install: apt-get install eatmydata)');
} else {
  const root = mkdtempSync(join(tmpdir(), 'tapeworks-bench-'));
  try {
    const folder = join(root, 'files');
    const { rowCount } = writeRealLikeFiles(folder, SYMBOLS[size]);
    const args = [cli, 'backfill', 'files', 'candles', folder, '--json'];
    const samples = { durable: [] as number[], unsynced: [] as number[] };
    for (let pair = 0; pair < PAIRS[size]; pair++) {
      for (const way of ['durable', 'unsynced'] as const) {
        const dataDir = join(root, 'data');
        const { stdout, wallMs } = await runMeasured(args, {
          TAPEWORKS_DATA_DIR: dataDir,
          ...(way === 'unsynced' && { LD_PRELOAD: library }),
        });
        const { accepted, rejected } = JSON.parse(stdout);
        checkResult(accepted + rejected === rowCount, `all ${rowCount} rows are read`);
        samples[way].push(wallMs);
        rmSync(dataDir, { recursive: true });
      }
    }
    const [durable, unsynced] = [samples.durable, samples.unsynced].map(
      (ms) => timingFromSamples(ms).medianMs,
    );
    console.log(
      `backfill of ${rowCount.toLocaleString('en-US')} rows: ${readable(durable / 1000)} s, and ` +
        `${readable(unsynced / 1000)} s without fsync, ratio ${readable(durable / unsynced)}`,
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  console.log(machineLine());
}
