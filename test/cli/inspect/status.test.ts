/** `status`: what is published, what waits, and what is due. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Run } from '../../../jobs/contract/run.ts';
import { JobLedger } from '../../../jobs/ledger/ledger.ts';
import { jobsPaths, modePaths } from '../../../src/base/config/data-dir.ts';
import { MANIFEST_NAME } from '../../../src/store/arrow/format/manifest.ts';
import { STATUS_NAME } from '../../../src/store/arrow/read/serving-status.ts';
import { openMarketForWriting } from '../../../src/store/duckdb/connection/open.ts';
import { writeCandleFile } from '../support/candle-file.ts';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';

const KEY = 'finnhub-key-that-nobody-may-see';
const SCHEDULED = { TAPEWORKS_SCHEDULE: 'rss', TAPEWORKS_FINNHUB_KEY: KEY };

let folder: CliFolder;
beforeAll(() => {
  folder = createCliFolder(SCHEDULED);
});
afterAll(() => folder.remove());

const dead: Run = {
  ...{ id: 'dead1', source: 'tiingo', mode: 'live', verb: 'backfill tiingo' },
  ...{ priority: 'backfill', createdMs: 1, childCount: 2, shared: {} },
  tasks: ['AAPL', 'MSFT'].map((title) => ({ title, slice: {} })),
};

describe('status', () => {
  it('of an empty folder reports no data, no jobs and the disk', async () => {
    const { modes, jobs, disk } = await folder.json('status');
    const nothing = {
      ...{ state: 'empty', published: null, damage: null, datasets: [] },
      ...{ pending: { series: 0, lists: 0 }, busy: null },
    };
    expect(modes).toEqual([
      { mode: 'live', ...nothing },
      { mode: 'sandbox', ...nothing },
    ]);
    expect(jobs).toEqual({});
    expect(disk).toEqual({ freeBytes: expect.any(Number), isFull: false });
    const { stdout } = await folder.run('status');
    expect(stdout).toContain('\nlive: empty\nsandbox: empty\n');
    expect(stdout).toContain('\nintegrity: not checked yet\n');
  });

  it('counts what is between machines', async () => {
    const place = `${folder.dataDir}-segments`;
    mkdirSync(join(place, 'live', 'plans', 'a'), { recursive: true });
    writeFileSync(join(place, 'live', 'plans', 'a', '0.json'), '1234');
    const here = createCliFolder({
      TAPEWORKS_SEGMENTS_URL: pathToFileURL(place).href,
      TAPEWORKS_REDIS_URL: 'redis://127.0.0.1:1',
    });
    const { travelling, jobs } = await here.json('status');
    expect(travelling).toMatchObject({ place: `${place}/`, objects: 1, bytes: 4 });
    expect(Date.parse(travelling.oldestAt)).toBeGreaterThan(0);
    expect(jobs).toBeNull();
    await here.remove();
    rmSync(place, { recursive: true });
  });

  it('says what is due next, soonest first, of configured sources alone', async () => {
    const beginMs = Date.now();
    const { schedules } = await folder.json('status');
    const sources = schedules.map(({ source }: { source: string }) => source);
    expect(new Set(sources)).toEqual(new Set(['rss', 'finnhub', 'maintenance']));
    const moments = schedules.map(({ nextAt }: { nextAt: string }) => Date.parse(nextAt));
    expect(moments).toEqual([...moments].sort((a, b) => a - b));
    expect(moments[0]).toBeGreaterThan(beginMs);
    expect(JSON.stringify(schedules)).not.toContain(KEY);
    const { stdout } = await folder.run('status');
    expect(stdout).toContain('schedules, run by start or schedule (New York time):\n');
    // Defined as 03:10 in New York: 07:10 or 08:10 in UTC.
    expect(stdout).toMatch(/\n {2}\d{4}-\d\d-\d\d 03:10 {2}retention from maintenance\n/);
  });

  it('reports rows and freshness of every dataset', async () => {
    const candles = join(folder.dataDir, 'abc.csv');
    writeCandleFile(candles, '2025-01-02', '2025-01-31');
    await folder.json('backfill', 'files', 'candles', candles);
    const news = join(folder.dataDir, 'news.jsonl');
    const article = {
      ...{ source: 'wire', title: 'One', url: 'https://news.example.com/1' },
      ...{ publishedAt: '2025-01-31T12:00:00Z', symbols: ['ABC'] },
    };
    writeFileSync(news, `${JSON.stringify(article)}\n`);
    await folder.json('backfill', 'files', 'news', news);
    const [{ published, datasets }] = (await folder.json('status')).modes;
    expect(published.datasets.candles.newestBarEnd).toBe('2025-01-31T21:00:00.000Z');
    const [newest] = datasets.filter(({ dataset }: { dataset: string }) => dataset === 'news');
    expect(newest.rows).toBeGreaterThan(0);
    expect(Math.abs(Date.parse(newest.changedAt) - Date.now())).toBeLessThan(600_000);
  });

  it('names damage, and what to do, until the next publish has rewritten its status', async () => {
    const { serving } = modePaths(folder.dataDir, 'live');
    const path = join(serving, STATUS_NAME);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('"staleSymbols": 0', '"staleSymbols": 1'));
    const [live] = (await folder.json('status')).modes;
    expect(live).toMatchObject({ published: null, damage: expect.stringContaining(STATUS_NAME) });
    expect(live.datasets).not.toEqual([]);
    const { stdout } = await folder.run('status');
    expect(stdout).toMatch(/live: DAMAGED: .*status.json.* checksum: compact --full --mode live/);
    const { checks } = JSON.parse((await folder.run('doctor', '--json')).stdout);
    const failed = checks.filter(({ state }: { state: string }) => state === 'failed');
    expect(failed).toMatchObject([{ name: 'live serving files' }]);
    const candles = join(folder.dataDir, 'def.csv');
    writeCandleFile(candles, '2025-01-02', '2025-01-31', 50);
    await folder.json('backfill', 'files', 'candles', candles);
    expect((await folder.json('status')).modes[0]).toMatchObject({
      damage: null,
      published: { datasets: { candles: { symbols: 2 } } },
    });
  });

  it('tells what is loaded and not published', async () => {
    const market = await openMarketForWriting(modePaths(folder.dataDir, 'live'), { verb: 'test' });
    await market.connection.run(
      `INSERT INTO changes SELECT max(seq) + 1, 'ABC', '1d', 'append', now()::TIMESTAMP FROM changes`,
    );
    market.close();
    const [live] = (await folder.json('status')).modes;
    expect(live.pending).toEqual({ series: 1, lists: 0 });
    const { stdout } = await folder.run('status');
    expect(stdout).toContain('not published yet: 1 series, 0 lists');
  });

  it('names who keeps others out of the store', async () => {
    const market = await openMarketForWriting(modePaths(folder.dataDir, 'live'), {
      verb: 'a long load',
    });
    try {
      const [live] = (await folder.json('status')).modes;
      expect(live.pending).toBeNull();
      expect(live.busy).toContain('a long load');
      expect(live.published.version).toBeGreaterThan(0);
    } finally {
      market.close();
    }
  });

  it('counts jobs by state and tells how to see the dead', async () => {
    const ledger = new JobLedger(jobsPaths(folder.dataDir).ledger);
    const before = (await folder.json('status')).jobs;
    ledger.write(dead, 'nobody');
    ledger.taskFailed(dead.id, 0, { kind: 'other', reason: 'no' }, true);
    ledger.close();
    const { jobs } = await folder.json('status');
    expect(jobs).toEqual({ ...before, dead: 1, waiting: 2 });
    const { stdout } = await folder.run('status');
    expect(stdout).toContain('jobs: 2 to be done, 0 running, 1 failed: tapeworks jobs list --dead');
  });

  it('distinguishes a lost status, which the next backfill writes, from an older format', async () => {
    const { serving } = modePaths(folder.dataDir, 'live');
    rmSync(join(serving, STATUS_NAME));
    const state = async () => (await folder.json('status')).modes[0].state;
    expect(await state()).toBe('status-lost');
    await folder.json('backfill', 'files', 'candles', join(folder.dataDir, 'def.csv'));
    expect(await state()).toBe('published');
    const path = join(serving, MANIFEST_NAME);
    const { crc32: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8'));
    const older = { ...manifest, format: 1, directory: undefined, recent: undefined };
    writeFileSync(path, JSON.stringify({ ...older, crc32: crc32(JSON.stringify(older)) }));
    expect(await state()).toBe('older-format');
    const { stdout } = await folder.run('status');
    expect(stdout).toContain('\nlive: published by an older version: start, or');
  });

  it('reports that Redis does not reply', async () => {
    const other = createCliFolder({ TAPEWORKS_REDIS_URL: 'redis://127.0.0.1:1' });
    expect((await other.json('status')).jobs).toBeNull();
    await other.remove();
  });
});
