/** Parts of a version that get a new name with a publish: responses of other parts stay cached. */

import { expect, it } from 'vitest';
import { publish } from '../../../jobs/publish/publish.ts';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import { type MarketDb, openMarketForWriting } from '../../../src/store/duckdb/connection/open.ts';
import { freshPaths, load, NOW_MS, segmentOf } from '../../store/duckdb/support/fixtures.ts';
import { article, land, loadSegment } from '../../store/duckdb/support/row-fixtures.ts';
import { minuteSegment, minutes } from '../support/intraday-store.ts';

const DEPS = { verb: 'test', nowMs: NOW_MS };

async function published(paths: ModePaths, work: (db: MarketDb) => Promise<unknown>) {
  const db = await openMarketForWriting(paths, DEPS);
  await work(db);
  db.close();
  await publish(paths, DEPS);
  const { id, dailyId, listsId } = openPublished(paths.serving)!;
  return { id, dailyId, listsId };
}

const day = (date: string) =>
  segmentOf([{ symbol: 'AAPL', bars: [[date, 10]] }], { basis: 'raw', name: date });

const minute = (date: string) =>
  minuteSegment([{ symbol: 'AAPL', bars: minutes(date, 0, 5) }], { name: `minutes ${date}` });

it('minutes leave days and lists, rows leave days, and a day leaves lists as they are', async () => {
  const paths = freshPaths();
  const first = await published(paths, (db) => load(db, day('2026-06-26')));
  const rows = await published(paths, async (db) =>
    loadSegment(db, await land('news', [article(1)])),
  );
  expect(rows.id).not.toBe(first.id);
  expect(rows.listsId).not.toBe(first.listsId);
  const minutes = await published(paths, (db) => load(db, minute('2026-06-29')));
  expect(minutes.id).not.toBe(rows.id);
  expect(minutes.listsId).toBe(rows.listsId);
  expect(minutes.dailyId).toBe(rows.dailyId);
  const next = await published(paths, (db) => load(db, day('2026-06-29')));
  expect(next.dailyId).not.toBe(minutes.dailyId);
  expect(next.listsId).toBe(minutes.listsId);
});
