/** The bench of loading: candle files to served data, beside DuckDB's own load of the same files. */

import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BarColumns, MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../../src/base/bars.ts';
import { countText } from '../../../src/base/count-text.ts';
import { UsageError } from '../../../src/base/errors.ts';
import { quoted } from '../../../src/base/quoted.ts';
import { dateFromDay } from '../../../src/base/time/dates.ts';
import { monotonicMs } from '../../../src/base/world/clock.ts';
import {
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from '../../../src/base/world/files.ts';
import { tmpdir } from '../../../src/base/world/machine.ts';
import { syntheticUniverse, type Universe } from '../data/universe.ts';
import { runMeasured, runTapeworks } from '../measure/measured-child.ts';
import { medianOf } from '../measure/summary.ts';
import { yardstick } from '../measure/yardstick.ts';
import {
  type BenchDocument,
  type Group,
  type Measurement,
  OURS,
  taskOf,
} from '../report/document.ts';
import type { DuckdbLoad } from './duckdb-child.ts';

export interface BackfillBench {
  /** Own file or folder; undefined for synthetic bars. */
  data: string | undefined;
  symbols: number;
  bars: number;
  rounds: number;
  onProgress: (step: string, done: number, total: number) => void;
}

export type BackfillResult = Pick<
  BenchDocument,
  'data' | 'isSynthetic' | 'groups' | 'checks' | 'measurements' | 'yardstickNs' | 'rules'
>;

export const DUCKDB = 'DuckDB';

const GROUPS: readonly Group[] = [
  { id: 'time', title: 'files to served bars', unit: 'row' },
  { id: 'cpu', title: 'files to served bars, CPU time of all threads', unit: 'row' },
];

const RULES = [
  'tapeworks loads the files into an empty store and publishes candles, quotes, the screener and ' +
    'indicator columns; its time is that of the whole process',
  'DuckDB creates one table from the same files, on two threads; its time is that of the ' +
    'statement, its CPU time that of the process',
  'the files are in the page cache; each round runs both once',
];

/** Compressed archives and Arrow files, which DuckDB does not read. */
const UNREADABLE = /\.(zip|arrow|feather|ipc|json|jsonl)$/i;

const duckdbChild = fileURLToPath(
  new URL(`./duckdb-child${import.meta.url.slice(-3)}`, import.meta.url),
);

/** @throws {UsageError} The data does not exist, or has no bars. */
export async function benchBackfill(bench: BackfillBench): Promise<BackfillResult> {
  const root = mkdtempSync(join(tmpdir(), 'tapeworks-bench-'));
  try {
    const { input, description } = inputOf(bench, root);
    const item = bench.data ?? 'synthetic CSV files';
    const { rounds, onProgress } = bench;
    const samples = await measureLoads(
      { input, peerInput: UNREADABLE.test(input) ? undefined : input, rounds, onProgress },
      root,
    );
    const { rowCount } = samples;
    if (rowCount === 0) throw new UsageError('--data has no bars that can be loaded');
    const load = `${countText(rowCount)} rows`;
    const hasPeer = samples.peerMs.length > 0;
    const times: [group: string, program: string, ms: readonly number[]][] = [
      ['time', OURS, samples.oursMs],
      ['cpu', OURS, samples.oursCpuMs],
      ['time', DUCKDB, samples.peerMs],
      ['cpu', DUCKDB, samples.peerCpuMs],
    ];
    // CPU time is not known on every system, and DuckDB does not read every file.
    const known = times.filter(([, , ms]) => ms.length > 0 && ms.every(Number.isFinite));
    const measurements: Measurement[] = known.map(([group, program, ms]) => ({
      task: taskOf(group, item),
      program,
      load,
      samplesNs: ms.map((one) => (one * 1e6) / rowCount),
    }));
    const rate = countText(Math.round((1000 * rowCount) / medianOf(samples.oursMs)));
    const peak = Math.round(Math.max(...samples.peakBytes) / 2 ** 20);
    return {
      data: `${description}, ${load}`,
      isSynthetic: bench.data === undefined,
      groups: GROUPS,
      checks: hasPeer
        ? [
            {
              item,
              program: DUCKDB,
              status: samples.isEqual ? 'equal' : 'different',
              detail: samples.detail,
            },
          ]
        : [],
      measurements,
      yardstickNs: samples.yardstickNs,
      rules: [
        ...RULES,
        `tapeworks: ${rate} rows/s` +
          (Number.isFinite(peak) ? `, at most ${countText(peak)} MiB resident` : ''),
      ],
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function inputOf({ data, symbols, bars }: BackfillBench, root: string) {
  if (data !== undefined) {
    const input = resolve(data);
    if (!statSync(input, { throwIfNoEntry: false })) {
      throw new UsageError(`--data must be a file or a folder, ${quoted(data)} does not exist`);
    }
    return { input, description: `own files of ${data}` };
  }
  const input = join(root, 'files');
  const universe = syntheticUniverse(symbols, bars);
  writeCsvFiles(input, universe);
  return { input, description: `${universe.description}, a CSV file each` };
}

export interface MeasuredLoads {
  /** File or folder that we load. */
  input: string;
  /** The same where DuckDB can read it; undefined if it can't. */
  peerInput: string | undefined;
  rounds: number;
  onProgress: (step: string, done: number, total: number) => void;
  /** Starts our command; by default `runTapeworks`. */
  run?: typeof runTapeworks;
  /** Looks at a store before it is removed. */
  onLoaded?: (dataDir: string, round: number) => void;
}

export interface LoadSamples {
  /** Rows of the files; 0 if none was accepted. */
  rowCount: number;
  oursMs: number[];
  oursCpuMs: number[];
  peakBytes: number[];
  peerMs: number[];
  peerCpuMs: number[];
  yardstickNs: number[];
  isEqual: boolean;
  detail: string;
}

/** Loads in turn with DuckDB. @param root Folder for the stores, which are removed. */
export async function measureLoads(
  { input, peerInput, rounds, onProgress, run = runTapeworks, onLoaded }: MeasuredLoads,
  root: string,
): Promise<LoadSamples> {
  const samples: LoadSamples = {
    rowCount: 0,
    oursMs: [],
    oursCpuMs: [],
    peakBytes: [],
    peerMs: [],
    peerCpuMs: [],
    yardstickNs: [],
    isEqual: true,
    detail: '',
  };
  const dataDir = join(root, 'data');
  const databasePath = join(root, 'peer.duckdb');
  for (let round = 0; round < rounds; round++) {
    onProgress('backfill', round, rounds);
    const ours = await run(['backfill', 'files', 'candles', input, '--json'], {
      TAPEWORKS_DATA_DIR: dataDir,
    });
    onLoaded?.(dataDir, round);
    rmSync(dataDir, { recursive: true });
    const { accepted, rejected } = JSON.parse(ours.stdout) as Record<string, number>;
    if (accepted === 0) break;
    samples.rowCount = accepted + rejected;
    samples.oursMs.push(ours.wallMs);
    samples.oursCpuMs.push(ours.cpuMs);
    samples.peakBytes.push(ours.peakBytes);
    if (peerInput !== undefined) {
      const peer = await runMeasured([duckdbChild, peerInput, databasePath]);
      rmSync(databasePath);
      const { rowCount, loadMs } = JSON.parse(peer.stdout) as DuckdbLoad;
      samples.peerMs.push(loadMs);
      samples.peerCpuMs.push(peer.cpuMs);
      samples.isEqual = rowCount === samples.rowCount;
      if (!samples.isEqual) {
        samples.detail = `${countText(rowCount)} rows instead of ${countText(samples.rowCount)}`;
      }
    }
    const startMs = monotonicMs();
    yardstick();
    samples.yardstickNs.push((monotonicMs() - startMs) * 1e6);
  }
  onProgress('backfill', rounds, rounds);
  return samples;
}

/** Writes a file a symbol, in the layout that exports of many platforms have. */
export function writeCsvFiles(folder: string, { symbols, bars }: Universe): void {
  mkdirSync(folder, { recursive: true });
  for (const [i, symbol] of symbols.entries()) {
    writeFileSync(join(folder, `${symbol}.csv`), csvFromBars(bars[i]));
  }
}

function csvFromBars({ timestampUs, open, high, low, close, volume }: BarColumns): string {
  const lines = ['Date,Open,High,Low,Close,Volume'];
  for (let row = 0; row < close.length; row++) {
    const day = Number(timestampUs[row]) / (MICROS_PER_MILLI * MILLIS_PER_DAY);
    lines.push(
      [dateFromDay(day), open[row], high[row], low[row], close[row], volume[row]].join(','),
    );
  }
  return `${lines.join('\n')}\n`;
}
