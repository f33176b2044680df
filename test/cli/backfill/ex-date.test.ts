/**
 * Apple's four-for-one split of 2020-08-31, from real unadjusted and adjusted bars: on the ex-date
 * the previous close is the unadjusted one divided by four, whichever bars were loaded.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRealdata, realdata } from '../../support/realdata.ts';
import { createCliFolder } from '../support/run-cli.ts';
import { served } from '../support/served.ts';

const EX_DATE = '2020-08-31';

interface Bar {
  date: string;
  close: number;
  line: string;
}

function barsThroughExDate(name: string): Bar[] {
  const [, ...lines] = readFileSync(realdata(`intraday/marketstore/${name}`), 'utf8')
    .trim()
    .split('\n');
  return lines
    .map((line) => ({ date: line.slice(0, 10), close: Number(line.split(',')[4]), line }))
    .filter(({ date }) => date <= EX_DATE);
}

describe.skipIf(!hasRealdata)('the quote of an ex-date', () => {
  const raw = createCliFolder();
  const adjusted = createCliFolder();
  const quotes: Record<string, { price: number; previousClose: number; change: number }> = {};

  beforeAll(async () => {
    const header = 'Date,Open,High,Low,Close,Volume';
    const withSplits = barsThroughExDate('aapl_raw.csv').map(
      ({ date, line }) => `${line},0,${date === EX_DATE ? 4 : 0}`,
    );
    const files = [
      [raw, [`${header},Dividends,Stock Splits`, ...withSplits], 'raw'],
      [adjusted, [header, ...barsThroughExDate('aapl_adj.csv').map(({ line }) => line)], 'split'],
    ] as const;
    for (const [folder, lines, basis] of files) {
      const path = join(folder.dataDir, 'aapl.csv');
      writeFileSync(path, `${lines.join('\n')}\n`);
      const report = await folder.json('backfill', 'files', 'candles', path, '--basis', basis);
      expect(report.rejected).toBe(0);
      const get = await served(folder);
      quotes[basis] = (await get('quotes/AAPL')).body;
    }
  });
  afterAll(() => Promise.all([raw.remove(), adjusted.remove()]));

  it('has the split-adjusted previous close out of unadjusted bars', () => {
    const [before, exDate] = barsThroughExDate('aapl_raw.csv').slice(-2);
    expect(exDate.date).toBe(EX_DATE);
    expect(quotes.raw.price).toBe(exDate.close);
    expect(quotes.raw.previousClose).toBe(before.close / 4);
    // The two have four decimals.
    expect(quotes.raw.change).toBe(Number((exDate.close - before.close / 4).toFixed(4)));
  });

  it('is the same out of adjusted bars', () => {
    expect(quotes.split.price).toBe(quotes.raw.price);
    expect(quotes.split.previousClose).toBeCloseTo(quotes.raw.previousClose, 4);
  });
});
