/** Tables that name ticker and field together, closes alone, and lines above a header. */

import { describe, expect, it } from 'vitest';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { someOf } from '../../support/store-runs.ts';
import { eachTest } from '../support/each-test.ts';
import { fetchAll } from '../support/segment-rows.ts';

const at = eachTest();

async function load(name: string, content: string) {
  await at.write({ [name]: content });
  const all = await fetchAll(fetchFiles({ path: at.folder }, at.context));
  return {
    bars: all.flatMap(({ rows }) => rows.map((row) => Object.values(row).join(' '))).sort(),
    notes: all.flatMap(({ segment }) => segment.notes ?? []),
  };
}

const refusal = (name: string, content: string) =>
  load(name, content).then(
    () => 'loaded',
    (error: Error) => error.message,
  );

const BARS = ['AAA 2024-01-02 1.5 2 1 1.75 100', 'BBB 2024-01-02 51 53 50 52 900'];
const FIELDS = ['Open', 'High', 'Low', 'Close', 'Volume'];
const VALUES: Record<string, number[]> = {
  AAA: [1.5, 2, 1, 1.75, 100],
  BBB: [51, 53, 50, 52, 900],
};
const MS = '1704153600000';
const cells = Object.entries(VALUES).flatMap(([symbol, values]) =>
  values.map((value, i) => ({ symbol, field: FIELDS[i], value })),
);
const named = (
  nameOf: (symbol: string, field: string) => string,
  cellOf = (v: number): unknown => v,
) =>
  Object.fromEntries(
    cells.map(({ symbol, field, value }) => [nameOf(symbol, field), cellOf(value)]),
  );
const tuple = (symbol: string, field: string) => `('${field}', '${symbol}')`;

describe('names of ticker and field', () => {
  it('joined without a mark are told apart by the capital of the field', async () => {
    const row = named((symbol, field) => `${symbol}${field}`);
    const text = `Date,${Object.keys(row)}\n2024-01-02,${Object.values(row)}\n`;
    expect((await load('prices.csv', text)).bars).toEqual(BARS);
  });

  it.each(
    someOf(
      [
        ['columns', named(tuple, (value) => ({ [MS]: value }))],
        ['index', { [MS]: named(tuple) }],
        ['records', [{ Date: Number(MS), ...named(tuple) }]],
        ['records of joined names', [{ date: '2024-01-02', ...named((s, f) => `${s}_${f}`) }]],
        [
          'split',
          {
            columns: cells.map(({ symbol, field }) => [field, symbol]),
            index: [Number(MS)],
            data: [cells.map(({ value }) => value)],
          },
        ],
      ],
      3,
    ),
  )('are read in JSON: %s', async (_, body) => {
    expect((await load('prices.json', JSON.stringify(body))).bars).toEqual(BARS);
  });

  it('of a symbol without a price on a line make no bar', async () => {
    const first = { Date: '2024-01-02', ...named((s, f) => `${s}_${f}`) };
    const later = { ...first, Date: '2024-01-03' };
    for (const field of FIELDS) Object.assign(later, { [`BBB_${field}`]: null });
    const lines = [first, later].map((row) => `${JSON.stringify(row)}\n`).join('');
    expect((await load('prices.jsonl', lines)).bars).toEqual([
      BARS[0],
      BARS[0].replace('01-02', '01-03'),
      BARS[1],
    ]);
  });
});

describe('closes alone, and other contents than bars of stocks', () => {
  it.each([
    ['AAA.csv', 'Date,Close\n2024-01-02,1.75\n', 'a bar has four prices'],
    ['DGS10.csv', 'observation_date,DGS10\n2024-01-02,3.95\n', 'it has one value a date'],
    [
      'AAA.csv',
      'date,underlying,strike,type,open,high,low,close\n2024-01-02,AAA,45,C,1,2,1,2\n',
      'as of an option, and only US stocks and funds can be held',
    ],
    [
      'moomoo.csv',
      'code,name,time_key,open,close,high,low,volume\nUS.AAA,A,2024-01-02 00:00:00,1,1,1,1,9\n',
      'it is an export of moomoo',
    ],
    ['prices.csv', 'Date,AAA,BBB\n2024-01-02,1.75,52\n', 'a wide table of one price a symbol'],
    [
      'prices.json',
      '{"AAA":{"2024-01-02":1.75},"BBB":{"2024-01-02":52}}',
      'one price a symbol (AAA, BBB)',
    ],
    [
      'prices.json',
      '[{"Date":"2024-01-02","AAA":1.75,"BBB":52},{"Date":"2024-01-03","AAA":1,"BBB":5}]',
      'one price a symbol (AAA, BBB)',
    ],
  ])('are refused by what they are: %s', async (name, content, reason) => {
    expect(await refusal(name, content)).toContain(reason);
  });
});

describe('currencies beside the names of prices', () => {
  it.each(['CAD', 'GBX', 'INR'])('are no tickers: %s', async (code) => {
    const header = ['Date', ...FIELDS.slice(0, 4).map((field) => `${field} (${code})`), 'Volume'];
    const content = `${header}\n2024-01-02,1.5,2,1,1.75,100\n`;
    const said = `say ${code}, and prices are held in US dollars: convert them first`;
    expect(await refusal('AAA.csv', content)).toContain(said);
  });

  it.each([
    ['the name of the file', 'GBX.csv', ['GBX']],
    ['another ticker', 'prices.csv', ['GBX', 'AAA']],
  ])('are tickers by %s', async (_, name, symbols) => {
    const header = symbols.flatMap((symbol) => FIELDS.map((field) => `${field}_${symbol}`));
    const values = symbols.flatMap(() => VALUES.AAA);
    const { bars } = await load(name, `Date,${header}\n2024-01-02,${values}\n`);
    expect(bars).toContain(BARS[0].replace('AAA', 'GBX'));
  });

  it('are funds below yfinance’s Ticker', async () => {
    const content = `Price,${FIELDS}\nTicker,${FIELDS.map(() => 'USD')}\nDate,,,,,\n2024-01-02,${VALUES.AAA}\n`;
    expect((await load('prices.csv', content)).bars).toEqual([BARS[0].replace('AAA', 'USD')]);
  });
});

const TABLE = 'Date,Open,High,Low,Close,Volume\n2024-01-02,1.5,2,1,1.75,100\n';

describe('lines above a header', () => {
  it.each([
    'Historical prices for Alpha Inc\n\n',
    'AAA,,,,,\n',
    '# source: a broker\n# currency: USD\n',
    'Symbol,AAA\nPeriod: daily\n',
  ])('are no rows: %j', async (title) => {
    const { bars, notes } = await load('AAA.csv', `${title}${TABLE}`);
    expect(bars).toEqual([BARS[0]]);
    expect(notes.join()).toContain('above its header');
  });

  it('that state a currency, or another length of bars, refuse the file', async () => {
    expect(await refusal('AAA.csv', `Currency: CAD\n${TABLE}`)).toContain('says CAD');
    expect(await refusal('AAA.csv', `Interval: 1h\n${TABLE}`)).toContain('1h');
  });

  it('are none where rows stand there', async () => {
    expect(await refusal('AAA.csv', `2024-01-02,1\n${TABLE}`)).toContain('no header is recognised');
  });
});

describe('words of other languages', () => {
  it.each([
    'Volumen',
    'Wolumen',
    'Volym',
    'Hacim',
    'tradeVolume',
    'Stück',
    '成交量',
    'Объем',
    'Volumi',
  ])('name the volume beside English prices: %s', async (word) => {
    expect((await load('AAA.csv', TABLE.replace('Volume', word))).bars).toEqual([BARS[0]]);
  });

  it('name no price that has its English name', async () => {
    const text = 'Date,Open,High,Low,Close,Max,Min,Volumen\n2024-01-02,1.5,2,1,1.75,9,0.1,100\n';
    expect((await load('AAA.csv', text)).bars).toEqual([BARS[0]]);
  });
});

// Minutes around noon show no side of their stamps; the vendors of these forms state it.
describe('minutes of a known vendor', () => {
  const STARTS = [
    'AAA 2024-01-02T17:00:00Z 1.5 2 1 1.75 100',
    'AAA 2024-01-02T17:01:00Z 1.5 2 1 1.75 100',
  ];
  const lines = (stamps: readonly string[]) =>
    stamps.map((stamp) => `${stamp},1.5,2,1,1.75,100\n`).join('');
  const values = ['12:00', '12:01'].map((clock) => ({
    ...{ datetime: `2024-01-02 ${clock}:00`, open: '1.5', high: '2', low: '1' },
    ...{ close: '1.75', volume: '100' },
  }));
  const meta = { symbol: 'AAA', interval: '1min', exchange_timezone: 'America/New_York' };
  const bars = [1_704_214_800_000, 1_704_214_860_000].map((t) => ({
    t,
    o: 1.5,
    h: 2,
    l: 1,
    c: 1.75,
    v: 100,
  }));
  const header = 'open,high,low,close,volume';

  it.each(
    someOf(
      [
        ['twelve.json', JSON.stringify({ meta, values, status: 'ok' })],
        ['massive.json', JSON.stringify({ ticker: 'AAA', results: bars, status: 'OK' })],
        ['NASDAQ_AAA, 1.csv', `time,${header}\n${lines(['1704214800', '1704214860'])}`],
        [
          'AAA.csv',
          `window_start,${header}\n${lines(['1704214800000000000', '1704214860000000000'])}`,
        ],
      ],
      2,
    ),
  )('load: %s', async (name, content) => {
    expect((await load(name, content)).bars.map((bar) => bar.replace('raw ', ''))).toEqual(STARTS);
  });

  it('are refused without a sign of the vendor', async () => {
    const stamps = ['2024-01-02T17:00:00Z', '2024-01-02T17:01:00Z'];
    expect(await refusal('AAA.csv', `date,${header}\n${lines(stamps)}`)).toContain(
      '--stamps start|end',
    );
  });
});
