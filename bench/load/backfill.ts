/**
 * Backfill: from candle files to served, beside DuckDB's own load of the same files. Pairs are timed
 * as by `tapeworks bench backfill`; here are the files, a check of what is served, and the goals.
 *
 * `npm run bench` runs the real universe (where the sample is there), files of its kind in full
 * size, and one file of many symbols.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MICROS_PER_MILLI } from '../../src/base/bars.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { listInputs } from '../../src/ingest/inputs/list-inputs.ts';
import { scanInputs } from '../../src/ingest/inputs/scan-inputs.ts';
import { symbolFromFileName } from '../../src/ingest/names/file-name.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import { measureLoads } from '../command/backfill/bench.ts';
import { runMeasured } from '../command/measure/measured-child.ts';
import {
  type BenchSize,
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  machineLine,
  medianOf,
  readable,
  tableFromRows,
} from '../harness.ts';
import { type FileUniverse, writeOneFile, writeRealLikeFiles } from './backfill-files.ts';

interface Case {
  name: string;
  /** Path that `backfill files candles` loads. */
  input: string;
  /** The same files where DuckDB can read them. */
  files: FileUniverse & { folder: string };
  /** Largest memory that the process may use. */
  peakBytesMax: number;
  /** Largest processor time of the command, as a multiple of DuckDB's; undefined: no goal. */
  cpuRatioMax?: number;
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
const size = benchSizeFromArgs();
const root = benchFolder();
const table: string[][] = [];
const lines: string[] = [];
// A wrong result ends the process at once.
for await (const one of cases()) await runCase(one);
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

async function* cases(): AsyncGenerator<Case> {
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
    };
    yield { name: 'real', input: REAL_ZIP, files: unpacked, peakBytesMax: 800 * MB };
    rmSync(folder, { recursive: true });
  }
  const folder = join(root, 'real-like');
  const files = { folder, ...writeRealLikeFiles(folder, SYMBOLS[size]) };
  yield { name: 'like real', input: folder, files, peakBytesMax: 4096 * MB };
  rmSync(folder, { recursive: true });
  yield oneFileCase();
}

function oneFileCase(): Case {
  const { symbols, cpuRatioMax } = ONE_FILE[size];
  const universe = writeRealLikeFiles(join(root, 'parts'), symbols);
  const folder = join(root, 'one-file');
  const input = writeOneFile(folder, universe);
  const files = { folder, ...universe };
  return { name: 'one file', input, files, peakBytesMax: 450 * MB, cpuRatioMax };
}

async function runCase({ name, input, files, peakBytesMax, cpuRatioMax }: Case): Promise<void> {
  const { rowCount } = files;
  let diskBytes = 0;
  const samples = await measureLoads(
    {
      ...{ input, peerInput: files.folder, rounds: PAIRS[size] },
      run: (args, env) => runMeasured([cli, ...args], env),
      onProgress: (_, done, pairs) => console.error(`${name}: ${done} of ${pairs}`),
      onLoaded(dataDir, pair) {
        diskBytes = folderBytes(dataDir);
        if (pair === 0) checkServedBars(modePaths(dataDir, 'live').serving, files);
      },
    },
    root,
  );
  checkResult(samples.rowCount === rowCount, `${samples.rowCount} rows of ${rowCount}`);
  checkResult(samples.isEqual, `DuckDB has ${samples.detail}`);
  const { oursMs, oursCpuMs, peerMs, peerCpuMs } = samples;
  const ratio = medianOf(oursMs.map((ms, pair) => ms / peerMs[pair]));
  const cpuRatio = medianOf(oursCpuMs.map((ms, pair) => ms / peerCpuMs[pair]));
  const peakBytes = Math.max(...samples.peakBytes);
  const ms = medianOf(oursMs);
  const cells = [
    ...[rowCount, ms / 1000, medianOf(oursCpuMs) / 1000, (1000 * rowCount) / ms],
    ...[peakBytes / MB, diskBytes / MB, medianOf(peerMs) / 1000, medianOf(peerCpuMs) / 1000],
    ...[ratio, cpuRatio],
  ];
  table.push([`${name}, ${readable(files.paths.length)} symbols`, ...cells.map(readable)]);
  lines.push(
    `${name}: ${readable(ratio)} × DuckDB (goal ≤ ${RATIO_MAX}, ${verdict(ratio <= RATIO_MAX)}), ` +
      `peak ${readable(peakBytes / MB)} MB (goal ≤ ${readable(peakBytesMax / MB)}, ${verdict(peakBytes <= peakBytesMax)})`,
  );
  if (cpuRatioMax === undefined) return;
  lines.push(
    `${name}: ${readable(cpuRatio)} × DuckDB's processor time (goal ≤ ${cpuRatioMax}, ${verdict(cpuRatio <= cpuRatioMax)})`,
  );
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
