/** Every real file of daily candles: accepted rows, refused rows and the reasons. */

import { beforeAll, describe, expect, it } from 'vitest';
import type { Basis } from '../../../src/base/bars.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import type { FetchContext } from '../../../src/ingest/contract/fetch-context.ts';
import { fetchFiles, fetchStooq } from '../../../src/ingest/files/source.ts';
import { sharedFolder } from '../../support/folders.ts';
import { hasRealdata, realdata } from '../../support/realdata.ts';
import { fetchAll, fetchOne, type Row, testContext } from '../support/segment-rows.ts';

interface Expected {
  basis: Basis;
  accepted: number;
  reasons?: Record<string, number>;
  /** First and last date. */
  from: string;
  to: string;
  /** Close of the last day. */
  close: number;
}

/** Files of one symbol. */
const FILES: Record<string, Expected> = {
  'daily/other/SPY_D.pandas-ta.csv': {
    basis: 'raw',
    accepted: 5241,
    from: '1999-11-01',
    to: '2020-08-28',
    close: 350.58,
  },
  // Its first row holds the time of the download instead of a date.
  'daily/other/tesla-stock-price.csv': {
    basis: 'raw',
    accepted: 756,
    reasons: { "date is not one of the file's format": 1 },
    from: '2015-10-15',
    to: '2018-10-15',
    close: 259.59,
  },
  // Stamped at midnight in New York, as UTC shows it.
  'intraday/marketstore/aapl_raw.csv': {
    basis: 'raw',
    accepted: 43,
    from: '2020-08-03',
    to: '2020-10-01',
    close: 116.79,
  },
  'intraday/marketstore/aapl_adj.csv': {
    basis: 'raw',
    accepted: 43,
    from: '2020-08-03',
    to: '2020-10-01',
    close: 116.79,
  },
  'daily/skender/default.csv': {
    basis: 'raw',
    accepted: 502,
    from: '2017-01-03',
    to: '2018-12-31',
    close: 245.28,
  },
  'daily/skender/longest.csv': {
    basis: 'raw',
    accepted: 15_821,
    from: '1950-01-03',
    to: '2012-11-15',
    close: 1353.33,
  },
  'daily/skender/msft.csv': {
    basis: 'raw',
    accepted: 8111,
    from: '1990-01-02',
    to: '2022-03-10',
    close: 285.59,
  },
  'daily/yahoo_csv/brk-b.csv': {
    basis: 'split',
    accepted: 251,
    from: '2022-11-30',
    to: '2023-11-29',
    close: 358.690002,
  },
  'daily/yahoo_csv/sp500-2000.csv': {
    basis: 'split',
    accepted: 5105,
    from: '2000-01-03',
    to: '2020-04-17',
    close: 2874.560059,
  },
  'daily/yfinance_csv/CALM-1d-no-bad-divs.csv': {
    basis: 'split',
    accepted: 662,
    from: '2022-01-03',
    to: '2024-08-21',
    close: 71.88999938964844,
  },
  'daily/yfinance_csv/EWG-1d-no-bad-divs.csv': {
    basis: 'split',
    accepted: 662,
    from: '2022-01-03',
    to: '2024-08-21',
    close: 32.040000915527344,
  },
  'nasty/skender/bad.csv': {
    basis: 'raw',
    accepted: 337,
    reasons: {
      'date is missing': 50,
      'high is below open or close': 4,
      'high is not above zero': 1,
      'low is above open or close': 5,
      'low is not above zero': 1,
      'open is missing': 51,
      'open is not above zero': 52,
      'volume is below zero': 1,
    },
    from: '2017-01-03',
    to: '2018-12-31',
    close: 245.28,
  },
  'nasty/skender/mismatch.csv': {
    basis: 'raw',
    accepted: 502,
    from: '2016-01-18',
    to: '2018-12-31',
    close: 245.28,
  },
  'nasty/yfinance/4063-T-1d-bad-stock-split.csv': {
    basis: 'split',
    accepted: 22,
    from: '2023-03-15',
    to: '2023-04-14',
    close: 4129,
  },
  'nasty/yfinance/8TRA-DE-1d-missing-div-adjust.csv': {
    basis: 'split',
    accepted: 5,
    from: '2023-05-30',
    to: '2023-06-06',
    close: 18.65999984741211,
  },
  'nasty/yfinance/AET-L-1d-100x-error.csv': {
    basis: 'split',
    accepted: 23,
    from: '2022-05-03',
    to: '2022-06-06',
    close: 0.14550000429153442,
  },
  'nasty/yfinance/ALPHA-PA-1d-bad-stock-split.csv': {
    basis: 'split',
    accepted: 29,
    from: '2023-04-20',
    to: '2023-05-31',
    close: 0.3799999952316284,
  },
  'nasty/yfinance/CNE-L-1d-bad-stock-split.csv': {
    basis: 'split',
    accepted: 10,
    from: '2023-05-04',
    to: '2023-05-18',
    close: 196.839996337891,
  },
  'nasty/yfinance/DEX-AX-1d-bad-stock-split.csv': {
    basis: 'split',
    accepted: 23,
    from: '2023-05-01',
    to: '2023-05-31',
    close: 0.120290003716946,
  },
  'nasty/yfinance/LA-V-1d-bad-stock-split.csv': {
    basis: 'split',
    accepted: 41,
    from: '2020-08-04',
    to: '2020-09-30',
    close: 4.44999980926514,
  },
  'nasty/yfinance/MOB-ST-1d-bad-stock-split.csv': {
    basis: 'split',
    accepted: 16,
    from: '2023-05-08',
    to: '2023-05-30',
    close: 20.450000762939453,
  },
  'nasty/yfinance/SAND-1d-bad-div.csv': {
    basis: 'split',
    accepted: 662,
    from: '2022-01-03',
    to: '2024-08-21',
    close: 5.619999885559082,
  },
  'nasty/yfinance/SPM-MI-1d-bad-stock-split.csv': {
    basis: 'split',
    accepted: 22,
    from: '2022-06-01',
    to: '2022-06-30',
    close: 2.555000066757202,
  },
  'nasty/yfinance/SSW-JO-1d-100x-error.csv': {
    basis: 'split',
    accepted: 25,
    reasons: { 'high is below open or close': 3, 'low is above open or close': 1 },
    from: '2023-05-03',
    to: '2023-06-09',
    close: 33.619999,
  },
};

/** Files that are not read at all. */
const REFUSED: Record<string, string> = {
  'nasty/cinar/empty.csv': 'it has a header and no rows',
  'nasty/yfinance/ASAI-L-1h-bad-unit.csv':
    'it holds bars of 1h, and bars of 1d, 1m and 5m are read',
  // Yahoo's responses go through `backfill yahoo`.
  'intraday/yahoo_v8_chart/chart-AAPL-2025-02-01-to-2025-02-02-includePrePost-false-interval-1m.json':
    'no header is recognised',
};

describe.skipIf(!hasRealdata)('real files', () => {
  const root = sharedFolder();
  let context: FetchContext;
  beforeAll(async () => {
    context = testContext(root, '2026-11-20T22:00:00Z');
  });

  const read = (path: string) =>
    fetchOne(fetchFiles({ path: realdata(path), symbol: 'TEST' }, context));

  it.each(Object.entries(FILES))('%s', async (path, expected) => {
    const { rows, accepted, reasons, segment } = await read(path);
    expect({
      basis: segment.basis,
      accepted,
      reasons,
      from: rows[0].date,
      to: rows[rows.length - 1].date,
      close: rows[rows.length - 1].close,
    }).toEqual({ reasons: {}, ...expected });
  });

  it.each(Object.keys(FILES).filter((path) => path.startsWith('nasty/yfinance')))(
    'the repaired twin of %s has as many rows',
    async (path) => {
      const twin = await read(path.replace('.csv', '-fixed.csv'));
      const expected = FILES[path];
      expect([twin.accepted, twin.reasons]).toEqual([expected.accepted, expected.reasons ?? {}]);
    },
  );

  it.each(Object.entries(REFUSED))('%s is not read', async (path, reason) => {
    await expect(read(path)).rejects.toThrow(reason);
  });

  it('nasty/skender/zeros.csv gives nothing but refusals', async () => {
    const { accepted, reasons } = await read('nasty/skender/zeros.csv');
    expect([accepted, reasons]).toEqual([0, { 'open is not above zero': 200 }]);
  });

  it('dash-stock-ticker-demo.csv gives raw bars and actions of five symbols', async () => {
    const path = realdata('daily/other/dash-stock-ticker-demo.csv');
    const { segment, rows, reasons } = await fetchOne(fetchFiles({ path }, context));
    expect(segment.basis).toBe('raw');
    expect(reasons).toEqual({});
    const bySymbol = Map.groupBy(rows, (row) => row.symbol);
    expect([...bySymbol].map(([symbol, bars]) => [symbol, bars.length])).toEqual([
      ['AAPL', 753],
      ['COKE', 754],
      ['GOOGL', 754],
      ['TSLA', 754],
      ['YHOO', 619],
    ]);
    const apple = segment.actions?.find(({ symbol }) => symbol === 'AAPL');
    expect(apple?.splits).toEqual([]);
    expect(apple?.dividends[0]).toMatchObject({ exDay: dayFromDate('2015-02-05'), amount: 0.47 });
  });

  it('a day of SPY by the minute splits at the close', async () => {
    const path = realdata('intraday/skender_intraday_1m_SPY.csv');
    const [regular, extended, ...others] = await fetchAll(
      fetchFiles({ path, symbol: 'SPY' }, context),
    );
    expect(others).toEqual([]);
    expect([regular.segment.interval, regular.segment.hours]).toEqual(['1m', 'regular']);
    expect([extended.segment.interval, extended.segment.hours]).toEqual(['1m', 'extended']);
    expect([regular.accepted, regular.rejected, extended.accepted, extended.rejected]).toEqual([
      1560, 0, 4, 0,
    ]);
    expect(regular.rows[0]).toEqual({
      symbol: 'SPY',
      date: '2020-12-15T14:30:00Z',
      open: 367.4,
      high: 367.62,
      low: 367.36,
      close: 367.46,
      volume: 407870,
    });
    expect(extended.rows.map(({ date }) => date)).toEqual([
      '2020-12-15T21:00:00Z',
      '2020-12-16T21:00:00Z',
      '2020-12-17T21:00:00Z',
      '2020-12-18T21:00:00Z',
    ]);
  });

  it("Alpaca's messages give the last five minutes before a close", async () => {
    const path = realdata('intraday/trading-signals/alpaca_ws_bars_AAPL_1m.json');
    const { segment, rows, rejected } = await fetchOne(fetchFiles({ path }, context));
    expect([segment.interval, segment.hours, segment.basis]).toEqual(['1m', 'regular', 'raw']);
    expect(rejected).toBe(0);
    expect(rows.map(({ symbol, date, volume }) => [symbol, date, volume])).toEqual([
      ['AAPL', '2023-08-25T19:55:00Z', 6674],
      ['AAPL', '2023-08-25T19:56:00Z', 6962],
      ['AAPL', '2023-08-25T19:57:00Z', 8095],
      ['AAPL', '2023-08-25T19:58:00Z', 11450],
      ['AAPL', '2023-08-25T19:59:00Z', 69067],
    ]);
  });

  it('the intraday folder names what it leaves out', async () => {
    const path = realdata('intraday');
    const { segment, accepted } = await fetchOne(fetchFiles({ path }, context));
    expect(accepted).toBe(5);
    expect(segment.skipped).toHaveLength(24);
    expect(new Set(segment.skipped.map(({ reason }) => reason))).toEqual(
      new Set([
        'its name is not a ticker; say whose candles it holds with --symbol',
        'no header is recognised; a header is like: date,open,high,low,close,volume',
      ]),
    );
  });

  it('a folder gives its files by name', async () => {
    const path = realdata('daily/skender');
    const segments = await fetchAll(fetchFiles({ path }, context));
    expect(segments.map(({ segment }) => segment.basis)).toEqual(['raw']);
    expect(segments[0].segment.files.map(({ symbol }) => symbol)).toEqual([
      'DEFAULT',
      'LONGEST',
      'MSFT',
    ]);
  });

  it("Stooq's bulk zip gives 33 funds", async () => {
    const path = realdata('daily/stooq_bulk/d_us_txt.zip');
    const { segment, accepted, reasons, rows } = await fetchOne(
      fetchStooq({ path }, context),
      "symbol = 'SPY'",
    );
    expect([segment.basis, segment.files.length, accepted]).toEqual(['all', 33, 170_954]);
    expect(reasons).toEqual({ 'open is not above zero': 1 });
    expect(segment.skipped).toEqual([]);
    expect(rowOf(rows, 'SPY', '2010-01-04')?.close).toBeCloseTo(87.44, 2);
  });

  it('universe_2017.zip gives 1,680 symbols', async () => {
    const path = realdata('daily/universe_2017.zip');
    const { segment, accepted, rejected, reasons, rows } = await fetchOne(
      fetchFiles({ path }, context),
      "volume = 0 OR symbol IN ('SPY', 'SRC.PRA')",
    );
    expect([segment.basis, segment.files.length]).toEqual(['all', 1680]);
    expect([accepted, rejected]).toEqual([1_846_088, 8]);
    expect(reasons).toEqual({
      'low is above open or close': 3,
      'low is not above zero': 2,
      'open is not above zero': 3,
    });
    expect(segment.skipped).toHaveLength(32);
    expect(new Set(segment.skipped.map(({ reason }) => reason))).toEqual(
      new Set(['it has zero bytes']),
    );
    expect(rowOf(rows, 'SPY', '2010-01-04')?.close).toBeCloseTo(98.73, 2);
    expect(rowOf(rows, 'SRC.PRA', '2017-11-10')).toBeDefined();
    // Two of the 12,616 rows without volume have a price of zero.
    expect(rows.filter(({ volume }) => volume === 0)).toHaveLength(12_614);
  });
});

function rowOf(rows: readonly Row[], symbol: string, date: string): Row | undefined {
  return rows.find((row) => row.symbol === symbol && row.date === date);
}
