/** Parts of a version that get a new name with a publish: responses of other parts stay cached. */

import { expect, it } from 'vitest';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';
import type { FetchedRows } from '../../../src/ingest/contract/fetch-context.ts';
import type { CandleSegment } from '../../../src/store/duckdb/connection/candle-segment.ts';
import { freshPaths, segmentOf } from '../../store/duckdb/support/fixtures.ts';
import { article, land } from '../../store/duckdb/support/row-fixtures.ts';
import { minutes, minutesOf } from '../support/intraday-store.ts';
import { published, publishOf } from '../support/store.ts';

async function idsAfter(paths: ModePaths, segment: CandleSegment | FetchedRows) {
  await publishOf(paths, segment);
  const { id, dailyId, listsId } = published(paths);
  return { id, dailyId, listsId };
}

const day = (date: string) =>
  segmentOf([{ symbol: 'AAPL', bars: [[date, 10]] }], { basis: 'raw', name: date });

const minute = (date: string) => minutesOf('AAPL', minutes(date, 0, 5), `minutes ${date}`);

it('minutes leave days and lists, rows leave days, and a day leaves lists as they are', async () => {
  const paths = freshPaths();
  const first = await idsAfter(paths, day('2026-06-26'));
  const rows = await idsAfter(paths, await land('news', [article(1)]));
  expect(rows.id).not.toBe(first.id);
  expect(rows.listsId).not.toBe(first.listsId);
  const minutes = await idsAfter(paths, minute('2026-06-29'));
  expect(minutes.id).not.toBe(rows.id);
  expect(minutes.listsId).toBe(rows.listsId);
  expect(minutes.dailyId).toBe(rows.dailyId);
  const next = await idsAfter(paths, day('2026-06-29'));
  expect(next.dailyId).not.toBe(minutes.dailyId);
  expect(next.listsId).toBe(minutes.listsId);
});
