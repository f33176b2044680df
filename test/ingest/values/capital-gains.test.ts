/**
 * Capital gains of funds. Yahoo's dividends of JENYX contain the gains stated next to them, and its
 * adjusted close takes off both: 33.68, although 16.88 was paid.
 */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FetchedSegment } from '../../../src/ingest/contract/fetch-context.ts';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { capitalGainDecision, type GainDay } from '../../../src/ingest/values/capital-gains.ts';
import { parseYahooChart } from '../../../src/ingest/vendors/yahoo/parse-chart.ts';
import { hasRealdata, realdata } from '../../support/realdata.ts';
import { eachTest } from '../support/each-test.ts';
import { testContext } from '../support/segment-rows.ts';

const DAY: GainDay = {
  dividend: 16.88,
  gain: 16.803,
  closeBefore: 60.71,
  close: 43.38,
  factor: null,
};

const decide = (...days: Partial<GainDay>[]) =>
  capitalGainDecision(
    'A',
    days.map((day) => ({ ...DAY, ...day })),
  )?.isContained;

describe('capital gains', () => {
  it('are contained in the dividend if the price falls by it', () => {
    expect(decide({})).toBe(true);
  });

  it('are added to the dividend if the price falls by both', () => {
    expect(decide({ close: 27 })).toBe(false);
  });

  it('are added to a smaller dividend', () => {
    expect(decide({}, { dividend: 0.2 })).toBe(false);
  });

  it('are decided by all days together, so that one day of a rising market decides nothing', () => {
    expect(decide({}, { dividend: 1.4, gain: 1.2, closeBefore: 58.5, close: 55.5 })).toBe(true);
  });

  it('are contained if the adjusted close takes off the dividend alone', () => {
    const quiet = { dividend: 0.6, gain: 0.5, closeBefore: 60, close: 58.8 };
    expect(decide({ ...quiet, factor: null })).toBe(false);
    expect(decide({ ...quiet, factor: 1 - 0.6 / 60 })).toBe(true);
    // A vendor that counts twice takes off both, so the price decides.
    expect(decide({ factor: 1 - 33.683 / 60.71 })).toBe(true);
  });

  it('are taken as stated without prices', () => {
    expect(decide({ closeBefore: null })).toBe(false);
  });

  it('need no decision for a symbol without any', () => {
    expect(decide({ gain: 0 })).toBe(undefined);
    expect(decide()).toBe(undefined);
  });
});

describe('capital gains of a chart', () => {
  const body = (close: number[]) => {
    const timestamp = [1580913000, 1580999400];
    const paid = (amount: number) => ({ a: { amount, date: 1580999400 } });
    const result = {
      meta: { symbol: 'FUND', exchangeTimezoneName: 'America/New_York', dataGranularity: '1d' },
      timestamp,
      events: { dividends: paid(4), capitalGains: paid(3.5) },
      indicators: {
        quote: [{ open: close, high: close, low: close, close, volume: [0, 0] }],
        adjclose: [{ adjclose: [null, null] }],
      },
    };
    return JSON.stringify({ chart: { result: [result], error: null } });
  };

  it('are counted once, with a note', () => {
    const { dividends, notes } = parseYahooChart(body([60, 56.2]), 'FUND');
    expect(dividends).toMatchObject([{ amount: 4 }]);
    expect(notes).toEqual([
      'FUND: its dividends contain the capital gains stated beside them ' +
        '(on one day the price fell by 3.80, with 4.00 of dividends and 3.50 of gains)',
    ]);
  });

  it('are added if the price falls by both', () => {
    const { dividends, notes } = parseYahooChart(body([60, 52.1]), 'FUND');
    expect(dividends).toMatchObject([{ amount: 7.5 }]);
    expect(notes[0]).toContain('FUND: its capital gains are paid beside its dividends');
  });
});

describe('capital gains of a file', () => {
  const at = eachTest();

  async function load(path: string): Promise<FetchedSegment> {
    const segments: FetchedSegment[] = [];
    const context = testContext(at.root, '2026-11-20T22:00:00Z');
    const options = { dataset: 'candles', path, symbol: 'JENYX' };
    for await (const segment of fetchFiles(options, context)) {
      segments.push(segment as FetchedSegment);
    }
    return segments[0];
  }

  const paid = ({ actions = [] }: FetchedSegment) =>
    actions[0].dividends.map(({ amount }) => Math.round(amount * 1000) / 1000);

  it('are added to a dividend of raw prices that holds none of them', async () => {
    const path = join(at.root, 'FUND.csv');
    await writeFile(
      path,
      'Date,Open,High,Low,Close,Volume,Dividends,Stock Splits,Capital Gains\n' +
        '2025-11-12,60,60,60,60,0,0,0,0\n2025-11-13,52,52,52,52,0,4,0,3.5\n',
    );
    const segment = await load(path);
    expect(paid(segment)).toEqual([7.5]);
    expect(segment.notes?.[0]).toContain('paid beside its dividends');
  });

  it.skipIf(!hasRealdata)('are counted once in a real file, as in its repaired twin', async () => {
    const [doubled, repaired] = [
      await load(realdata('nasty/yfinance/JENYX-1d-cg-double-count.csv')),
      await load(realdata('nasty/yfinance/JENYX-1d-cg-double-count-fixed.csv')),
    ];
    expect(paid(doubled)).toEqual(paid(repaired));
    expect(paid(doubled).at(-1)).toBe(16.88);
    expect(doubled.notes?.[0]).toContain('JENYX: its dividends contain the capital gains');
    expect(repaired.notes?.[0]).toContain('(the adjusted close shows it)');
  });
});
