/**
 * Age of a version on a replica: a day of every symbol is published, uploaded by one process, and
 * downloaded by another. Milliseconds from the end of the publish until the replica's reader may
 * open it: `node bench/publish/replicas.ts [--quick | --smoke]`. Without `TAPEWORKS_SNAPSHOTS_URL`
 * the storage is a folder. The bytes of both sides are compared.
 */

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { publish } from '../../jobs/publish/publish.ts';
import { type ModePaths, modePaths } from '../../src/base/config/data-dir.ts';
import { sessionsBetween } from '../../src/base/time/calendar.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import { symbolName } from '../../src/bench/data/synthetic.ts';
import { filesOf, readManifest } from '../../src/store/arrow/format/manifest.ts';
import {
  type BenchSize,
  benchSizeFromArgs,
  checkResult,
  goalLines,
  machineLine,
  readable,
  tableFromRows,
  timingFromSamples,
} from '../harness.ts';
import { afterSessionMs, dailySegment, loadSegment } from './updates-market.ts';

const SIZES: Record<BenchSize, { symbolCount: number; years: number; rounds: number }> = {
  smoke: { symbolCount: 40, years: 1, rounds: 2 },
  quick: { symbolCount: 1000, years: 1, rounds: 4 },
  full: { symbolCount: 10_000, years: 2, rounds: 9 },
};

const LAST_DAY = dayFromDate('2026-06-30');
const LOOK_MS = 5;
const WAIT_MS = 120_000;
const GOAL_MS = 2000;

const size = benchSizeFromArgs();
const { symbolCount, years, rounds } = SIZES[size];
const program = fileURLToPath(new URL('replica-child.ts', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'tapeworks-bench-'));
const [here, there] = ['publisher', 'replica'].map((name) => join(root, name));
const [ours, theirs] = [here, there].map((dataDir) => modePaths(dataDir, 'live'));
const url = process.env.TAPEWORKS_SNAPSHOTS_URL ?? `file://${join(root, 'objects')}`;

function start(work: 'upload' | 'follow', dataDir: string) {
  const env = { ...process.env, TAPEWORKS_SNAPSHOTS_URL: url };
  return spawn(process.execPath, [program, work, dataDir], { env, stdio: 'inherit' });
}

/** Waits until the replica has the published version. @returns milliseconds. */
async function ageMs(startMs: number): Promise<number> {
  const { version } = readManifest(ours.serving)!;
  while (readManifest(theirs.serving)?.version !== version) {
    if (performance.now() - startMs > WAIT_MS) throw new Error('the replica does not follow');
    await delay(LOOK_MS);
  }
  return performance.now() - startMs;
}

/** @returns bytes of the files of the version that were not there before. */
function newBytes(paths: ModePaths, before: ReadonlySet<string>): number {
  const names = [...filesOf(readManifest(paths.serving)!)].filter((name) => !before.has(name));
  return names.reduce((sum, name) => sum + statSync(join(paths.serving, name)).size, 0);
}

const children = [start('upload', here), start('follow', there)];
try {
  const symbols = Array.from({ length: symbolCount }, (_, i) => symbolName(i));
  const days = [...sessionsBetween(LAST_DAY - 40, LAST_DAY)].slice(-rounds);
  const firstDay = LAST_DAY - Math.round(365.25 * years);
  const base = dailySegment(symbols, firstDay, days[0] - 1);
  await loadSegment(ours, base, afterSessionMs(days[0] - 1));
  await publish(ours, { verb: 'bench', nowMs: afterSessionMs(days[0] - 1) });
  const firstMs = await ageMs(performance.now());
  const firstBytes = newBytes(ours, new Set());
  const samplesMs: number[] = [];
  let dayBytes = 0;
  for (const day of days) {
    await loadSegment(ours, dailySegment(symbols, day, day), afterSessionMs(day));
    const before = filesOf(readManifest(ours.serving)!);
    await publish(ours, { verb: 'bench', nowMs: afterSessionMs(day) });
    samplesMs.push(await ageMs(performance.now()));
    dayBytes = newBytes(ours, before);
  }
  for (const name of filesOf(readManifest(ours.serving)!)) {
    const [a, b] = [ours, theirs].map(({ serving }) => readFileSync(join(serving, name)));
    checkResult(a.equals(b), `${name} has the same bytes on the replica`);
  }
  const timing = timingFromSamples(samplesMs);
  console.log(machineLine());
  console.log(`${readable(symbolCount)} symbols, ${years} years, ${url.split(':')[0]} storage`);
  console.log(
    tableFromRows(
      ['version', 'MB', 'min ms', 'median ms', 'p99 ms'],
      [
        ['first', (firstBytes / 1e6).toFixed(1), '', firstMs.toFixed(0), ''],
        [
          ...['a day', (dayBytes / 1e6).toFixed(1)],
          ...[timing.minMs, timing.medianMs, timing.p99Ms].map((ms) => ms.toFixed(0)),
        ],
      ],
    ),
  );
  const goal = { name: 'goal in ms over age', ratio: GOAL_MS / timing.medianMs, atLeast: 1 };
  if (size === 'full') console.log(goalLines([goal]));
} finally {
  for (const child of children) child.kill('SIGTERM');
  rmSync(root, { recursive: true, force: true });
}
