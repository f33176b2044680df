/**
 * Backfill: from candle files to served, beside DuckDB's own load of the same files.
 *
 * `npm run bench` runs the real universe (where the sample is there), files of its kind in full
 * size, and one file of many symbols; `--generated` runs 10,000 symbols × 20 years of the sandbox instead, as files and
 * from the generator itself: 8 GB of disk and a quarter of an hour.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MICROS_PER_MILLI } from '../../src/base/bars.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import type { DuckdbLoad } from '../../src/bench/backfill/duckdb-child.ts';
import { type MeasuredRun, runMeasured } from '../../src/bench/measure/measured-child.ts';
import { listInputs } from '../../src/ingest/inputs/list-inputs.ts';
import { scanInputs } from '../../src/ingest/inputs/scan-inputs.ts';
import { symbolFromFileName } from '../../src/ingest/names/file-name.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import {
  type BenchSize,
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  machineLine,
  readable,
  tableFromRows,
  timingFromSamples,
} from '../harness.ts';
import {
  type FileUniverse,
  writeOneFile,
  writeRealLikeFiles,
  writeSandboxFiles,
} from './backfill-files.ts';

interface Case {
  name: string;
  /** Path that `backfill files candles` loads. */
  input: string;
  /** The same files where DuckDB can read them. */
  files: FileUniverse & { folder: string };
  pairs: number;
  /** Largest memory that the process may use. */
  peakBytesMax: number;
  /** Largest processor time of the command, as a multiple of DuckDB's; undefined: no goal. */
  cpuRatioMax?: number;
}

interface Measured extends Pick<MeasuredRun, 'cpuMs' | 'peakBytes'> {
  ms: number;
  diskBytes: number;
}

/** Files to served, as a multiple of DuckDB's load: candles, quotes, screener, indicator columns. */
const RATIO_MAX = 3;
/** Series that are compared with their files. */
const SERIES_CHECKED = 5;
const REAL_ZIP = fileURLToPath(
  new URL('../../../shared/realdata/daily/universe_2017.zip', import.meta.url),
);
const SYMBOLS: Record<BenchSize, number> = { smoke: 5, quick: 1000, full: 8500 };
/** Symbols of the one file: 50 MB in a quick look, and else 200 MB. */
const ONE_FILE: Record<BenchSize, { symbols: number; cpuRatioMax: number }> = {
  smoke: { symbols: 5, cpuRatioMax: Number.POSITIVE_INFINITY },
  quick: { symbols: 450, cpuRatioMax: 3.5 },
  full: { symbols: 1800, cpuRatioMax: 2.5 },
};
const PAIRS: Record<BenchSize, number> = { smoke: 1, quick: 3, full: 5 };
const MB = 1024 * 1024;
// As users start it: with a cache of compiled code.
const cli = fileURLToPath(new URL('../../bin/tapeworks.js', import.meta.url));
const peer = fileURLToPath(new URL('../../src/bench/backfill/duckdb-child.ts', import.meta.url));
const isGenerated = process.argv.includes('--generated');
const size = benchSizeFromArgs(process.argv.slice(2).filter((arg) => arg !== '--generated'));
const root = benchFolder();
// A wrong result ends the process at once.
const table: string[][] = [];
const lines: string[] = [];
for await (const one of isGenerated ? generatedCases() : realCases()) await runCase(one);
if (isGenerated) await runGenerator();
console.log(machineLine());
const header = [
  '',
  'rows',
  'time s',
  'CPU s',
  'rows/s',
  'peak MB',
  'disk MB',
  'DuckDB s',
  'its CPU s',
  'ratio',
  'CPU ratio',
];
console.log(tableFromRows(header, table));
if (size !== 'smoke') console.log(lines.join('\n'));

async function* realCases(): AsyncGenerator<Case> {
  const pairs = PAIRS[size];
  if (size !== 'smoke' && existsSync(REAL_ZIP)) {
    const folder = join(root, 'unpacked');
    mkdirSync(folder);
    const { files } = await listInputs(REAL_ZIP);
    const scanned = await scanInputs(files, folder, {});
    const full = scanned.flatMap((file) => ('scan' in file && file.scan.bytes > 0 ? [file] : []));
    const unpacked = {
      folder,
      paths: full.map(({ diskPath }) => diskPath),
      names: full.map(({ input }) => input.name),
      rowCount: full.reduce((sum, { scan }) => sum + scan.lineCount - 1, 0),
      bytes: full.reduce((sum, { scan }) => sum + scan.bytes, 0),
    };
    yield { name: 'real', input: REAL_ZIP, files: unpacked, pairs, peakBytesMax: 800 * MB };
    rmSync(folder, { recursive: true });
  }
  const folder = join(root, 'real-like');
  const files = { folder, ...writeRealLikeFiles(folder, SYMBOLS[size]) };
  yield { name: 'like real', input: folder, files, pairs, peakBytesMax: 4096 * MB };
  rmSync(folder, { recursive: true });
  yield oneFileCase(pairs);
}

function oneFileCase(pairs: number): Case {
  const { symbols, cpuRatioMax } = ONE_FILE[size];
  const universe = writeRealLikeFiles(join(root, 'parts'), symbols);
  const folder = join(root, 'one-file');
  const input = writeOneFile(folder, universe);
  const files = { folder, ...universe };
  return { name: 'one file', input, files, pairs, peakBytesMax: 450 * MB, cpuRatioMax };
}

async function* generatedCases(): AsyncGenerator<Case> {
  const folder = join(root, 'generated');
  const stocks = size === 'full' ? 10_000 : 100;
  const days = { fromDay: dayFromDate('2006-01-01'), toDay: dayFromDate('2025-12-31') };
  const files = { folder, ...writeSandboxFiles(folder, { stocks, ...days }) };
  yield { name: 'generated', input: folder, files, pairs: 1, peakBytesMax: 4096 * MB };
  rmSync(folder, { recursive: true });
}

async function runCase({
  name,
  input,
  files,
  pairs,
  peakBytesMax,
  cpuRatioMax,
}: Case): Promise<void> {
  const ours: MeasuredRun[] = [];
  const peerMs: number[] = [];
  const peerCpuMs: number[] = [];
  let diskBytes = 0;
  for (let pair = 0; pair < pairs; pair++) {
    const dataDir = join(root, 'data');
    const run = await runMeasured([cli, 'backfill', 'files', 'candles', input, '--json'], {
      TAPEWORKS_DATA_DIR: dataDir,
    });
    const { accepted, rejected } = JSON.parse(run.stdout);
    checkResult(accepted + rejected === files.rowCount, `${accepted} + ${rejected} rows`);
    ours.push(run);
    diskBytes = folderBytes(dataDir);
    if (pair === 0) checkServedBars(modePaths(dataDir, 'live').serving, files);
    rmSync(dataDir, { recursive: true });
    const peerRun = await runPeer(files);
    peerMs.push(peerRun.loadMs);
    peerCpuMs.push(peerRun.cpuMs);
    console.error(pairText(name, run, peerMs[pair]));
  }
  const median = (samples: number[]) => timingFromSamples(samples).medianMs;
  const ratio = median(ours.map(({ wallMs }, pair) => wallMs / peerMs[pair]));
  const cpuRatio = median(ours.map(({ cpuMs }, pair) => cpuMs / peerCpuMs[pair]));
  const peakBytes = Math.max(...ours.map((run) => run.peakBytes));
  const measured = {
    ms: median(ours.map(({ wallMs }) => wallMs)),
    cpuMs: median(ours.map(({ cpuMs }) => cpuMs)),
    peakBytes,
    diskBytes,
  };
  addRow(name, files.paths.length, files.rowCount, measured, [
    readable(median(peerMs) / 1000),
    readable(median(peerCpuMs) / 1000),
    readable(ratio),
    readable(cpuRatio),
  ]);
  lines.push(
    `${name}: ${readable(ratio)} × DuckDB (goal ≤ ${RATIO_MAX}, ${verdict(ratio <= RATIO_MAX)}), ` +
      `peak ${readable(peakBytes / MB)} MB (goal ≤ ${readable(peakBytesMax / MB)}, ${verdict(peakBytes <= peakBytesMax)})`,
  );
  if (cpuRatioMax === undefined) return;
  lines.push(
    `${name}: ${readable(cpuRatio)} × DuckDB's processor time (goal ≤ ${cpuRatioMax}, ${verdict(cpuRatio <= cpuRatioMax)})`,
  );
}

/** For whoever waits: a full run takes minutes. */
function pairText(name: string, { wallMs, peakBytes }: MeasuredRun, peerMs: number): string {
  return `${name}: ${readable(wallMs / 1000)} s and ${readable(peakBytes / MB)} MB beside ${readable(peerMs / 1000)} s`;
}

async function runPeer({
  folder,
  rowCount,
}: Case['files']): Promise<{ loadMs: number; cpuMs: number }> {
  const databasePath = join(root, 'peer.duckdb');
  const { stdout, cpuMs } = await runMeasured([peer, folder, databasePath]);
  rmSync(databasePath);
  const result: DuckdbLoad = JSON.parse(stdout);
  checkResult(result.rowCount === rowCount, `DuckDB has ${result.rowCount} of ${rowCount} rows`);
  return { loadMs: result.loadMs, cpuMs };
}

/** The sandbox's own way into the store, without files. */
async function runGenerator(): Promise<void> {
  const dataDir = join(root, 'data');
  const stocks = size === 'full' ? '10000' : '100';
  const args = ['backfill', 'sandbox', '--stocks', stocks, '--from', '2006-01-01', '--json'];
  const run = await runMeasured([cli, ...args], { TAPEWORKS_DATA_DIR: dataDir });
  const { accepted, seriesChanged } = JSON.parse(run.stdout);
  const measured = { ...run, ms: run.wallMs, diskBytes: folderBytes(dataDir) };
  addRow('sandbox', seriesChanged, accepted, measured, ['', '', '', '']);
  rmSync(dataDir, { recursive: true });
}

function addRow(
  name: string,
  symbolCount: number,
  rowCount: number,
  { ms, cpuMs, peakBytes, diskBytes }: Measured,
  ending: string[],
): void {
  table.push([
    `${name}, ${readable(symbolCount)} symbols`,
    readable(rowCount),
    readable(ms / 1000),
    readable(cpuMs / 1000),
    readable((1000 * rowCount) / ms),
    readable(peakBytes / MB),
    readable(diskBytes / MB),
    ...ending,
  ]);
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'MISSED';
}

function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
}

/** Ends the benchmark when a series, of a few over the whole universe, is not that of its file. */
function checkServedBars(serving: string, { paths, names }: FileUniverse): void {
  const version = openPublished(serving);
  checkResult(version !== undefined, 'nothing is published');
  try {
    for (let i = 0; i < SERIES_CHECKED; i++) {
      const place = Math.floor((i * paths.length) / SERIES_CHECKED);
      const symbol = symbolFromFileName(names[place], 'files');
      const [, ...rows] = readFileSync(paths[place], 'latin1').trim().split('\n');
      const { timestampUs, open, high, low, close, volume } = version.bars(symbol, '1d');
      checkResult(close.length === rows.length, `${symbol} has ${close.length} rows`);
      rows.forEach((row, at) => {
        const [date, ...numbers] = row.split(',');
        const served = [open[at], high[at], low[at], close[at], volume[at]];
        const isSame =
          Number(timestampUs[at]) === Date.parse(date) * MICROS_PER_MILLI &&
          served.every((value, column) => value === Number(numbers[column]));
        checkResult(isSame, `${symbol} ${row}`);
      });
    }
  } finally {
    version.close();
  }
}
