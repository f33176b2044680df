import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failureFrom } from '../../../jobs/contract/failure.ts';
import type { RunHead } from '../../../jobs/contract/run.ts';
import { emitIngestFailed } from '../../../jobs/events/ingest-failed.ts';
import { loadAndPublish } from '../../../jobs/processors/load.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { MalformedInputError, SourceUnavailableError } from '../../../src/base/errors.ts';
import { freshPaths, NOW_MS } from '../../store/duckdb/support/fixtures.ts';
import { subscribe, toldTo } from './told.ts';

const PLAN: RunHead = {
  id: 'p',
  mode: 'live',
  source: 'yahoo',
  verb: 'backfill yahoo',
  priority: 'backfill',
  createdMs: NOW_MS,
  childCount: 3,
};

it('a failed run emits one event for each reason, however often it is tried', async () => {
  const paths = freshPaths();
  const all = await subscribe(paths);
  const failure = failureFrom(new SourceUnavailableError('Yahoo is not available: status 500'));
  await emitIngestFailed(paths, PLAN, [], NOW_MS);
  await emitIngestFailed(paths, PLAN, [failure, failure], NOW_MS);
  await emitIngestFailed(paths, PLAN, [failure], NOW_MS + 1000);
  await emitIngestFailed(paths, { ...PLAN, createdMs: NOW_MS + 1 }, [failure], NOW_MS + 2000);
  const data = {
    source: 'yahoo',
    dataset: null,
    kind: 'unavailable',
    reason: 'Yahoo is not available: status 500',
  };
  expect(toldTo(paths, all).map((event) => [event.type, event.data])).toEqual([
    ['ingest.failed', { ...data, failures: 2 }],
    ['ingest.failed', { ...data, failures: 1 }],
  ]);
});

it('neither folders of this machine nor what others say are told', async () => {
  const paths = freshPaths();
  const all = await subscribe(paths);
  const local = { dataset: 'candles' };
  const malformed = new MalformedInputError('"/home/ann/data/prices.csv": no column for "close"');
  await emitIngestFailed(paths, { ...PLAN, local }, [failureFrom(malformed)], NOW_MS);
  const other = new Error('connect postgres://user:password@host');
  await emitIngestFailed(paths, PLAN, [failureFrom(other)], NOW_MS);
  expect(toldTo(paths, all).map(({ data }) => [data.dataset, data.kind, data.reason])).toEqual([
    ['candles', 'malformed', '"prices.csv": no column for "close"'],
    [null, 'other', 'an internal error'],
  ]);
});

it('a load that is tried again is not told, only one that is given up', async () => {
  const paths = freshPaths();
  const all = await subscribe(paths);
  mkdirSync(paths.root, { recursive: true });
  const path = join(paths.root, 'bars.csv');
  writeFileSync(path, 'symbol,date,open,high,low,close,volume\nA,2024-01-02,1,2,1,2,10\n');
  const plan = { ...PLAN, source: 'files', local: { dataset: 'candles', path } };
  const settings = settingsFromEnv({ TAPEWORKS_DATA_DIR: paths.root });
  // A file where a folder belongs: no failure that was foreseen, so it is tried twice.
  rmSync(paths.serving, { recursive: true, force: true });
  writeFileSync(paths.serving, '');
  const load = (failures: number) =>
    loadAndPublish(plan, new Map(), { paths, settings, verb: 'a test', nowMs: NOW_MS, failures });
  const failed = () => toldTo(paths, all).filter(({ type }) => type === 'ingest.failed');
  await expect(load(0)).rejects.toThrow();
  expect(failed()).toEqual([]);
  await expect(load(1)).rejects.toThrow();
  expect(failed().map(({ data }) => data.kind)).toEqual(['other']);
});
