import { expect, test } from 'vitest';
import {
  compactChanges,
  readPendingChanges,
} from '../../../../src/store/duckdb/connection/changes.ts';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import { freshStore, query } from '../support/fixtures.ts';

/** Four loads: SPY and QQQ get a day each time, GONE is removed by the second. */
async function storeWithChanges(): Promise<MarketDb> {
  const db = await freshStore();
  await db.connection.run(`INSERT INTO changes VALUES
    (1, 'SPY', '1d', 'rewrite', '2020-01-01'), (1, 'GONE', '1d', 'rewrite', '2020-01-01'),
    (2, 'SPY', '1d', 'append', '2020-01-02'), (2, 'GONE', '1d', 'remove', '2020-01-01'),
    (3, 'SPY', '1d', 'append', '2020-01-03'), (3, 'SPY', '1m', 'append', '2020-01-03'),
    (4, 'SPY', '1d', 'append', '2020-01-04'), (4, 'QQQ', '1d', 'rewrite', '2020-01-04')`);
  return db;
}

test('changes are compacted once there are twice as many as are kept', async () => {
  const db = await storeWithChanges();
  await compactChanges(db.connection, 4);
  expect(await query(db, 'SELECT count(*) FROM changes')).toEqual([[8]]);
  await compactChanges(db.connection, 3);
  expect(await query(db, 'FROM changes ORDER BY seq, symbol, interval')).toEqual([
    [2, 'GONE', '1d', 'remove', '2020-01-01T00:00:00.000Z'],
    [3, 'SPY', '1d', 'rewrite', '2020-01-01T00:00:00.000Z'],
    [3, 'SPY', '1m', 'append', '2020-01-03T00:00:00.000Z'],
    [4, 'QQQ', '1d', 'rewrite', '2020-01-04T00:00:00.000Z'],
    [4, 'SPY', '1d', 'append', '2020-01-04T00:00:00.000Z'],
  ]);
});

test('compacted changes cover all changes for any publisher, and are equal for a recent one', async () => {
  const whole = await storeWithChanges();
  const compacted = await storeWithChanges();
  await compactChanges(compacted.connection, 3);
  for (const afterSeq of [0, 3, 4]) {
    expect(await readPendingChanges(compacted, afterSeq)).toEqual(
      await readPendingChanges(whole, afterSeq),
    );
  }
  for (const afterSeq of [1, 2]) {
    const { changes } = await readPendingChanges(compacted, afterSeq);
    expect(changes.find(({ symbol }) => symbol === 'SPY')).toMatchObject({ kind: 'rewrite' });
  }
});

test.each([2, 5])(
  'a series that came back after its removal is rewritten, by load %i',
  async (seq) => {
    const db = await storeWithChanges();
    await db.connection.run(
      `INSERT INTO changes VALUES (${seq}, 'GONE', '1d', 'rewrite', '2020-01-03')`,
    );
    expect((await readPendingChanges(db, 1)).changes[0]).toEqual({
      symbol: 'GONE',
      interval: '1d',
      kind: 'rewrite',
      fromUs: Date.parse('2020-01-01') * 1000,
    });
  },
);
