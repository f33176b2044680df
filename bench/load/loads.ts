/**
 * Many small staged segments, as plans with thousands of children leave them: loaded together as a
 * run does, beside one by one. The first of them leave the same either way; that is checked first.
 */

import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { loadSegments } from '../../jobs/load/backfill.ts';
import { type ModePaths, modePaths } from '../../src/base/config/data-dir.ts';
import { rowDatasets } from '../../src/base/datasets/datasets.ts';
import type { Fetched } from '../../src/ingest/contract/fetch-context.ts';
import { sha256OfFile } from '../../src/ingest/segments/place-file.ts';
import { stagedCandles } from '../../src/ingest/segments/staged-segment.ts';
import { tableColumns } from '../../src/store/duckdb/connection/dataset-columns.ts';
import { queryMarket } from '../../src/store/duckdb/connection/query.ts';
import {
  benchSizeFromArgs,
  checkResult,
  cpuMs,
  type Goal,
  goalLines,
  machineLine,
  readable,
  tableFromRows,
} from '../harness.ts';

const SIZES = {
  smoke: { segments: 6, oneByOne: 2 },
  quick: { segments: 1000, oneByOne: 20 },
  full: { segments: 10_000, oneByOne: 40 },
};

const NOW_MS = Date.parse('2026-07-01T12:00:00Z');
const AS_OF_US = BigInt(NOW_MS) * 1000n;

/** Stages segment `i` of a kind. */
type Stage = (staging: StagedBatch, i: number) => Promise<Fetched>;

interface StagedBatch {
  paths: ModePaths;
  connection: DuckDBConnection;
}

const KINDS: Record<string, Stage> = {
  '5 symbols × 20 days each': (staging, i) =>
    stageBars(staging, {
      name: `symbols ${i}`,
      symbols: Array.from({ length: 5 }, (_, s) => `S${i * 5 + s}`),
      firstDay: 0,
      dayCount: 20,
    }),
  'a day of 100 symbols each': (staging, i) =>
    stageBars(staging, {
      name: `day ${i}`,
      symbols: Array.from({ length: 100 }, (_, s) => `D${s}`),
      firstDay: i,
      dayCount: 1,
    }),
  '5 articles each': stageNews,
};

interface Bars {
  name: string;
  symbols: readonly string[];
  /** After 1990-01-01. */
  firstDay: number;
  dayCount: number;
}

async function stageBars(
  staging: StagedBatch,
  { name, symbols, firstDay, dayCount }: Bars,
): Promise<Fetched> {
  const { id, path, parquetSha256 } = await write(
    staging,
    name,
    `SELECT s::INTEGER AS file_index, TIMESTAMP '1990-01-01' + to_days((${firstDay} + d)::INTEGER) AS ts,
       close AS open, close + 1 AS high, close - 1 AS low, close, 1000.0::DOUBLE AS volume
     FROM range(${symbols.length}) s(s), range(${dayCount}) d(d),
       LATERAL (SELECT 100 + s + sin(${firstDay} + d) AS close) ORDER BY s, d`,
  );
  const head = { id, source: 'tiingo', interval: '1d', basis: 'raw', origin: name } as const;
  const series = symbols.map((symbol) => [symbol, dayCount] as const);
  return stagedCandles(
    { ...head, hours: undefined, asOfUs: AS_OF_US, parquetSha256 },
    series,
    path,
  );
}

async function stageNews(staging: StagedBatch, i: number): Promise<Fetched> {
  const dataset = rowDatasets.find(({ name }) => name === 'news');
  checkResult(dataset !== undefined, 'there is news');
  const values: Record<string, string> = {
    id: `sha256('${i} ' || n)`,
    title: `'Title ' || n`,
    source: `'Wire'`,
    url: `'https://example.com/${i}/' || n`,
    publishedAt: `TIMESTAMP '2026-01-01' + to_seconds(${i} * 5 + n)`,
    symbols: `['A${i % 500}']`,
  };
  const columns = tableColumns(dataset).map(
    ({ field, column }) => `${values[field] ?? 'NULL::VARCHAR'} AS ${column}`,
  );
  const name = `news ${i}`;
  const staged = await write(staging, name, `SELECT ${columns} FROM range(5) r(n)`);
  const { id, path: parquetPath, parquetSha256 } = staged;
  const head = { id, dataset: 'news', source: 'rss', asOfUs: AS_OF_US, origin: name } as const;
  const found = { accepted: 5, rejected: 0, skipped: [], rejectedByReason: new Map() };
  return { ...head, kind: 'parquet', parquetPath, parquetSha256, ...found };
}

async function write({ paths, connection }: StagedBatch, name: string, selectSql: string) {
  const id = createHash('sha256').update(name).digest('hex');
  const path = join(paths.segments, `${id}.parquet`);
  await connection.run(`COPY (${selectSql}) TO '${path}' (FORMAT parquet, COMPRESSION zstd)`);
  return { id, path, parquetSha256: await sha256OfFile(path) };
}

async function* each(segments: readonly Fetched[]): AsyncGenerator<Fetched> {
  yield* segments;
}

/** @returns milliseconds of processors a segment. */
async function load(paths: ModePaths, runs: readonly (readonly Fetched[])[]): Promise<number> {
  const startMs = cpuMs();
  for (const run of runs) await loadSegments(paths, each(run), { verb: 'bench', nowMs: NOW_MS });
  return (cpuMs() - startMs) / runs.flat().length;
}

/** Rows, and what the ledger and events say of segments, whatever their order. */
async function stored(paths: ModePaths): Promise<string> {
  const sums = [
    'SELECT bit_xor(hash(c)) FROM candles c',
    'SELECT bit_xor(hash(s)) FROM (SELECT symbol, interval, first_ts, last_ts, row_count FROM series) s',
    'SELECT bit_xor(hash(n)) FROM (SELECT * EXCLUDE segment_seq FROM news) n',
    'SELECT bit_xor(hash(g)) FROM (SELECT * EXCLUDE seq FROM segments) g',
    'SELECT bit_xor(hash(o)) FROM (SELECT * EXCLUDE seq FROM outbox) o',
  ];
  const sql = `SELECT ${sums.map((sum, i) => `(${sum})::VARCHAR AS s${i}`).join(', ')}`;
  return JSON.stringify((await queryMarket(paths, sql)).rows);
}

/** Times a kind in stores of its own. */
async function time(folder: string, stage: Stage, { segments: count, oneByOne }: Size) {
  const paths = modePaths(join(folder, 'together'), 'live');
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  mkdirSync(paths.segments, { recursive: true });
  const segments: Fetched[] = [];
  for (let i = 0; i < count; i++) segments.push(await stage({ paths, connection }, i));
  connection.closeSync();
  instance.closeSync();
  const few = segments.slice(0, oneByOne);
  const apart = { ...modePaths(join(folder, 'apart'), 'live'), segments: paths.segments };
  const firstOnes = { ...modePaths(join(folder, 'few'), 'live'), segments: paths.segments };
  const apartMs = await load(
    apart,
    few.map((segment) => [segment]),
  );
  await load(firstOnes, [few]);
  checkResult((await stored(apart)) === (await stored(firstOnes)), 'both leave the same');
  rmSync(join(paths.segments, 'loaded'), { recursive: true });
  const togetherMs = await load(paths, [segments]);
  const { rows } = await queryMarket(paths, 'SELECT count(*)::INTEGER AS n FROM segments');
  checkResult(rows[0].n === count, 'each is in the ledger once');
  return { apartMs, togetherMs };
}
type Size = (typeof SIZES)['full'];

const size = benchSizeFromArgs();
console.log(machineLine());
const rows: string[][] = [];
const goals: Goal[] = [];
for (const [name, stage] of Object.entries(KINDS)) {
  const folder = mkdtempSync(join(tmpdir(), 'tapeworks-'));
  try {
    const { apartMs, togetherMs } = await time(folder, stage, SIZES[size]);
    const ratio = apartMs / togetherMs;
    rows.push([name, ...[apartMs, togetherMs, ratio].map(readable)]);
    goals.push({ name: `5 ms a segment (${name})`, ratio: 5 / togetherMs, atLeast: 1 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
console.log(`${SIZES[size].segments} segments, ms of processors for each`);
console.log(tableFromRows(['', 'one by one', 'together', 'ratio'], rows));
console.log(`memory at most ${readable(process.resourceUsage().maxRSS / 1024)} MB`);
if (size === 'full') console.log(goalLines(goals));
