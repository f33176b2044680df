/** Answers of vendors as their documentation shows them; made up where it shows none. */

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { realdata } from '../../support/realdata.ts';

const text = (value: unknown) => JSON.stringify(value);

export const ALPACA_BARS = text({
  bars: {
    AAPL: [
      {
        t: '2022-01-03T05:00:00Z',
        o: 178.26,
        h: 182.88,
        l: 177.71,
        c: 182.01,
        v: 104701220,
        n: 1,
        vw: 180.7,
      },
      {
        t: '2022-01-04T05:00:00Z',
        o: 182.63,
        h: 182.94,
        l: 179.12,
        c: 179.7,
        v: 99310438,
        n: 1,
        vw: 180.7,
      },
    ],
    'BRK.B': [
      {
        t: '2022-01-03T05:00:00Z',
        o: 299.61,
        h: 301.6,
        l: 298.1,
        c: 300.79,
        v: 3668480,
        n: 1,
        vw: 300,
      },
    ],
  },
  next_page_token: 'QUFQTHxEfDIwMjI',
});

export const ALPACA_LAST_PAGE = text({
  bars: {
    MSFT: [
      {
        t: '2022-01-03T05:00:00Z',
        o: 335.35,
        h: 338,
        l: 329.78,
        c: 334.75,
        v: 28865060,
        n: 1,
        vw: 334,
      },
    ],
  },
  next_page_token: null,
});

export const ALPACA_ACTIONS = text({
  corporate_actions: {
    forward_splits: [
      {
        ex_date: '2022-01-04',
        new_rate: 4,
        old_rate: 1,
        process_date: '2022-01-04',
        symbol: 'AAPL',
      },
    ],
    reverse_splits: [
      {
        ex_date: '2022-01-04',
        new_rate: 1,
        old_rate: 50,
        process_date: '2022-01-04',
        symbol: 'MNTS',
      },
    ],
    stock_dividends: [
      { ex_date: '2022-01-04', process_date: '2022-01-04', rate: 0.05, symbol: 'MSBC' },
    ],
    cash_dividends: [
      {
        ex_date: '2022-01-03',
        foreign: false,
        process_date: '2022-01-19',
        rate: 0.22,
        special: false,
        symbol: 'AAPL',
      },
      {
        ex_date: '2022-01-03',
        foreign: false,
        process_date: '2022-01-19',
        rate: 1,
        special: true,
        symbol: 'AAPL',
      },
    ],
    spin_offs: [{ ex_date: '2022-01-04', new_rate: 1, new_symbol: 'SRM', source_symbol: 'JUPW' }],
  },
  next_page_token: null,
});

/** The close of a session in New York, as grouped days are stamped. */
const GROUPED_MS = Date.parse('2022-01-03T21:00:00Z');

export function massiveDay(closeMs = GROUPED_MS): string {
  return text({
    adjusted: false,
    queryCount: 3,
    resultsCount: 3,
    status: 'OK',
    results: [
      {
        T: 'AAPL',
        v: 104701220.5,
        vw: 180.7,
        o: 178.26,
        c: 182.01,
        h: 182.88,
        l: 177.71,
        t: closeMs,
        n: 1,
      },
      { T: 'ABRpA', v: 120, vw: 25, o: 25.1, c: 25.2, h: 25.3, l: 25, t: closeMs, n: 1 },
      {
        T: 'BRK.B',
        v: 3668480,
        vw: 300,
        o: 299.61,
        c: 300.79,
        h: 301.6,
        l: 298.1,
        t: closeMs,
        n: 1,
      },
    ],
  });
}

export const MASSIVE_BARS = text({
  adjusted: false,
  ticker: 'AAPL',
  queryCount: 2,
  resultsCount: 2,
  status: 'OK',
  results: [
    {
      v: 104701220,
      vw: 180.7,
      o: 178.26,
      c: 182.01,
      h: 182.88,
      l: 177.71,
      t: Date.parse('2022-01-03T05:00:00Z'),
      n: 1,
    },
    {
      v: 99310438,
      vw: 180.7,
      o: 182.63,
      c: 179.7,
      h: 182.94,
      l: 179.12,
      t: Date.parse('2022-01-04T05:00:00Z'),
      n: 1,
    },
  ],
});

export const MASSIVE_SPLITS = text({
  results: [
    {
      adjustment_type: 'forward_split',
      execution_date: '2022-01-04',
      id: 'E1',
      split_from: 1,
      split_to: 4,
      ticker: 'AAPL',
      historical_adjustment_factor: 0.25,
    },
  ],
  status: 'OK',
});

export const MASSIVE_DIVIDENDS = text({
  results: [
    {
      cash_amount: 0.22,
      currency: 'USD',
      ex_dividend_date: '2022-01-03',
      id: 'D1',
      pay_date: '2022-01-19',
      ticker: 'AAPL',
      distribution_type: 'recurring',
    },
  ],
  status: 'OK',
});

export const EODHD_BARS = text([
  {
    date: '2022-01-03',
    open: 178.26,
    high: 182.88,
    low: 177.71,
    close: 182.01,
    adjusted_close: 45.5,
    volume: 418804880,
  },
  {
    date: '2022-01-04',
    open: 45.66,
    high: 45.74,
    low: 44.78,
    close: 44.93,
    adjusted_close: 44.93,
    volume: 99310438,
  },
]);
export const EODHD_SPLITS = text([{ date: '2022-01-04', split: '4.000000/1.000000' }]);
export const EODHD_DIVIDENDS = text([
  {
    date: '2022-01-03',
    declarationDate: null,
    period: 'Quarterly',
    value: 0.055,
    unadjustedValue: 0.22,
    currency: 'USD',
  },
]);
export const EODHD_DAY = text([
  {
    code: 'AAPL',
    exchange_short_name: 'US',
    date: '2022-01-03',
    open: 178.26,
    high: 182.88,
    low: 177.71,
    close: 182.01,
    adjusted_close: 182.01,
    volume: 104701220,
  },
  {
    code: 'BRK-B',
    exchange_short_name: 'US',
    date: '2022-01-03',
    open: 299.61,
    high: 301.6,
    low: 298.1,
    close: 300.79,
    adjusted_close: 300.79,
    volume: 3668480,
  },
]);
export const EODHD_DAY_SPLITS = text([
  { code: 'AAPL', exchange: 'US', date: '2022-01-03', split: '4.000000/1.000000' },
]);
export const EODHD_DAY_DIVIDENDS = text([
  {
    code: 'AAPL',
    exchange: 'US',
    date: '2022-01-03',
    dividend: '0.22000',
    currency: 'USD',
    unadjustedValue: '0.2200000000',
  },
]);

/** A body that Tiingo sent, from its recording. */
export function tiingoBody(cassette: string): string {
  const path = realdata(`vendor_json/tiingo_cassettes/${cassette}.yaml`);
  const { interactions } = parse(readFileSync(path, 'utf8'));
  return interactions[0].response.body.string;
}
