/** Every real file of daily candles: accepted rows, refused rows and the reasons. */

import { mkdirSync, symlinkSync } from 'node:fs';
import { extname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { fetchFiles, fetchStooq } from '../../../src/ingest/files/source.ts';
import { isLong } from '../../faults/scale.ts';
import { sharedFolder } from '../../support/folders.ts';
import { hasRealdata, realdata } from '../../support/realdata.ts';
import { long, someOf } from '../../support/store-runs.ts';
import { fetchAll, fetchOne, type Row, testContext } from '../support/segment-rows.ts';

/**
 * Files of one symbol: basis, accepted rows, first and last date, close of the last day. The bars of
 * marketstore are stamped at midnight in New York, as UTC shows it.
 */
const FILES = `
daily/other/SPY_D.pandas-ta.csv raw 5241 1999-11-01 2020-08-28 350.58
daily/other/tesla-stock-price.csv raw 756 2015-10-15 2018-10-15 259.59
intraday/marketstore/aapl_raw.csv raw 43 2020-08-03 2020-10-01 116.79
intraday/marketstore/aapl_adj.csv raw 43 2020-08-03 2020-10-01 116.79
daily/skender/default.csv raw 502 2017-01-03 2018-12-31 245.28
daily/skender/longest.csv raw 15821 1950-01-03 2012-11-15 1353.33
daily/skender/msft.csv raw 8111 1990-01-02 2022-03-10 285.59
daily/yahoo_csv/brk-b.csv split 251 2022-11-30 2023-11-29 358.690002
daily/yahoo_csv/sp500-2000.csv split 5105 2000-01-03 2020-04-17 2874.560059
daily/yfinance_csv/CALM-1d-no-bad-divs.csv split 662 2022-01-03 2024-08-21 71.88999938964844
daily/yfinance_csv/EWG-1d-no-bad-divs.csv split 662 2022-01-03 2024-08-21 32.040000915527344
nasty/skender/bad.csv raw 337 2017-01-03 2018-12-31 245.28
nasty/skender/mismatch.csv raw 501 2017-01-03 2018-12-31 245.28
nasty/yfinance/4063-T-1d-bad-stock-split.csv split 22 2023-03-15 2023-04-14 4129
nasty/yfinance/8TRA-DE-1d-missing-div-adjust.csv split 5 2023-05-30 2023-06-06 18.65999984741211
nasty/yfinance/AET-L-1d-100x-error.csv split 23 2022-05-03 2022-06-06 0.14550000429153442
nasty/yfinance/ALPHA-PA-1d-bad-stock-split.csv split 29 2023-04-20 2023-05-31 0.3799999952316284
nasty/yfinance/CNE-L-1d-bad-stock-split.csv split 10 2023-05-04 2023-05-18 196.839996337891
nasty/yfinance/DEX-AX-1d-bad-stock-split.csv split 23 2023-05-01 2023-05-31 0.120290003716946
nasty/yfinance/LA-V-1d-bad-stock-split.csv split 41 2020-08-04 2020-09-30 4.44999980926514
nasty/yfinance/MOB-ST-1d-bad-stock-split.csv split 16 2023-05-08 2023-05-30 20.450000762939453
nasty/yfinance/SAND-1d-bad-div.csv split 662 2022-01-03 2024-08-21 5.619999885559082
nasty/yfinance/SPM-MI-1d-bad-stock-split.csv split 22 2022-06-01 2022-06-30 2.555000066757202
nasty/yfinance/SSW-JO-1d-100x-error.csv split 25 2023-05-03 2023-06-09 33.619999
`
  .trim()
  .split('\n')
  .map((line) => line.split(' '));

/** The repaired twins of `nasty/yfinance`, which have as many rows. */
const TWINS = FILES.filter(([path]) => path.startsWith('nasty/yfinance')).map(
  ([path, basis, accepted]) => [path.replace('.csv', '-fixed.csv'), basis, accepted],
);

/** Refused rows, by the basis of their files. */
const REASONS: Record<string, Record<string, number>> = {
  raw: {
    // A row of `mismatch.csv`; `default.csv` has the same bar on 2017-01-18.
    '2016-01-18 is years from all other dates, and the session of 2017-01-18 is missing; if the date is right, say so with --dates written': 1,
    // The first row of `tesla-stock-price.csv` holds the time of the download instead of a date.
    "date is not one of the file's format": 1,
    'date is missing': 50,
    'high is below open or close': 4,
    'high is not above zero': 1,
    'low is above open or close': 5,
    'low is not above zero': 1,
    'open is missing': 51,
    // All 200 of `zeros.csv`; these and the others are of `bad.csv`.
    'open is not above zero': 52 + 200,
    'volume is below zero': 1,
  },
  // `SSW-JO-1d-100x-error.csv` and its twin.
  split: { 'high is below open or close': 2 * 3, 'low is above open or close': 2 },
};

/** Files that give no row. */
const REFUSED: Record<string, string> = {
  'nasty/cinar/empty.csv': 'it has a header and no rows',
  'nasty/skender/zeros.csv': 'none of its rows is good: open is not above zero',
  'nasty/yfinance/ASAI-L-1h-bad-unit.csv':
    'it holds bars of 1h, and bars of 1d, 1m and 5m are read',
  // A weekend.
  'intraday/yahoo_v8_chart/chart-AAPL-2025-02-01-to-2025-02-02-includePrePost-false-interval-1m.json':
    'no bars are found below its keys "chart"',
};

describe.skipIf(!hasRealdata)('real files', () => {
  const root = sharedFolder();
  const context = testContext(root, '2026-11-20T22:00:00Z');

  it('of one symbol give their rows, refusals and reasons', async () => {
    const folder = join(root, 'input');
    mkdirSync(folder);
    const paths = [...FILES, ...TWINS].map(([path]) => path).concat(Object.keys(REFUSED));
    const nameOf = (path: string) => `T${paths.indexOf(path)}`;
    for (const path of paths) {
      symlinkSync(realdata(path), join(folder, `${nameOf(path)}${extname(path)}`));
    }
    const all = await fetchAll(fetchFiles({ path: folder }, context));
    expect(all.map(({ segment, reasons }) => [segment.basis, reasons])).toEqual(
      Object.entries(REASONS),
    );
    const found = all.flatMap(({ segment: { basis }, rows }) => {
      const bySymbol = Map.groupBy(rows, ({ symbol }) => symbol);
      return [...bySymbol].map(([symbol, bars]) => {
        const [first, last] = [bars[0], bars[bars.length - 1]];
        return [symbol, [basis, bars.length, first.date, last.date, last.close].map(String)];
      });
    });
    const bySymbol = Object.fromEntries(found);
    for (const [path, ...facts] of FILES)
      expect([path, bySymbol[nameOf(path)]]).toEqual([path, facts]);
    for (const [path, ...facts] of TWINS) {
      expect([path, bySymbol[nameOf(path)].slice(0, 2)]).toEqual([path, facts]);
    }
    expect(found).toHaveLength(FILES.length + TWINS.length);
    const skipped = all.flatMap(({ segment }) => segment.skipped);
    for (const [path, reason] of Object.entries(REFUSED)) {
      const named = skipped.find(({ name }) => name.startsWith(`${nameOf(path)}.`));
      expect([path, named?.reason]).toEqual([path, expect.stringContaining(reason)]);
    }
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

  long('a day of SPY by the minute splits at the close', async () => {
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

  long('the intraday folder has messages of Alpaca and charts of Yahoo', async () => {
    const path = realdata('intraday');
    const all = await fetchAll(fetchFiles({ path }, context));
    const facts = all.map(({ segment, accepted }) => [segment.interval, segment.basis, accepted]);
    expect(facts).toEqual([
      // `aapl_raw.csv` of marketstore; its twin `aapl_adj.csv` is refused.
      ['1d', 'raw', 43],
      ['1d', 'split', 59],
      ['1m', 'raw', 5],
    ]);
    const apple = all[1].rows.filter(({ symbol }) => symbol === 'AAPL');
    expect(rowOf(apple, 'AAPL', '2020-01-02')).toEqual({
      symbol: 'AAPL',
      date: '2020-01-02',
      open: 74.05999755859375,
      high: 75.1500015258789,
      low: 73.79750061035156,
      close: 75.0875015258789,
      volume: 135480400,
    });
    expect(all[0].segment.skipped.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining([
        'its name is not a ticker; say whose candles it holds with --symbol',
        'it may hold split-adjusted prices (its name says adjusted) or prices adjusted for splits and dividends (its name says adjusted): say which with --basis',
        'no bars are found below its keys "chart"',
        'its column "currency" says CAD, and prices are held in US dollars: convert them first',
      ]),
    );
  });

  it.each(
    someOf(
      [
        ['yf-multi-AAPL.csv', undefined, 756, 'AAPL 2022-12-30 127.073709556948 128.577880859375'],
        ['AAPL Historical Data.csv', 'AAPL', 250, 'AAPL 2023-12-29 193.9 192.53'],
        ['AAPL-noheader.txt', 'AAPL', 252, 'AAPL 2021-04-13 132.4400024 134.4299927'],
        ['AAPL_Daily.csv', 'AAPL', 599, 'AAPL 2003-05-22 17.89 18.24'],
        // 47 bars of the file break their own bounds.
        ['lean_ibm.zip', undefined, 3931, 'IBM 2015-10-23 144.61 144.68'],
      ],
      2,
    ),
  )('%s is a dialect that loads', async (name, symbol, count, last) => {
    const path = realdata(`dialects/real/${name}`);
    const { rows, accepted } = await fetchOne(fetchFiles({ path, symbol }, context));
    expect(accepted).toBe(count);
    const { symbol: own, date, open, close } = rows[rows.length - 1];
    expect(`${own} ${date} ${open} ${close}`).toBe(last);
  });

  it("Finam's minutes are of Moscow, and their six digits day, month and year", async () => {
    const path = realdata('dialects/real/AAPL-finam.txt');
    const [regular] = await fetchAll(fetchFiles({ path, symbol: 'AAPL', stamps: 'end' }, context));
    expect(regular.rows[0]).toEqual({
      symbol: 'AAPL',
      date: '2021-01-04T14:30:00Z',
      open: 133.53,
      high: 133.6,
      low: 132.96,
      close: 133.17,
      volume: 85445,
    });
  });

  it("Dukascopy's seconds are refused by what they are", async () => {
    const path = realdata('dialects/real/VXX.USUSD_Candlestick_1_s.csv');
    const all = fetchAll(fetchFiles({ path, symbol: 'VXX' }, context));
    await expect(all).rejects.toThrow(/\d of its [\d,]+ stamps are on no whole minute/);
  });

  long("Stooq's bulk zip gives 33 funds", async () => {
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

  it.runIf(isLong)('universe_2017.zip gives 1,680 symbols', async () => {
    const path = realdata('daily/universe_2017.zip');
    const { segment, accepted, rejected, reasons, rows } = await fetchOne(
      fetchFiles({ path }, context),
      "volume = 0 OR symbol IN ('SPY', 'SRC.PRA')",
    );
    expect([segment.basis, segment.files.length]).toEqual(['all', 1680]);
    expect([accepted, rejected]).toEqual([1_846_069, 27]);
    const isSaturday = ([reason]: [string, number]) => reason.startsWith('no session on Saturday');
    const found = Object.entries(reasons);
    expect(found.filter(isSaturday)).toHaveLength(7);
    expect(Object.fromEntries(found.filter((one) => !isSaturday(one)))).toEqual({
      'low is above open or close': 3,
      'low is not above zero': 2,
      'open is not above zero': 3,
      'no session on the day, which the row only fills': 12,
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
