import { describe, expect, test } from 'vitest';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import {
  delisted,
  holderOf,
  renamed,
  type TickerSpan,
} from '../../../../src/store/duckdb/securities/ticker-history.ts';

function span(securityId: number, ticker: string, from: string, to: string): TickerSpan {
  const day = (date: string) => (date === '' ? null : dayFromDate(date));
  return { securityId, ticker, fromDay: day(from), toDay: day(to) };
}

const stated = (ticker: string, first: string, last: string) => ({
  ticker,
  firstDay: dayFromDate(first),
  lastDay: dayFromDate(last),
});

describe('the holder of a ticker', () => {
  const meta = [span(1, 'META', '', '2022-01-30'), span(2, 'META', '2022-06-09', '')];

  test('is who had it on the newest day that an input states', () => {
    expect(holderOf(meta, stated('META', '2021-06-30', '2022-01-28'))).toBe(1);
    expect(holderOf(meta, stated('META', '2012-05-18', '2026-01-05'))).toBe(2);
  });

  test('is who left it last, where the input began before that and goes on', () => {
    const left = [span(1, 'FB', '', '2022-06-08')];
    expect(holderOf(left, stated('FB', '2012-05-18', '2022-06-10'))).toBe(1);
    expect(holderOf(left, stated('FB', '2022-06-09', '2022-06-10'))).toBeUndefined();
  });

  test('is the next one that had it, if none had it then: vendors report the past under the new ticker', () => {
    expect(
      holderOf([span(2, 'META', '2022-06-09', '')], stated('META', '2012-05-18', '2017-11-10')),
    ).toBe(2);
    expect(holderOf(meta, stated('META', '2022-03-01', '2022-03-02'))).toBe(2);
  });

  test('is who has it without dates, after all who had it with dates', () => {
    const reused = [span(1, 'XYZ', '', '2015-12-15'), span(2, 'XYZ', '', '')];
    expect(holderOf(reused, stated('XYZ', '2010-01-04', '2014-01-02'))).toBe(1);
    expect(holderOf(reused, stated('XYZ', '2018-01-02', '2019-01-02'))).toBe(2);
  });
});

describe('a history', () => {
  const d = dayFromDate;

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
