import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RunDeps } from '../../../jobs/contract/reports.ts';
import { loadSegments } from '../../../jobs/load/backfill.ts';
import { readHeld } from '../../../jobs/load/held-records.ts';
import { readRecords } from '../../../jobs/load/segment-records.ts';
import { orPause, WaitingSegments } from '../../../jobs/load/waiting-segments.ts';
import { publish } from '../../../jobs/publish/publish.ts';
import { rebuild } from '../../../jobs/rebuild/rebuild.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';
import { onFailpoint } from '../../../src/base/failpoints.ts';
import { limits } from '../../../src/base/limits.ts';
import type { Fetched, FetchedSegment } from '../../../src/ingest/contract/fetch-context.ts';
import { stageDatasetRows } from '../../../src/ingest/rows/segment.ts';
import { queryMarket } from '../../../src/store/duckdb/connection/query.ts';
import { isLong } from '../../faults/scale.ts';
import { logicalHash } from '../../faults/support/logical-hash.ts';
import { testContext } from '../../ingest/support/segment-rows.ts';
import { freshPaths, NOW_MS, segmentOf } from '../../store/duckdb/support/fixtures.ts';
import { landedOf } from '../../store/duckdb/support/landed.ts';
import { article, target } from '../../store/duckdb/support/row-fixtures.ts';
import { risingBars } from '../../store/duckdb/support/segments.ts';
import { long } from '../../support/store-runs.ts';

const DEPS: RunDeps = { verb: 'test', nowMs: NOW_MS };

async function* all(segments: Iterable<Fetched>): AsyncGenerator<Fetched> {
  yield* segments;
}

function run(paths: ModePaths, segments: Iterable<Fetched>, deps: Partial<RunDeps> = {}) {
  return loadSegments(paths, all(segments), { ...DEPS, ...deps });
}

/** Transactions that load from here on: not those that make the store. */
function countLoads(): () => number {
  let count = 0;
  onFailpoint((name) => {
    if (name === 'commit rows') count++;
  });
  onTestFinished(() => onFailpoint(undefined));
  return () => count;
}

function day(paths: ModePaths, i: number, close = 100): Promise<FetchedSegment> {
  const bars = [[`2026-06-${String(i + 1).padStart(2, '0')}`, close]] as [string, number][];
  return landedOf(
    paths.segments,
    ['SPY', `S${i}`].map((symbol) => ({ symbol, bars })),
    { name: String(i) },
  );
}

/** Five segments of one symbol and 240 days each, at one price. */
function histories(
  paths: ModePaths,
  name: string,
  close: number | ((i: number) => number),
  fromDate = '2025-06-01',
): Promise<FetchedSegment[]> {
  const closeOf = typeof close === 'number' ? () => close : close;
  return Promise.all(
    Array.from({ length: 5 }, (_, i) => {
      const bars = risingBars(fromDate, 240, closeOf(i), 0);
      return landedOf(paths.segments, [{ symbol: `S${i}`, bars }], { name: `${name} ${i}` });
    }),
  );
}

function rows(paths: ModePaths, dataset: 'news' | 'analyst-targets', number: number) {
  const context = { ...testContext(paths.root, new Date(NOW_MS).toISOString()), paths };
  const row = dataset === 'news' ? article(number) : target({ firm: `Firm ${number}` });
  return stageDatasetRows(
    { dataset, source: 'files', asOfUs: BigInt(NOW_MS) * 1000n, origin: `${dataset} ${number}` },
    [{ row: { ...row } }],
    context,
  );
}

function days(paths: ModePaths, count: number): Promise<FetchedSegment[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => day(paths, i)));
}

async function storedIds(paths: ModePaths): Promise<unknown[]> {
  const sql = 'SELECT segment FROM segments ORDER BY seq';
  return (await queryMarket(paths, sql)).rows.map(({ segment }) => segment);
}

describe('a run of small staged segments', () => {
  it('loads those of a kind in one transaction, with one file that remembers them', async () => {
    const paths = freshPaths();
    await run(paths, []);
    const segments = await days(paths, 4);
    const mixed: Fetched[] = [];
    for (const [i, segment] of segments.entries()) {
      mixed.push(segment, await rows(paths, 'news', i), await rows(paths, 'analyst-targets', i));
    }
    await run(paths, [await day(paths, 20)]);
    const loads = countLoads();
    const told: number[][] = [];
    const report = await run(paths, mixed, {
      // It waited for the store while another process loaded.
      nowMs: NOW_MS - 1,
      clock: () => NOW_MS + 1,
      onProgress: (_, done, total) => told.push([done, total]),
    });
    expect(loads()).toBe(3);
    expect(report).toMatchObject({
      segments: 12,
      accepted: 16,
      seriesChanged: 8,
      rowsChanged: 8,
    });
    expect(told.at(-1)).toEqual([12, 12]);
    expect(readdirSync(join(paths.segments, 'loaded'))).toHaveLength(4);
    const { records } = readRecords(paths);
    expect(records.map(({ id }) => id)).toEqual(await storedIds(paths));
    expect(await run(paths, mixed)).toMatchObject({ segments: 12, alreadyLoaded: 12 });
    expect(readRecords(paths).records).toEqual(records);
    expect(loads()).toBe(3);
  });

  long('is rebuilt from its records', async () => {
    const paths = freshPaths();
    await run(paths, [...(await days(paths, 6)), await rows(paths, 'news', 1)]);
    await publish(paths, DEPS);
    const before = logicalHash(paths.serving);
    const settings = settingsFromEnv({ TAPEWORKS_DATA_DIR: paths.root });
    const { segments, lost } = await rebuild(paths, { isPartial: false }, { ...DEPS, settings });
    expect({ segments, lost }).toEqual({ segments: 7, lost: [] });
    expect(logicalHash(paths.serving)).toEqual(before);
  });

  long('loads the others where one is held', async () => {
    const paths = freshPaths();
    const segments = await days(paths, 5);
    segments[1].rejectedLines = 2;
    segments[3].rejectedLines = 2;
    await expect(run(paths, segments, { guarded: 'all' })).rejects.toThrow(
      /^2 of 5 inputs were held by a sanity check and not loaded; the other 3 are published/,
    );
    expect(await storedIds(paths)).toEqual([0, 2, 4].map((i) => segments[i].id));
    const ids = readRecords(paths).records.map(({ id }) => id);
    expect(ids).toEqual([0, 2, 4].map((i) => segments[i].id));
    expect(await run(paths, segments)).toMatchObject({ segments: 5, alreadyLoaded: 3 });
  });

  it.runIf(isLong)(
    'looks at small ones where together they are large and reject much',
    async () => {
      const paths = freshPaths();
      const segments = await histories(paths, 'first', 100);
      // 1.6 % of a segment, 0.7 % of all.
      segments[1].rejectedLines = 4;
      segments[3].rejectedLines = 4;
      expect(await run(paths, segments)).toMatchObject({ segments: 5, rejected: 8 });
      const more = await histories(paths, 'second', 100.5);
      for (const i of [1, 3, 4]) more[i].rejectedLines = 12;
      await expect(run(paths, more)).rejects.toThrow(/^3 of 5 inputs were held by a sanity check/);
      expect(await run(paths, more, { guarded: 'none' })).toMatchObject({ alreadyLoaded: 2 });
    },
  );

  it.runIf(isLong)(
    'looks at small ones where together they are large and many prices halve',
    async () => {
      const paths = freshPaths();
      await run(paths, await histories(paths, 'first', 100));
      await publish(paths, DEPS);
      const next = await histories(paths, 'next', (i) => (i === 3 ? 40 : 101), '2026-01-29');
      await expect(run(paths, next)).rejects.toThrow(
        /^1 of 5 inputs were held by a sanity check.* S3 from 100 to 40/,
      );
      expect(await run(paths, next, { guarded: 'none' })).toMatchObject({ alreadyLoaded: 4 });
    },
  );

  long('holds one symbol of a staged file, and makes the rest a file of its own', async () => {
    const paths = freshPaths();
    const symbols = Array.from({ length: 20 }, (_, i) => `S${i}`);
    const staged = (date: string, closeOf: (i: number) => number) =>
      landedOf(
        paths.segments,
        symbols.map((symbol, i) => ({ symbol, bars: [[date, closeOf(i)]] })),
        { name: date, basis: 'split' },
      );
    await run(paths, [await staged('2026-06-01', () => 100)]);
    const next = await staged('2026-06-02', (i) => (i === 7 ? 50.5 : 101));
    await expect(run(paths, [next])).rejects.toThrow(/^1 symbol is held .* the other 19 of/);
    expect(readHeld(paths)).toMatchObject([{ id: next.id, symbols: [{ symbol: 'S7' }] }]);
    const [, part] = readRecords(paths).records;
    expect(part.part).toEqual({ of: next.id, isOnly: false, symbols: ['S7'] });
    expect(existsSync(join(paths.segments, `${part.id}.parquet`))).toBe(true);
    await expect(run(paths, [next])).rejects.toThrow(/^1 symbol is held/);
    expect(await run(paths, [next], { accepted: ['S7'] })).toMatchObject({ accepted: 1 });
    expect(readHeld(paths)).toEqual([]);
    expect(readRecords(paths).records).toHaveLength(3);
    expect(await run(paths, [next])).toMatchObject({ accepted: 0, alreadyLoaded: 2 });
  });

  it('loads those before one that cannot be read, and reports why', async () => {
    const paths = freshPaths();
    const segments = await days(paths, 3);
    writeFileSync(join(paths.segments, `${segments[2].id}.parquet`), 'not Parquet');
    await expect(run(paths, segments)).rejects.toThrow(segments[2].id);
    expect(await storedIds(paths)).toEqual([segments[0].id, segments[1].id]);
  });

  long('warns where a batch could only be loaded one by one', async () => {
    const paths = freshPaths();
    await run(paths, [await day(paths, 9)]);
    const days = await Promise.all([0, 1, 2].map((i) => day(paths, i)));
    let isFirst = true;
    onFailpoint((name) => {
      if (name !== 'commit rows' || !isFirst) return;
      isFirst = false;
      throw new Error('once');
    });
    onTestFinished(() => onFailpoint(undefined));
    const warned = once(process, 'warning');
    expect(await run(paths, days)).toMatchObject({ segments: 3, accepted: 6 });
    expect((await warned)[0].message).toBe('3 segments were loaded one by one: once');
  });

  long(
    'loads what waits where its source fails, or gives a segment that can not be loaded',
    async () => {
      const paths = freshPaths();
      const segments = await days(paths, 3);
      const failing = async function* () {
        yield* segments.slice(0, 2);
        throw new Error('the source is away');
      };
      await expect(loadSegments(paths, failing(), DEPS)).rejects.toThrow('the source is away');
      expect(await storedIds(paths)).toHaveLength(2);
      const bad = segmentOf([{ symbol: 'BAD', bars: [['2026-06-01', 1]], dataLines: 2 }]);
      const unreadable = { ...bad, skipped: [], rejectedByReason: new Map() };
      await expect(run(paths, [segments[2], unreadable])).rejects.toThrow('nothing to examine');
      expect(await storedIds(paths)).toHaveLength(3);
    },
  );
});

describe('segments that wait', () => {
  const landed = (id: string, rowCount: number): FetchedSegment => {
    const segment = segmentOf([{ symbol: id, bars: [['2026-06-01', 1]] }], { basis: 'raw' });
    const path = `/segments/${id}.parquet`;
    const files = [{ path, symbol: id, dataLines: rowCount, sha256: id }];
    const found = { skipped: [], rejectedByReason: new Map() };
    return { ...segment, id, kind: 'parquet', files, ...found };
  };

  function waiting() {
    const loads: string[][] = [];
    const ids = (batch: readonly Fetched[]) => batch.map((one) => ('id' in one ? one.id : ''));
    const segments = new WaitingSegments({ segments: '/segments' }, async (batch) => {
      loads.push(ids(batch));
    });
    return { segments, loads };
  }

  it('are loaded when there are so many, or so many rows', async () => {
    const { segments, loads } = waiting();
    const { batchSegmentsMax, batchRowsMax, aloneRowsMin } = limits.store;
    for (let i = 0; i < batchSegmentsMax; i++) await segments.add(landed(`a${i}`, 1));
    expect(loads.map(({ length }) => length)).toEqual([batchSegmentsMax]);
    const rowCount = aloneRowsMin - 1;
    for (let rows = 0; rows < batchRowsMax; rows += rowCount) {
      expect(loads).toHaveLength(1);
      await segments.add(landed(`b${rows}`, rowCount));
    }
    expect(loads).toHaveLength(2);
  });

  it('are loaded alone where they are large, or not in a place where they stay', async () => {
    const { segments, loads } = waiting();
    await segments.add(landed('small', 1));
    await segments.add(landed('large', limits.store.aloneRowsMin));
    await segments.add({ ...landed('external', 1), kind: 'external' });
    const elsewhere = landed('elsewhere', 1);
    elsewhere.files[0] = { ...elsewhere.files[0], path: 'elsewhere.parquet' };
    await segments.add(elsewhere);
    expect(loads).toEqual([['large'], ['external'], ['elsewhere']]);
    await segments.flush();
    expect(loads.at(-1)).toEqual(['small']);
  });

  it('are told when their source takes a while, ends or fails', async () => {
    const gate = Promise.withResolvers<void>();
    const items = async function* () {
      yield 1;
      yield 2;
      await gate.promise;
      yield 3;
      throw new Error('away');
    };
    const seen: (number | undefined)[] = [];
    const read = async () => {
      for await (const item of orPause(items(), 1)) {
        seen.push(item);
        if (item === undefined) gate.resolve();
      }
    };
    await expect(read()).rejects.toThrow('away');
    expect(seen.filter((item) => item !== undefined)).toEqual([1, 2, 3]);
    expect(seen.indexOf(undefined)).toBeLessThan(seen.indexOf(3));
    expect(seen.at(-1)).toBeUndefined();
  });
});
