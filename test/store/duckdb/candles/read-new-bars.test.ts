import { expect, test } from 'vitest';
import { readNewBars } from '../../../../src/store/duckdb/candles/read-new-bars.ts';
import { freshStore, load, risingBars, segmentOf, usOf } from '../support/fixtures.ts';

test('new bars are those from a bar on, by symbol as asked and by time', async () => {
  const db = await freshStore();
  const file = (symbol: string, close: number) => ({
    symbol,
    bars: risingBars('2020-01-01', 5, close),
  });
  await load(db, segmentOf([file('A', 10), file('B', 20)], { basis: 'raw' }));
  await load(db, segmentOf([file('C', 30)], { basis: 'split', asOf: '2020-02-01' }));
  const asked = new Map([
    ['C', Number(usOf('2020-01-04'))],
    ['NONE', Number(usOf('2020-01-01'))],
    ['A', Number(usOf('2020-01-05'))],
    ['B', Number(usOf('2020-01-06'))],
  ]);
  const { bars, symbolIndex, vintageUs } = await readNewBars(db, '1d', asked);
  expect([...symbolIndex]).toEqual([0, 0, 2]);
  expect([...bars.close]).toEqual([33, 34, 14]);
  expect([...bars.timestampUs]).toEqual(['2020-01-04', '2020-01-05', '2020-01-05'].map(usOf));
  expect(vintageUs).toEqual(new Map([['C', usOf('2020-02-01')]]));
});

test('new bars of a piece that continues a better series are scaled to it', async () => {
  const db = await freshStore();
  await load(
    db,
    segmentOf([{ symbol: 'A', bars: risingBars('2020-01-01', 8, 10) }], { source: 'stooq' }),
  );
  await load(db, segmentOf([{ symbol: 'A', bars: risingBars('2020-01-02', 9, 22, 2) }]));
  const { bars } = await readNewBars(db, '1d', new Map([['A', Number(usOf('2020-01-08'))]]));
  expect([...bars.close]).toEqual([17, 18, 19]);
  expect([...bars.volume]).toEqual([1000, 2000, 2000]);
});

test('new bars are none where none are asked', async () => {
  const db = await freshStore();
  await load(db, segmentOf([{ symbol: 'A', bars: risingBars('2020-01-01', 3) }]));
  expect((await readNewBars(db, '1d', new Map())).bars.close).toHaveLength(0);
});
