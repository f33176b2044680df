import type { Dialect } from './dialect.ts';

const bars = ['AAA 2024-01-02 1.5 2 1 1.75 100', 'AAA 2024-01-03 1.75 2.5 1.5 2 200'];
const minutes = [
  'AAA 2024-01-02T14:30:00Z 1.5 2 1 1.75 100',
  'AAA 2024-01-02T14:31:00Z 1.75 2.5 1.5 2 200',
];

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** Responses of APIs, saved as files. */
export const RESPONSE_DIALECTS: Record<string, Dialect> = {
  'Massive, aggregates': {
    file: 'aggs.json',
    content: json({
      ticker: 'AAA',
      queryCount: 2,
      resultsCount: 2,
      adjusted: true,
      results: [
        { v: 100, vw: 1.6, o: 1.5, c: 1.75, h: 2, l: 1, t: 1704171600000, n: 3 },
        { v: 200, vw: 1.9, o: 1.75, c: 2, h: 2.5, l: 1.5, t: 1704258000000, n: 4 },
      ],
      status: 'OK',
    }),
    bars,
    basis: 'split',
  },
  'Massive, grouped daily': {
    file: 'grouped.json',
    content: json({
      queryCount: 2,
      resultsCount: 2,
      adjusted: false,
      results: [
        { T: 'AAA', v: 100, vw: 1.6, o: 1.5, c: 1.75, h: 2, l: 1, t: 1704229200000, n: 3 },
        { T: 'BBB', v: 900, vw: 51, o: 51, c: 52, h: 53, l: 50, t: 1704229200000, n: 4 },
      ],
      status: 'OK',
    }),
    bars: ['AAA 2024-01-02 1.5 2 1 1.75 100', 'BBB 2024-01-02 51 53 50 52 900'],
  },
  'Massive, flat files': {
    file: '2024-01-02.csv',
    content: `ticker,volume,open,close,high,low,window_start,transactions
AAA,100,1.5,1.75,2,1,1704205800000000000,3
AAA,200,1.75,2,2.5,1.5,1704205860000000000,4
`,
    bars: minutes,
  },
  'Alpaca, one symbol': {
    file: 'bars.json',
    content: json({
      bars: [
        { t: '2024-01-02T14:30:00Z', o: 1.5, h: 2, l: 1, c: 1.75, v: 100, n: 3, vw: 1.6 },
        { t: '2024-01-02T14:31:00Z', o: 1.75, h: 2.5, l: 1.5, c: 2, v: 200, n: 4, vw: 1.9 },
      ],
      symbol: 'AAA',
      next_page_token: null,
    }),
    bars: minutes,
  },
  'Alpaca, several symbols': {
    file: 'bars.json',
    content: json({
      bars: {
        AAA: [{ t: '2024-01-02T05:00:00Z', o: 1.5, h: 2, l: 1, c: 1.75, v: 100 }],
        BBB: [{ t: '2024-01-02T05:00:00Z', o: 51, h: 53, l: 50, c: 52, v: 900 }],
      },
      next_page_token: 'QUFQTHxE',
    }),
    bars: ['AAA 2024-01-02 1.5 2 1 1.75 100', 'BBB 2024-01-02 51 53 50 52 900'],
  },
  Tiingo: {
    file: 'AAA.json',
    content: json([
      {
        date: '2024-01-02T00:00:00.000Z',
        ...{ close: 1.75, high: 2, low: 1, open: 1.5, volume: 100 },
        ...{ adjClose: 1.75, adjHigh: 2, adjLow: 1, adjOpen: 1.5, adjVolume: 100 },
        ...{ divCash: 0, splitFactor: 1 },
      },
    ]),
    bars: bars.slice(0, 1),
  },
  EODHD: {
    file: 'AAA.US.json',
    content: json([
      {
        date: '2024-01-02',
        ...{ open: 1.5, high: 2, low: 1, close: 1.75, adjusted_close: 1.7, volume: 100 },
      },
    ]),
    bars: bars.slice(0, 1),
  },
  FMP: {
    file: 'historical-price-full.json',
    content: json({
      symbol: 'AAA',
      historical: [
        {
          date: '2024-01-02',
          ...{ open: 1.5, high: 2, low: 1, close: 1.75, adjClose: 1.7, volume: 100 },
          ...{ unadjustedVolume: 100, change: 0.25, label: 'January 02, 24' },
        },
      ],
    }),
    bars: bars.slice(0, 1),
    basis: 'split',
  },
  'Finnhub and UDF': {
    file: 'AAA.json',
    content: json({
      c: [1.75, 2],
      h: [2, 2.5],
      l: [1, 1.5],
      o: [1.5, 1.75],
      s: 'ok',
      t: [1704153600, 1704240000],
      v: [100, 200],
    }),
    bars,
  },
  Questrade: {
    file: 'AAA.json',
    content: json({
      candles: [
        { start: '2024-01-02T00:00:00.000000-05:00', low: 1, high: 2, open: 1.5, close: 1.75 },
        { start: '2024-01-03T00:00:00.000000-05:00', low: 1.5, high: 2.5, open: 1.75, close: 2 },
      ].map((bar, i) => ({ ...bar, end: '2024-01-04T00:00:00-05:00', volume: [100, 200][i] })),
    }),
    bars,
  },
  Sina: {
    file: 'AAA.json',
    content: json([
      { d: '2024-01-02', o: '1.5', h: '2', l: '1', c: '1.75', v: '100', a: '0' },
      { d: '2024-01-03', o: '1.75', h: '2.5', l: '1.5', c: '2', v: '200', a: '0' },
    ]),
    bars,
  },
  'Twelve Data': {
    file: 'time_series.json',
    content: json({
      meta: {
        symbol: 'AAA',
        interval: '1min',
        currency: 'USD',
        exchange_timezone: 'America/New_York',
        type: 'Common Stock',
      },
      values: [
        ...[['2024-01-02 09:31:00', '1.75', '2.5', '1.5', '2', '200']],
        ...[['2024-01-02 09:30:00', '1.5', '2', '1', '1.75', '100']],
      ].map(([datetime, open, high, low, close, volume]) => {
        return { datetime, open, high, low, close, volume };
      }),
      status: 'ok',
    }),
    bars: minutes,
  },
  'Twelve Data, several symbols': {
    file: 'time_series.json',
    content: json(
      Object.fromEntries(
        ['AAA', 'BBB'].map((symbol) => [
          symbol,
          {
            meta: { symbol, interval: '1day', currency: 'USD' },
            values: [
              {
                ...{ datetime: '2024-01-02', open: '1.5', high: '2', low: '1' },
                ...{ close: '1.75', volume: '100' },
              },
            ],
            status: 'ok',
          },
        ]),
      ),
    ),
    bars: ['AAA 2024-01-02 1.5 2 1 1.75 100', 'BBB 2024-01-02 1.5 2 1 1.75 100'],
  },
  'Alpha Vantage': {
    file: 'query.json',
    content: json({
      'Meta Data': {
        '1. Information': 'Daily Prices (open, high, low, close) and Volumes',
        '2. Symbol': 'AAA',
        '3. Last Refreshed': '2024-01-03',
        '4. Output Size': 'Compact',
        '5. Time Zone': 'US/Eastern',
      },
      'Time Series (Daily)': {
        '2024-01-03': {
          ...{ '1. open': '1.75', '2. high': '2.5', '3. low': '1.5', '4. close': '2' },
          ...{ '5. volume': '200' },
        },
        '2024-01-02': {
          ...{ '1. open': '1.5', '2. high': '2', '3. low': '1', '4. close': '1.75' },
          ...{ '5. volume': '100' },
        },
      },
    }),
    bars,
  },
  'Alpha Vantage, Python client': {
    file: 'AAA.csv',
    content: `date,1. open,2. high,3. low,4. close,5. volume
2024-01-03,1.75,2.5,1.5,2.0,200.0
2024-01-02,1.5,2.0,1.0,1.75,100.0
`,
    bars,
  },
  'Yahoo, chart': {
    file: 'chart.json',
    content: json({
      chart: {
        result: [
          {
            meta: {
              currency: 'USD',
              symbol: 'AAA',
              gmtoffset: -18000,
              exchangeTimezoneName: 'America/New_York',
              dataGranularity: '1d',
            },
            timestamp: [1704205800, 1704292200, 1704378600],
            events: {
              dividends: { 1704292200: { amount: 0.25, date: 1704292200 } },
            },
            indicators: {
              quote: [
                {
                  open: [1.5, 1.75, null],
                  high: [2, 2.5, null],
                  low: [1, 1.5, null],
                  close: [1.75, 2, null],
                  volume: [100, 200, null],
                },
              ],
              adjclose: [{ adjclose: [1.5, 2, null] }],
            },
          },
        ],
        error: null,
      },
    }),
    bars,
    basis: 'split',
  },
  'Nasdaq.com, its API': {
    file: 'historical.json',
    content: json({
      data: {
        symbol: 'AAA',
        totalRecords: 1,
        tradesTable: {
          headers: { date: 'Date', close: 'Close/Last', volume: 'Volume' },
          rows: [
            {
              ...{ date: '01/30/2024', close: '$1.75', volume: '1,100' },
              ...{ open: '$1.50', high: '$2.00', low: '$1.00' },
            },
          ],
        },
      },
      status: { rCode: 200 },
    }),
    bars: ['AAA 2024-01-30 1.5 2 1 1.75 1100'],
    basis: 'split',
  },
  'Dates of HTTP in JSON': {
    file: 'AAA.json',
    content: json([
      {
        Date: 'Tue, 02 Jan 2024 00:00:00 GMT',
        ...{ Open: 1.5, High: 2, Low: 1, Close: 1.75, Volume: 100 },
      },
    ]),
    bars: bars.slice(0, 1),
  },
  'pandas, to_json': {
    file: 'AAA.json',
    content:
      '{"Open":{"1704153600000":1.5},"High":{"1704153600000":2},"Low":{"1704153600000":1},"Close":{"1704153600000":1.75},"Volume":{"1704153600000":100}}',
    bars: bars.slice(0, 1),
  },
  "pandas, to_json with orient='split'": {
    file: 'AAA.json',
    content:
      '{"columns":["Open","High","Low","Close","Volume"],"index":[1704153600000],"data":[[1.5,2,1,1.75,100]]}',
    bars: bars.slice(0, 1),
  },
};
