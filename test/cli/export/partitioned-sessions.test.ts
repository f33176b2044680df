/** Partitions with bars outside of regular hours: a table of their own, days in UTC. */

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { objectPlace } from '../../../src/base/config/object-place.ts';
import { exportPartitions } from '../../../src/cli/export/partitioned.ts';
import type { StoredBars } from '../../../src/cli/files/stored-bars.ts';
import { readExportManifest } from '../../../src/store/parquet/export-manifest.ts';
import { openObjects } from '../../../src/store/shared/open-objects.ts';
import { minuteSegment, minutes } from '../../jobs/support/intraday-store.ts';
import { loadAll, run as publishAll, published } from '../../jobs/support/store.ts';
import { freshPaths } from '../../store/duckdb/support/fixtures.ts';
import { freshFolder } from '../../support/folders.ts';
import { duckdbRows } from '../support/exported.ts';

const FRIDAY = '2026-01-30';
const MONDAY = '2026-02-02';
const OPEN_TO_MIDNIGHT_UTC = 570;

it('has the minutes of other hours with their trade date and session', async () => {
  const paths = freshPaths();
  const early = minutes(FRIDAY, -60, -57, 90);
  const late = minutes(FRIDAY, OPEN_TO_MIDNIGHT_UTC - 1, OPEN_TO_MIDNIGHT_UTC + 1, 110);
  const bars = [...early, ...late, ...minutes(MONDAY, 390, 391, 120)];
  await loadAll(
    paths,
    minuteSegment([{ symbol: 'A', bars: minutes(FRIDAY, 0, 5) }]),
    minuteSegment([{ symbol: 'A', bars }], { hours: 'extended', name: 'other' }),
  );
  await publishAll(paths);
  const folder = freshFolder();
  const place = objectPlace('--out', `file://${folder}`);
  const exported = async (intervals: readonly StoredBars[]) => {
    using version = published(paths);
    const options = { place, intervals, isForced: false };
    const { signal } = new AbortController();
    return await exportPartitions(paths, version, options, { onProgress() {}, signal });
  };
  await exported(['1m', '1m-extended']);
  const objects = await openObjects(place, '--out');
  const { parts } = (await readExportManifest(objects))!;
  await objects.close();
  expect(parts.map(({ table, partition, rows }) => [table, partition, rows])).toEqual([
    ['adjustments', 'interval=1m-extended', 1],
    ['adjustments', 'interval=1m', 1],
    ['candles-1m-extended', `date=${FRIDAY}`, 4],
    ['candles-1m-extended', 'date=2026-01-31', 1],
    ['candles-1m-extended', `date=${MONDAY}`, 1],
    ['candles-1m', `date=${FRIDAY}`, 5],
    ['symbols', '', 1],
  ]);
  const rows = await duckdbRows(
    `SELECT "tradeDate"::VARCHAR AS day, session, close, date::VARCHAR AS partition
     FROM read_parquet($1, hive_partitioning = true) ORDER BY "timestamp"`,
    join(folder, 'candles-1m-extended/*/*.parquet'),
  );
  expect(rows.map((row) => Object.values(row))).toEqual([
    ...[89.4, 89.41, 89.42].map((close) => [FRIDAY, 'pre', close, FRIDAY]),
    [FRIDAY, 'post', 115.69, FRIDAY],
    [FRIDAY, 'post', 115.7, '2026-01-31'],
    [MONDAY, 'post', 123.9, MONDAY],
  ]);
  expect(await exported(['1m', '1m-extended'])).toMatchObject({ written: 0, removed: 0 });
  // A run without them leaves them where they are.
  expect(await exported(['1m'])).toMatchObject({ files: 7, written: 0, removed: 0 });
});
