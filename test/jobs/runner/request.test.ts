/** Requests for backfills and the runs that answer them. */

import { describe, expect, it } from 'vitest';
import { partitionFromOptions, sharedFromOptions } from '../../../jobs/contract/partition.ts';
import { backfillId, fetchRun, isLocal, localRun } from '../../../jobs/runner/request.ts';
import type { SourceOptions } from '../../../src/ingest/contract/source-options.ts';

const HOW = {
  verb: 'backfill',
  priority: 'backfill',
  nowMs: Date.parse('2026-11-20T23:00:00Z'),
} as const;

describe('a run', () => {
  it('has an id that follows from the request alone, not from stored data', async () => {
    const request = { mode: 'live', source: 'tiingo', options: { symbols: ['A', 'B'] } } as const;
    const run = await fetchRun(request, request.options, HOW);
    const later = await fetchRun(
      request,
      { ...request.options, lastStoredDays: { A: 20_777 } },
      HOW,
    );
    expect(later.id).toBe(run.id);
    expect(run.id).toBe(backfillId(request));
    expect(run.tasks).toHaveLength(1);
    // A is up to date.
    expect(later.tasks[0].slice.symbols).toEqual(['B']);
    for (const other of [
      { ...request, mode: 'sandbox' as const },
      { ...request, source: 'yahoo' },
      { ...request, options: { symbols: ['B', 'A'] } },
      { ...request, tick: '2026-11-20T21:00:00.000Z' },
    ]) {
      expect(backfillId(other)).not.toBe(run.id);
    }
  });

  it('of local files has absolute paths', () => {
    const request = { mode: 'live', source: 'stooq', options: { path: 'd_us.zip' } } as const;
    const run = localRun(request, HOW);
    expect(run.tasks).toEqual([]);
    expect(run.local?.path).toBe(`${process.cwd()}/d_us.zip`);
    const feeds = (paths: string[]) => isLocal({ mode: 'live', source: 'rss', options: { paths } });
    expect([feeds(['https://a.example/rss']), feeds(['feed.xml'])]).toEqual([false, true]);
  });

  it('splits options into those of a task and those that its tasks share', () => {
    const options: SourceOptions = {
      ...{ symbols: ['A', 'B'], fromDay: 19_000, interval: '1m', asOfUs: '9007199254740993' },
      lastStoredDays: { A: 19_500 },
      tickersByCik: [[320_193, ['AAPL']]],
      yearEnds: [['A', { day: 19_000, fiscalYear: 2022 }]],
      storedFilings: { origins: ['x'], accessions: ['y'] },
    };
    const partition = JSON.parse(JSON.stringify(partitionFromOptions(options)));
    const shared = JSON.parse(JSON.stringify(sharedFromOptions(options)));
    expect({ ...partition, ...shared }).toEqual(options);
    expect(Object.keys(shared)).toEqual(['tickersByCik', 'yearEnds', 'storedFilings']);
    const stored = { ...options, lastStoredDays: { A: 19_500, C: 19_501 } };
    expect(partitionFromOptions(stored)).toEqual(partition);
  });

  it('refuses unknown options', () => {
    const options = { symbols: ['A'], key: 'a secret' } as SourceOptions;
    expect(() => partitionFromOptions(options)).toThrow();
  });
});
