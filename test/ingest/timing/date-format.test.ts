import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { dateFromDay, dayFromDate } from '../../../src/base/time/dates.ts';
import {
  type DateFormat,
  dateOrderFromText,
  dateSql,
  dayFromText,
  possibleDateFormats,
  strptimeFormat,
} from '../../../src/ingest/timing/date-format.ts';

const today = dayFromDate('2026-11-20');

/** Text, format, and the date or undefined. */
const CASES: [string, DateFormat, string | undefined][] = [
  ['2017-01-03', 'ymd', '2017-01-03'],
  ['2018/10/15', 'ymd', '2018-10-15'],
  ['2017-1-3', 'ymd', '2017-01-03'],
  ['2022-01-03 00:00:00-05:00', 'ymd', '2022-01-03'],
  ['2022-01-03T23:30:00Z', 'ymd', '2022-01-03'],
  ['2022-01-03T00:00:00.000Z', 'ymd', '2022-01-03'],
  ['2017-02-29', 'ymd', undefined],
  ['2016-02-29', 'ymd', '2016-02-29'],
  ['2018-10-15 garbage', 'ymd', undefined],
  ['11:34', 'ymd', undefined],
  ['1/2/1990', 'mdy', '1990-01-02'],
  ['1/2/1990', 'dmy', '1990-02-01'],
  ['03.04.2017', 'dmy', '2017-04-03'],
  ['13/1/2017', 'mdy', undefined],
  ['10/17/17', 'mdy', '2017-10-17'],
  ['10/17/69', 'mdy', '1969-10-17'],
  ['10/17/68', 'mdy', '2068-10-17'],
  ['17-10-03', 'ymd', '2017-10-03'],
  ['19840907', 'compact', '1984-09-07'],
  ['19841307', 'compact', undefined],
  ['1577975400', 'epoch', '2020-01-02'],
  ['1577975400000', 'epoch', '2020-01-02'],
  ['', 'ymd', undefined],
];

describe('a date text', () => {
  it.each(CASES)('%s as %s is %s', (text, format, date) => {
    const day = dayFromText(text, format);
    expect(day === undefined ? undefined : dateFromDay(day)).toBe(date);
  });

  it('is the same date in SQL', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const columns = CASES.map(([text, format]) => `(${dateSql(`'${text}'`, format)})::VARCHAR`);
    const reader = await connection.runAndReadAll(`SELECT ${columns.join(', ')}`);
    expect(reader.getRows()[0]).toEqual(CASES.map(([, , date]) => date ?? null));
    connection.disconnectSync();
    instance.closeSync();
  });
});

describe('the format of a file', () => {
  it('is the one in which most samples are dates', () => {
    expect(possibleDateFormats(['11:34', '2018/10/15', '2018/10/12'], today)).toEqual(['ymd']);
    expect(possibleDateFormats(['1/12/2017', '1/13/2017'], today)).toEqual(['mdy']);
    expect(possibleDateFormats(['12.1.2017', '13.1.2017'], today)).toEqual(['dmy']);
    expect(possibleDateFormats(['01/03/17', '10/17/17'], today)).toEqual(['mdy']);
    expect(possibleDateFormats(['20170103'], today)).toEqual(['compact']);
  });

  it('is undecided while every day and month is at most 12', () => {
    expect(possibleDateFormats(['03/04/2017', '04/04/2017'], today)).toEqual(['mdy', 'dmy']);
    expect(possibleDateFormats(['03/04/05'], today)).toEqual(['ymd', 'mdy', 'dmy']);
  });

  it('is not one that puts dates into the future', () => {
    expect(possibleDateFormats(['01/12/2026', '01/11/2026'], today)).toEqual(['mdy']);
  });

  it('is undefined without any date', () => {
    expect(possibleDateFormats(['a', 'b'], today)).toEqual([]);
  });
});

describe('the typed reader', () => {
  it('takes uniform dates with four-digit years', () => {
    expect(strptimeFormat(['2017-01-03', '2017-01-04'], 'ymd')).toBe('%Y-%m-%d');
    expect(strptimeFormat(['1/2/1990'], 'mdy')).toBe('%m/%d/%Y');
    expect(strptimeFormat(['19840907'], 'compact')).toBe('%Y%m%d');
  });

  it('does not take times, two-digit years, mixed separators or epochs', () => {
    expect(strptimeFormat(['2022-01-03 00:00:00-05:00'], 'ymd')).toBeUndefined();
    expect(strptimeFormat(['01/03/17'], 'mdy')).toBeUndefined();
    expect(strptimeFormat(['2017-01-03', '2017/01/04'], 'ymd')).toBeUndefined();
    expect(strptimeFormat(['1577975400'], 'epoch')).toBeUndefined();
  });
});

describe('--date-format', () => {
  it('reads any usual spelling', () => {
    expect(['mdy', 'M/D/YYYY', '%m/%d/%Y', 'MM-DD-YY'].map(dateOrderFromText)).toEqual(
      Array(4).fill('mdy'),
    );
    expect(dateOrderFromText('DD.MM.YYYY')).toBe('dmy');
  });

  it('names a text that is not an order', () => {
    expect(() => dateOrderFromText('myd')).toThrow(
      'must be an order like mdy, dmy or ymd, got "myd"',
    );
  });
});
