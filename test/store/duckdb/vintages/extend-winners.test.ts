import { describe, expect, test } from 'vitest';
import { readPendingChanges } from '../../../../src/store/duckdb/connection/changes.ts';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import { long } from '../../../support/store-runs.ts';
import {
  freshStore,
  load,
  query,
  risingBars,
  segmentOf,
  type TestBar,
} from '../support/fixtures.ts';

/** Raw bars of SPY. */
function raw(bars: TestBar[], source: string) {
  return segmentOf([{ symbol: 'SPY', bars }], { basis: 'raw', source });
}

const pieces = (db: MarketDb) =>
  query(
    db,
    `SELECT source, basis, from_ts::DATE::VARCHAR, to_ts::DATE::VARCHAR
     FROM winners JOIN series USING (series_id) ORDER BY from_ts`,
  );

describe('bars after the last one', () => {
  test('lengthen the last of several pieces', async () => {
    const db = await freshStore();
    await load(db, raw(risingBars('2020-01-01', 8), 'files'));
    await load(db, raw(risingBars('2020-01-04', 6, 103), 'stooq'));
    await load(db, raw([['2020-01-10', 109]], 'stooq'));
    expect(await pieces(db)).toEqual([
      ['files', 'raw', '2020-01-01', '2020-01-03'],
      ['stooq', 'raw', '2020-01-04', '2020-01-10'],
    ]);
    expect((await readPendingChanges(db, 2)).changes).toEqual([
      { symbol: 'SPY', interval: '1d', kind: 'append', fromUs: Date.parse('2020-01-10') * 1000 },
    ]);
  });

  test('that give two series their fifth common session join them', async () => {
    const db = await freshStore();
    await load(db, raw(risingBars('2020-01-01', 8), 'files'));
    await load(db, raw(risingBars('2020-01-01', 4), 'stooq'));
    expect(await pieces(db)).toEqual([['stooq', 'raw', '2020-01-01', '2020-01-04']]);
    await load(db, raw([['2020-01-05', 104]], 'stooq'));
    expect(await pieces(db)).toEqual([
      ['stooq', 'raw', '2020-01-01', '2020-01-05'],
      ['files', 'raw', '2020-01-05', '2020-01-08'],
    ]);
  });

  long(
    'that are newer than another vintage of their source put their series before it',
    async () => {
      const db = await freshStore();
      await load(db, raw(risingBars('2020-01-01', 4), 'files'));
      const split = { basis: 'split', source: 'files' } as const;
      await load(db, segmentOf([{ symbol: 'SPY', bars: risingBars('2020-01-01', 5) }], split));
      expect(await pieces(db)).toEqual([['files', 'split', '2020-01-01', '2020-01-05']]);
      await load(db, raw(risingBars('2020-01-05', 2, 104), 'files'));
      expect(await pieces(db)).toEqual([['files', 'raw', '2020-01-01', '2020-01-06']]);
    },
  );

  long('of a series that is not served change nothing', async () => {
    const db = await freshStore();
    await load(db, raw(risingBars('2020-01-01', 8), 'stooq'));
    await load(db, raw(risingBars('2020-01-01', 3, 50), 'files'));
    expect(await load(db, raw([['2020-01-04', 53]], 'files'))).toMatchObject({ seriesChanged: 0 });
    expect(await pieces(db)).toEqual([['stooq', 'raw', '2020-01-01', '2020-01-08']]);
  });
});
