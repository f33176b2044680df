import { expect, test } from 'vitest';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import {
  formerTickersOf,
  rowsByName,
  tickerOn,
} from '../../../../src/store/arrow/snapshot/current-symbols.ts';
import { emptySnapshot } from '../../../../src/store/arrow/snapshot/empty-snapshot.ts';
import type { Listings } from '../../../../src/store/arrow/snapshot/snapshot.ts';

function listingsOf(rows: [symbol: string, formerTickers: string][]): Listings {
  return {
    ...emptySnapshot.listings,
    symbol: rows.map(([symbol]) => symbol),
    formerTickers: rows.map(([, former]) => former),
  };
}

test('reads former tickers with the day they were left', () => {
  const listings = listingsOf([
    ['META', 'TFB 2012-05-17,FB 2022-06-08'],
    ['SPY', ''],
  ]);
  expect(formerTickersOf(listings, 0)).toEqual([
    { ticker: 'TFB', lastDate: '2012-05-17' },
    { ticker: 'FB', lastDate: '2022-06-08' },
  ]);
  expect(formerTickersOf(listings, 1)).toEqual([]);
});

test('resolves a name to its present security, else to the one that had it last', () => {
  const listings = listingsOf([
    ['ABC', 'XYZ 2019-01-01'],
    ['FB', ''],
    ['META', 'FB 2022-06-08'],
    ['XYZ.201512', 'XYZ 2015-12-15'],
  ]);
  const rows = rowsByName(listings);
  const names = ['FB', 'META', 'XYZ', 'XYZ.201512', 'NOPE'];
  expect(names.map((name) => listings.symbol[rows.get(name) ?? -1])).toEqual([
    'FB',
    'META',
    'ABC',
    'XYZ.201512',
    undefined,
  ]);
});

test('names a security by the ticker that it had on a day', () => {
  const listings = listingsOf([
    ['META', 'TFB 2012-05-17,FB 2022-06-08'],
    ['SPY', ''],
    ['XYZ.201512', 'ABC 2014-05-30,XYZ 2015-12-15'],
  ]);
  const named = (row: number, date: string) => tickerOn(listings, row, dayFromDate(date));
  expect(
    ['2012-05-17', '2012-05-18', '2022-06-08', '2022-06-09'].map((date) => named(0, date)),
  ).toEqual(['TFB', 'FB', 'FB', 'META']);
  expect(named(1, '2000-01-03')).toBe('SPY');
  expect(['2014-05-30', '2015-12-15', '2015-12-18'].map((date) => named(2, date))).toEqual([
    'ABC',
    'XYZ',
    'XYZ',
  ]);
});
