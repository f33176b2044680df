/** Variants of dialects that their writers give besides the usual form. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { eachTest } from '../support/each-test.ts';
import { inMemory } from '../support/in-memory.ts';
import { fetchAll } from '../support/segment-rows.ts';

const at = eachTest();

async function read(file: string, content: string | Buffer) {
  await at.write({ [file]: content });
  const all = await fetchAll(fetchFiles({ path: join(at.folder, file) }, at.context));
  expect(all.map(({ rejected }) => rejected)).toEqual(all.map(() => 0));
  return all.flatMap(({ rows, segment }) =>
    rows.map((row) => `${segment.basis} ${Object.values(row).join(' ')}`),
  );
}

async function parquetOf(select: string): Promise<Buffer> {
  const path = join(at.root, 'table.parquet');
  await inMemory((connection) => connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet)`));
  return readFileSync(path);
}

const DAYS = ['raw AAA 2024-01-02 1.5 2 1 1.75 100', 'raw AAA 2024-01-03 1.75 2.5 1.5 2 200'];
const MINUTES = [
  'raw AAA 2024-01-02T14:30:00Z 1.5 2 1 1.75 100',
  'raw AAA 2024-01-02T14:31:00Z 1.75 2.5 1.5 2 200',
];
const [FIRST, SECOND] = ['1.5,2,1,1.75', '1.75,2.5,1.5,2'];

describe('minutes of', () => {
  it.each([
    [
      'Dukascopy with UTC as name',
      'AAA.USUSD_Candlestick_1_M_BID.csv',
      `UTC,Open,High,Low,Close,Volume
02.01.2024 14:30:00.000 UTC,${FIRST},100
02.01.2024 14:31:00.000 UTC,${SECOND},200
`,
    ],
    [
      'Dukascopy with EST as name',
      'AAA.csv',
      `EST,Open,High,Low,Close,Volume
02.01.2024 09:30:00.000 EST-05,${FIRST},100
02.01.2024 09:31:00.000 EST-05,${SECOND},200
`,
    ],
    [
      "Dukascopy's platform",
      'AAA.csv',
      `Time (EET),Open,High,Low,Close,Volume${' '}
2024.01.02 16:30:00,${FIRST},100
2024.01.02 16:31:00,${SECOND},200
`,
    ],
    [
      'Finam with dates like 02/01/24',
      'AAA.txt',
      `<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>
AAA,1,02/01/24,17:30:00,${FIRST},100
AAA,1,02/01/24,17:31:00,${SECOND},200
AAA,1,03/01/24,17:30:00,${SECOND},200
`,
    ],
    [
      'Finam without a header, of Moscow',
      'prices.txt',
      `US2.AAA,1,20240102,173000,${FIRST},100
US2.AAA,1,20240102,173100,${SECOND},200
`,
    ],
    [
      // `Am` of `America` was taken for the morning.
      'Interactive Brokers with a zone of America',
      'AAA.csv',
      `date,open,high,low,close,volume
20240102 08:30:00 America/Chicago,${FIRST},100
20240102 08:31:00 America/Chicago,${SECOND},200
`,
    ],
    [
      'Interactive Brokers in UTC',
      'AAA.csv',
      `date,open,high,low,close,volume
20240102-14:30:00,${FIRST},100
20240102-14:31:00,${SECOND},200
`,
    ],
    [
      // It was stored as AAA1.
      'MetaTrader 4, by their file name',
      'AAA1.csv',
      `2024.01.02,09:30,${FIRST},100
2024.01.02,09:31,${SECOND},200
`,
    ],
  ])('%s', async (_, file, content) => {
    expect((await read(file, content)).slice(0, 2)).toEqual(MINUTES);
  });
});

describe('days of', () => {
  it.each([
    [
      'MetaTrader 4, by their file name',
      '#AAA1440.csv',
      `2024.01.02,00:00,${FIRST},100
2024.01.03,00:00,${SECOND},200
`,
    ],
    [
      'Finam, whose zeros a spreadsheet dropped',
      'AAA.txt',
      `<TICKER>;<PER>;<DATE>;<TIME>;<OPEN>;<HIGH>;<LOW>;<CLOSE>;<VOL>
US1.AAA;D;20240102;0;1,50;2,00;1,00;1,75;100
US1.AAA;D;20240103;0;1,75;2,50;1,50;2,00;200
`,
    ],
    [
      "Barchart's older page, whatever the days",
      'aaa_price-history-01-03-2024.csv',
      `Time,Open,High,Low,Last,Change,%Chg,Volume
01/03/2024,${SECOND},0.25,14.28%,200
01/02/2024,${FIRST},0.25,16.66%,100
"Downloaded from Barchart.com as of 01-03-2024 05:17pm CST"
`,
    ],
    [
      'a frame whose dates became floats',
      'AAA.csv',
      `date,open,high,low,close,volume
20240102.0,${FIRST},100
20240103.0,${SECOND},200
`,
    ],
    [
      'dates with their weekday',
      'AAA.csv',
      `date,open,high,low,close,volume
Tue 2024-01-02,${FIRST},100
Wed 2024-01-03,${SECOND},200
`,
    ],
    [
      'pandas with a column of dates beside its index',
      'AAA.json',
      JSON.stringify({
        columns: ['Date', 'Open', 'High', 'Low', 'Close', 'Volume'],
        index: [0, 1],
        data: [
          [1704153600000, 1.5, 2, 1, 1.75, 100],
          [1704240000000, 1.75, 2.5, 1.5, 2, 200],
        ],
      }),
    ],
  ])('%s', async (_, file, content) => {
    expect(await read(file, content)).toEqual(DAYS);
  });
});

it("Databento's whole prices in Parquet count billionths", async () => {
  const content = await parquetOf(`SELECT TIMESTAMPTZ '2024-01-02 00:00:00Z' AS ts_event,
    35::UTINYINT AS rtype, 2::USMALLINT AS publisher_id, 1500000000::BIGINT AS open,
    2000000000::BIGINT AS high, 1000000000::BIGINT AS low, 1750000000::BIGINT AS close, 100::UBIGINT AS volume, 'AAA' AS symbol`);
  expect(await read('bars.parquet', content)).toEqual(DAYS.slice(0, 1));
});

describe('prices adjusted for splits are those of', () => {
  it('FMP, whose bodies have no adjusted close since its stable API', async () => {
    const body = [
      { symbol: 'AAA', date: '2024-01-02', open: 1.5, high: 2, low: 1, close: 1.75, volume: 100 },
    ].map((bar) => ({ ...bar, change: 0.25, changePercent: 16.67, vwap: 1.6 }));
    const [day] = DAYS;
    expect(await read('full.json', JSON.stringify(body))).toEqual([day.replace('raw', 'split')]);
  });

  it("Yahoo's charts of minutes, which have no adjusted close", async () => {
    const quote = {
      ...{ open: [1.5, 1.75], high: [2, 2.5], low: [1, 1.5], close: [1.75, 2] },
      volume: [100, 200],
    };
    const meta = { symbol: 'AAA', currency: 'USD', dataGranularity: '1m', gmtoffset: -18000 };
    const result = [{ meta, timestamp: [1704205800, 1704205860], indicators: { quote: [quote] } }];
    const found = await read('chart.json', JSON.stringify({ chart: { result, error: null } }));
    expect(found).toEqual(MINUTES.map((bar) => bar.replace('raw', 'split')));
  });
});

describe('a Parquet file is refused by what it is:', () => {
  it.each([
    [
      'closes of several symbols',
      `SELECT DATE '2024-01-02' AS "Date", 1.5 AS "AAA", 2.5 AS "BBB"`,
      'it is a wide table of one price a symbol (AAA, BBB): a bar needs open, high, low and close, ' +
        'so save all of them, in columns such as AAA_Open, AAA_High, AAA_Low and AAA_Close',
    ],
    [
      "bars of two of Databento's venues",
      `SELECT TIMESTAMP '2024-01-02' AS ts_event, 35 AS rtype, unnest([2, 3]) AS publisher_id,
         1.5 AS open, 2.0 AS high, 1.0 AS low, 1.75 AS close, 100 AS volume, 'AAA' AS symbol`,
      'it holds bars of several venues (publisher_id 2 and 3): keep one of them',
    ],
  ])('%s', async (_, select, reason) => {
    await at.write({ 'x.parquet': await parquetOf(select) });
    await expect(
      fetchAll(fetchFiles({ path: join(at.folder, 'x.parquet') }, at.context)),
    ).rejects.toThrow(reason);
  });
});

// It was refused: "it holds one bar a symbol".
it.each(['last', 'first'])(
  'a day that stands twice, once with a time, does not refuse a file: %s',
  async (place) => {
    const days = ['02', '03', '04', '05', '08'].map((day) => `2024-01-${day},${FIRST},100`);
    const quote = `2024-01-08 16:00:00,${SECOND},200`;
    const rows = place === 'last' ? [...days, quote] : [quote, ...days.toReversed()];
    await at.write({ 'AAA.csv': ['date,open,high,low,close,volume', ...rows, ''].join('\n') });
    const [{ rows: bars, rejected }] = await fetchAll(
      fetchFiles({ path: join(at.folder, 'AAA.csv') }, at.context),
    );
    expect([bars.length, rejected]).toEqual([5, 1]);
    expect(bars.at(-1)).toMatchObject({ date: '2024-01-08', close: 2, volume: 200 });
  },
);
