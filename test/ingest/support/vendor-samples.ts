/** Answers of vendors as their documentation shows them; made up where it shows none. */

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { realdata } from '../../support/realdata.ts';

const text = (value: unknown) => JSON.stringify(value);

/** A bar whose fields are letters. */
function letters<T>(t: T, o: number, h: number, l: number, c: number, v: number, vw = 180.7) {
  return { t, o, h, l, c, v, n: 1, vw };
}

/** A bar of EODHD; `more` are fields before it. */
function words(
  date: string,
  prices: [open: number, high: number, low: number, close: number],
  rest: { adjusted_close: number; volume: number },
  more: object = {},
) {
  const [open, high, low, close] = prices;
  return { ...more, date, open, high, low, close, ...rest };
}

const [FIRST, SECOND] = ['2022-01-03T05:00:00Z', '2022-01-04T05:00:00Z'];

export const ALPACA_BARS = text({
  bars: {
    AAPL: [
      letters(FIRST, 178.26, 182.88, 177.71, 182.01, 104701220),
      letters(SECOND, 182.63, 182.94, 179.12, 179.7, 99310438),
    ],
    'BRK.B': [letters(FIRST, 299.61, 301.6, 298.1, 300.79, 3668480, 300)],
  },
  next_page_token: 'QUFQTHxEfDIwMjI',
});

export const ALPACA_LAST_PAGE = text({
  bars: { MSFT: [letters(FIRST, 335.35, 338, 329.78, 334.75, 28865060, 334)] },
  next_page_token: null,
});

function alpacaSplit(symbol: string, new_rate: number, old_rate: number) {
  return { ex_date: '2022-01-04', new_rate, old_rate, process_date: '2022-01-04', symbol };
}

function alpacaDividend(rate: number, special: boolean) {
  const dates = { ex_date: '2022-01-03', foreign: false, process_date: '2022-01-19' };
  return { ...dates, rate, special, symbol: 'AAPL' };
}

export const ALPACA_ACTIONS = text({
  corporate_actions: {
    forward_splits: [alpacaSplit('AAPL', 4, 1)],
    reverse_splits: [alpacaSplit('MNTS', 1, 50)],
    stock_dividends: [
      { ex_date: '2022-01-04', process_date: '2022-01-04', rate: 0.05, symbol: 'MSBC' },
    ],
    cash_dividends: [alpacaDividend(0.22, false), alpacaDividend(1, true)],
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
      { T: 'AAPL', ...letters(closeMs, 178.26, 182.88, 177.71, 182.01, 104701220.5) },
      { T: 'ABRpA', ...letters(closeMs, 25.1, 25.3, 25, 25.2, 120, 25) },
      { T: 'BRK.B', ...letters(closeMs, 299.61, 301.6, 298.1, 300.79, 3668480, 300) },
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
    letters(Date.parse(FIRST), 178.26, 182.88, 177.71, 182.01, 104701220),
    letters(Date.parse(SECOND), 182.63, 182.94, 179.12, 179.7, 99310438),
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

const APPLE_FIRST: [number, number, number, number] = [178.26, 182.88, 177.71, 182.01];

export const EODHD_BARS = text([
  words('2022-01-03', APPLE_FIRST, { adjusted_close: 45.5, volume: 418804880 }),
  words('2022-01-04', [45.66, 45.74, 44.78, 44.93], { adjusted_close: 44.93, volume: 99310438 }),
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
const ofCode = (code: string) => ({ code, exchange_short_name: 'US' });

export const EODHD_DAY = text([
  words('2022-01-03', APPLE_FIRST, { adjusted_close: 182.01, volume: 104701220 }, ofCode('AAPL')),
  words(
    '2022-01-03',
    [299.61, 301.6, 298.1, 300.79],
    { adjusted_close: 300.79, volume: 3668480 },
    ofCode('BRK-B'),
  ),
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
