import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { type RunHead, taskId } from '../../../jobs/contract/run.ts';
import { writeStaged } from '../../../jobs/contract/staging.ts';
import { readRecords } from '../../../jobs/load/segment-records.ts';
import { loadAndPublish } from '../../../jobs/processors/load.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';
import type { Fetched } from '../../../src/ingest/contract/fetch-context.ts';
import { stageDatasetRows } from '../../../src/ingest/rows/segment.ts';
import { stageSeries } from '../../../src/ingest/segments/parquet-segment.ts';
import { stagedFrom } from '../../../src/ingest/segments/staged-segment.ts';
import { queryMarket } from '../../../src/store/duckdb/connection/query.ts';
import { isLong } from '../../faults/scale.ts';
import { testContext } from '../../ingest/support/segment-rows.ts';
import { freshPaths, NOW_MS, usOf } from '../../store/duckdb/support/fixtures.ts';
import { article } from '../../store/duckdb/support/row-fixtures.ts';
import { long } from '../../support/store-runs.ts';

const SYMBOLS = ['AAPL', 'MSFT', 'SPY'];

let paths: ModePaths;

beforeEach(() => {
  paths = freshPaths();
});

function landBars(symbol: string) {
  const column = (value: number) => Float64Array.of(value, value);
  const bars = {
    timestampUs: BigInt64Array.of(usOf('2026-06-29'), usOf('2026-06-30')),
    ...{ open: column(10), high: column(11), low: column(9), close: column(10) },
    volume: column(100),
  };
  const asOfUs = BigInt(NOW_MS) * 1000n;
  const head = { source: 'tiingo', interval: '1d', basis: 'raw', asOfUs, origin: symbol } as const;
  return stageSeries(head, [{ symbol, bars }], context());
}

function context() {
  return { ...testContext(paths.root, new Date(NOW_MS).toISOString()), paths };
}

function landNews() {
  const head = { dataset: 'news', source: 'rss', asOfUs: 5n, origin: 'a feed' };
  return stageDatasetRows(head, [{ row: article(1) }], context());
}

/** A plan with a child for each segment, landed as another machine may have done it. */
async function plan(id: string, segments: readonly Fetched[]): Promise<RunHead> {
  for (const [index, segment] of segments.entries()) {
    const landing = { isComplete: true, segments: [stagedFrom(segment)], skipped: [] };
    await writeStaged(paths, { plan: id, createdMs: NOW_MS, index }, landing);
  }
  const head = { id, mode: 'live', source: 'tiingo', verb: 'test', priority: 'backfill' } as const;
  return { ...head, createdMs: NOW_MS, childCount: segments.length };
}

function load(head: RunHead) {
  const settings = settingsFromEnv({ TAPEWORKS_DATA_DIR: paths.root });
  return loadAndPublish(head, new Map(), { verb: 'test', nowMs: NOW_MS, paths, settings });
}

function fileOf(segment: Fetched): string {
  return join(paths.segments, `${'id' in segment ? segment.id : ''}.parquet`);
}

async function storedSymbols(): Promise<unknown[]> {
  const sql = 'SELECT DISTINCT symbol FROM candles ORDER BY symbol';
  return (await queryMarket(paths, sql)).rows.map(({ symbol }) => symbol);
}

describe.runIf(isLong)('a staged file that has changed', () => {
  const damages: [string, string, (path: string) => void][] = [
    [
      'with a flipped bit',
      'does not match its SHA-256',
      (path) => {
        const bytes = readFileSync(path);
        bytes[bytes.length >> 1] ^= 4;
        writeFileSync(path, bytes);
      },
    ],
    ['that is cut short', 'does not match its SHA-256', (path) => truncateSync(path, 100)],
    ['that is gone', 'is missing', (path) => rmSync(path)],
  ];

  it.each(damages)('%s makes its child dead, and is never loaded', async (_, reason, damage) => {
    const bars = await Promise.all(SYMBOLS.map(landBars));
    const segments = [...bars, await landNews()];
    damage(fileOf(segments[1]));
    damage(fileOf(segments[3]));
    const head = await plan('abcdefghijkl', segments);
    const report = await load(head);
    expect(report).toMatchObject({
      segments: 2,
      deadJobs: [1, 3].map((index) => ({ id: taskId(head, index), kind: 'store' })),
    });
    for (const [i, job] of report.deadJobs.entries()) {
      expect(job.reason).toContain(`"${fileOf(segments[i === 0 ? 1 : 3])}" ${reason}`);
    }
    expect(await storedSymbols()).toEqual(['AAPL', 'SPY']);
  });

  it('is replaced when it is fetched again, and loaded then', async () => {
    const segments = await Promise.all(SYMBOLS.map(landBars));
    const good = readFileSync(fileOf(segments[1]));
    truncateSync(fileOf(segments[1]), 100);
    await load(await plan('abcdefghijkl', segments));
    const again = await landBars(SYMBOLS[1]);
    expect(readFileSync(fileOf(again))).toEqual(good);
    expect(await load(await plan('bbcdefghijkl', [again]))).toMatchObject({
      segments: 1,
      deadJobs: [],
    });
    expect(await storedSymbols()).toEqual(SYMBOLS);
    const landed = new Map([...segments, again].map((one) => [one.id, one.parquetSha256]));
    const { records } = readRecords(paths);
    for (const { id, sha256 } of records) expect(sha256).toBe(landed.get(id));
    // Earlier programs gave `staged` another name.
    const folder = join(paths.segments, 'loaded');
    for (const name of readdirSync(folder)) {
      const text = gunzipSync(readFileSync(join(folder, name))).toString();
      expect(text).toContain('"staged":');
      writeFileSync(join(folder, name), gzipSync(text.replaceAll('"staged":', '"landed":')));
    }
    expect(readRecords(paths)).toEqual({ records, damaged: [] });
  });

  long('is loaded as it is if an earlier program staged it, without a hash', async () => {
    const segments = await Promise.all(SYMBOLS.map(landBars));
    const unhashed = segments.map((segment) => ({ ...segment, parquetSha256: undefined }));
    rmSync(fileOf(segments[2]));
    const report = await load(await plan('abcdefghijkl', unhashed));
    expect(report).toMatchObject({
      segments: 2,
      deadJobs: [{ id: expect.stringMatching(/-2$/) }],
    });
    expect(await storedSymbols()).toEqual(['AAPL', 'MSFT']);
  });
});
