/** The quarters and days of EDGAR that cover a time, and the requests that they take. */

import { describe, expect, it } from 'vitest';
import { MalformedInputError } from '../../../../src/base/errors.ts';
import { dateFromDay, dayFromDate } from '../../../../src/base/time/dates.ts';
import { source } from '../../../../src/ingest/vendors/form4/source.ts';
import {
  indexName,
  namesInFolder,
  weekdaysBetween,
} from '../../../../src/ingest/vendors/shared/edgar-archive.ts';
import { quartersBetween } from '../../../../src/ingest/vendors/shared/quarters.ts';

const NOW_MS = Date.parse('2025-04-10T16:00:00Z');

describe('quarters and days of EDGAR', () => {
  it('are those that have any of the days', () => {
    const quarters = quartersBetween(dayFromDate('2024-12-31'), dayFromDate('2025-04-01'));
    expect(
      quarters.map(({ name, folder, firstDay, lastDay }) =>
        [name, folder, dateFromDay(firstDay), dateFromDay(lastDay)].join(' '),
      ),
    ).toEqual([
      '2024q4 2024/QTR4 2024-10-01 2024-12-31',
      '2025q1 2025/QTR1 2025-01-01 2025-03-31',
      '2025q2 2025/QTR2 2025-04-01 2025-06-30',
    ]);
    expect(quartersBetween(2, 1)).toEqual([]);
  });

  it('are weekdays, holidays of the exchange among them: EDGAR is open on Good Friday', () => {
    const days = weekdaysBetween(dayFromDate('2025-04-17'), dayFromDate('2025-04-21'));
    expect(days.map(indexName)).toEqual([
      'form.20250417.idx',
      'form.20250418.idx',
      'form.20250421.idx',
    ]);
  });

  it('are listed in index.json', () => {
    const text = '{"directory":{"item":[{"name":"form.20250417.idx"},{"size":1},null]}}';
    expect(namesInFolder(text).has('form.20250417.idx')).toBe(true);
    for (const other of ['', '[]', '{}', '{"directory":{"item":{}}}', '<html>']) {
      expect(() => namesInFolder(other)).toThrow(MalformedInputError);
    }
  });
});

describe('the dry run', () => {
  it('counts data sets, days and filings', () => {
    const plan = source.dryRun({ fromDay: dayFromDate('2025-02-14') }, NOW_MS);
    // One data set, one list, and eight days with an index and a thousand filings each.
    expect(plan).toMatchObject({ requests: 1 + 1 + 8 * 1001, bars: 0 });
  });

  it('counts few filings of few companies', () => {
    const options = { fromDay: dayFromDate('2025-04-01'), symbols: ['AAPL'] };
    expect(source.dryRun(options, NOW_MS)).toMatchObject({ requests: 1 + 8 * 2 });
  });

  it('refuses files on disk, which take no requests', () => {
    expect(() => source.dryRun({ paths: ['x'] }, NOW_MS)).toThrow(/leave out --plan/);
    expect(() => source.dryRun({ path: 'x' }, NOW_MS)).toThrow(/leave out --plan/);
  });
});
