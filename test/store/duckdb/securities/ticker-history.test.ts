import { describe, expect, test } from 'vitest';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import {
  delisted,
  holderOf,
  renamed,
  symbolsOf,
  type TickerSpan,
} from '../../../../src/store/duckdb/securities/ticker-history.ts';

function span(securityId: number, ticker: string, from: string, to: string): TickerSpan {
  const day = (date: string) => (date === '' ? null : dayFromDate(date));
  return { securityId, ticker, fromDay: day(from), toDay: day(to) };
}

const stated = (first: string, last: string) => ({
  firstDay: dayFromDate(first),
  lastDay: dayFromDate(last),
});

describe('the holder of a ticker', () => {
  const meta = [span(1, 'META', '', '2022-01-30'), span(2, 'META', '2022-06-09', '')];

  test('is who had it on the newest day that an input states', () => {
    expect(holderOf(meta, stated('2021-06-30', '2022-01-28'))).toBe(1);
    expect(holderOf(meta, stated('2012-05-18', '2026-01-05'))).toBe(2);
  });

  test('is who left it last, where the input began before that and goes on', () => {
    const left = [span(1, 'FB', '', '2022-06-08')];
    expect(holderOf(left, stated('2012-05-18', '2022-06-10'))).toBe(1);
    expect(holderOf(left, stated('2022-06-09', '2022-06-10'))).toBeUndefined();
  });

  test('is the next one that had it, if none had it then: vendors report the past under the new ticker', () => {
    expect(holderOf([span(2, 'META', '2022-06-09', '')], stated('2012-05-18', '2017-11-10'))).toBe(
      2,
    );
    expect(holderOf(meta, stated('2022-03-01', '2022-03-02'))).toBe(2);
  });

  test('is who has it without dates, after all who had it with dates', () => {
    const reused = [span(1, 'XYZ', '', '2015-12-15'), span(2, 'XYZ', '', '')];
    expect(holderOf(reused, stated('2010-01-04', '2014-01-02'))).toBe(1);
    expect(holderOf(reused, stated('2018-01-02', '2019-01-02'))).toBe(2);
  });
});

describe('a history', () => {
  const d = dayFromDate;

  test('gets a ticker from a day on', () => {
    expect(renamed([span(1, 'FB', '', '')], 'META', d('2022-06-09'))).toEqual([
      span(1, 'FB', '', '2022-06-08'),
      span(1, 'META', '2022-06-09', ''),
    ]);
  });

  test('is as before when it is renamed back on the same day', () => {
    const before = [span(1, 'FB', '', '')];
    const there = renamed(before, 'META', d('2022-06-09'));
    expect(renamed(there, 'FB', d('2022-06-09'))).toEqual(before);
  });

  test('has another ticker instead when it is renamed again on the same day', () => {
    const there = renamed([span(1, 'FB', '', '')], 'MTA', d('2022-06-09'));
    expect(renamed(there, 'META', d('2022-06-09'))).toEqual([
      span(1, 'FB', '', '2022-06-08'),
      span(1, 'META', '2022-06-09', ''),
    ]);
  });

  test('can have a ticker twice', () => {
    const there = renamed([span(1, 'A', '', '')], 'B', d('2020-01-02'));
    expect(renamed(there, 'A', d('2021-01-04'))).toEqual([
      span(1, 'A', '', '2020-01-01'),
      span(1, 'B', '2020-01-02', '2021-01-03'),
      span(1, 'A', '2021-01-04', ''),
    ]);
  });

  test('ends with a delisting, whose day can be corrected', () => {
    const ended = delisted([span(1, 'XYZ', '', '')], d('2015-12-15'));
    expect(ended).toEqual([span(1, 'XYZ', '', '2015-12-15')]);
    expect(delisted(ended, d('2015-12-16'))).toEqual([span(1, 'XYZ', '', '2015-12-16')]);
  });

  test('of a second holder begins behind the first', () => {
    const second = [span(2, 'XYZ', '', '')];
    expect(delisted(second, d('2020-01-02'), d('2015-12-15'))).toEqual([
      span(2, 'XYZ', '2015-12-16', '2020-01-02'),
    ]);
  });

  test('takes no day before the present ticker, and no rename after its end', () => {
    const there = renamed([span(1, 'FB', '', '')], 'META', d('2022-06-09'));
    expect(() => renamed(there, 'X', d('2022-06-08'))).toThrow(
      'META is the ticker of this security since 2022-06-09: --on must not be before that',
    );
    expect(() => renamed(delisted(there, d('2023-01-03')), 'X', d('2024-01-02'))).toThrow(
      'META was delisted; its last trading day was 2023-01-03',
    );
  });
});

describe('symbols', () => {
  test('are the present tickers', () => {
    const spans = [
      span(1, 'FB', '', '2022-06-08'),
      span(1, 'META', '2022-06-09', ''),
      span(2, 'FB', '', ''),
    ];
    expect([...symbolsOf(spans)]).toEqual([
      [1, 'META'],
      [2, 'FB'],
    ]);
  });

  test('of delisted securities are their tickers until another has them', () => {
    const first = span(1, 'XYZ', '', '2015-12-15');
    expect(symbolsOf([first]).get(1)).toBe('XYZ');
    expect([...symbolsOf([first, span(2, 'XYZ', '', '')])]).toEqual([
      [1, 'XYZ.201512'],
      [2, 'XYZ'],
    ]);
    const left = [span(2, 'XYZ', '2015-12-16', '2019-01-01'), span(2, 'ABC', '2019-01-02', '')];
    expect([...symbolsOf([first, ...left])]).toEqual([
      [1, 'XYZ.201512'],
      [2, 'ABC'],
    ]);
  });
});
