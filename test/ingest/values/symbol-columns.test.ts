/**
 * The security of each row. A column of tickers under a name that was not known was ignored: all
 * companies of the file became one series, and the last row of each day won.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SourceOptions } from '../../../src/ingest/contract/source-options.ts';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { otherSecurityOfName } from '../../../src/ingest/values/other-securities.ts';
import { realdata } from '../../support/realdata.ts';
import { long } from '../../support/store-runs.ts';
import { eachTest } from '../support/each-test.ts';
import { fetchOne } from '../support/segment-rows.ts';

const at = eachTest();

async function read(name: string, text: string, options: SourceOptions = {}) {
  await at.write({ [name]: text });
  return fetchOne(fetchFiles({ ...options, path: join(at.folder, name) }, at.context));
}

/** Reason of a file whose rows are all refused. */
async function refusal(name: string, text: string, options?: SourceOptions) {
  const { accepted, segment } = await read(name, text, options);
  expect(accepted).toBe(0);
  return segment.skipped[0].reason;
}

/** Closes by symbol and day. */
async function closes(name: string, text: string, options?: SourceOptions) {
  const { rows } = await read(name, text, options);
  return rows.map(({ symbol, date, close }) => `${symbol} ${date} ${close}`);
}

const PRICES = { ABCD: '20,21,19,20.5,1000', EFGH: '100,101,99,100.5,2000' };
const BOTH = [
  ['2024-03-04', 'ABCD'],
  ['2024-03-04', 'EFGH'],
  ['2024-03-05', 'ABCD'],
  ['2024-03-05', 'EFGH'],
] as const;
const RIGHT = [
  'ABCD 2024-03-04 20.5',
  'ABCD 2024-03-05 20.5',
  'EFGH 2024-03-04 100.5',
  'EFGH 2024-03-05 100.5',
];

/** Two securities of two days, with more columns before the prices. */
function file(columns: string, more: (symbol: keyof typeof PRICES) => string): string {
  const lines = BOTH.map(([date, symbol]) => `${date},${more(symbol)},${PRICES[symbol]}`);
  return `date,${columns},open,high,low,close,volume\n${lines.join('\n')}\n`;
}

const NAMES = { ABCD: 'Abcdef Inc', EFGH: 'Efgh & Sons' };
const IDS = { ABCD: '10107', EFGH: '14593' };

describe('a column of symbols', () => {
  // A suffix beside a root made A and B, which are other companies, of two classes of a share.
  it('is none that is empty in some rows', async () => {
    const text = file('root,suffix', (symbol) => `BRK,${symbol.slice(0, 1)}`);
    const read = refusal('prices.csv', `${text}2024-03-06,AAPL,,20,21,19,20.5,1000\n`);
    await expect(read).rejects.toThrow('say whose candles it holds with --symbol');
  });

  it('may have other names', async () => {
    const names = [
      ...['symbol', 'Ticker', 'tic', 'act_symbol', 'Symbols', 'Code', 'Instrument', 'Security'],
      ...['Company', 'sym', 'Stock Code', 'RIC', 'secid', 'Name', 'Stock', 'abbr', 'papel'],
      'instrument_id',
    ];
    // Each file has symbols of its own: ABCDA and EFGHA, then ABCDB and EFGHB.
    const letters = names.map((_, i) => String.fromCharCode(65 + i));
    const texts = names.map((name, i) => file(name, (symbol) => `${symbol}${letters[i]}`));
    await at.write(Object.fromEntries(texts.map((text, i) => [`prices-${letters[i]}.csv`, text])));
    const { rows } = await fetchOne(fetchFiles({ path: at.folder }, at.context));
    const found = rows.map(({ symbol, date, close }) => `${symbol} ${date} ${close}`);
    for (const [i, name] of names.entries()) {
      const own = RIGHT.map((row) => row.replace(' ', `${letters[i]} `));
      expect([name, ...found.filter((row) => row[4] === letters[i])]).toEqual([name, ...own]);
    }
  });

  long('may be sorted by symbol, so that the first rows have one alone', async () => {
    const days = Array.from({ length: 40 }, (_, i) =>
      new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10),
    );
    const lines = Object.entries(PRICES).flatMap(([symbol, prices]) =>
      days.map((day) => `${day},${symbol},${prices}`),
    );
    const text = `date,abbr,open,high,low,close,volume\n${lines.join('\n')}\n`;
    expect((await read('prices.csv', text)).accepted).toBe(80);
    expect(new Set((await read('prices.csv', text)).rows.map(({ symbol }) => symbol))).toEqual(
      new Set(['ABCD', 'EFGH']),
    );
  });

  long('wins over one with names of companies', async () => {
    const text = file('Name,papel', (symbol) => `${NAMES[symbol]},${symbol}`);
    expect(await closes('prices.csv', text)).toEqual(RIGHT);
    expect(
      await closes(
        'a.csv',
        file('Company,Code', (s) => `${NAMES[s]},${s}`),
      ),
    ).toEqual(RIGHT);
  });

  it('wins over columns that part the rows too, such as an exchange', async () => {
    const text = file('Exchange,papel', (symbol) => `${symbol === 'ABCD' ? 'N' : 'Q'},${symbol}`);
    expect(await closes('prices.csv', text)).toEqual(RIGHT);
  });

  it('is selected from by --symbol, and never overruled', async () => {
    const text = file('tic', (symbol) => symbol);
    expect(await closes('prices.csv', text, { symbol: 'ABCD' })).toEqual(RIGHT.slice(0, 2));
    const stooq = `<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>
ABCD.US,D,20240304,000000,20,21,19,20.5,1000,0
EFGH.US,D,20240304,000000,100,101,99,100.5,1000,0
`;
    expect(await closes('20240304_d.txt', stooq, { symbol: 'ABCD' })).toEqual(RIGHT.slice(0, 1));
  });

  it('is stated with what speaks for it', async () => {
    expect(
      await closes(
        'prices.csv',
        file('abbr', (s) => s),
        { symbols: ['EFGH'] },
      ),
    ).toEqual(RIGHT.slice(2));
  });
});

describe('a file is refused', () => {
  it.each([
    ['permno', IDS],
    ['cusip', { ABCD: '037833100', EFGH: '594918104' }],
    ['symbol', IDS],
    ['Company', NAMES],
    ['Name', { ABCD: 'Apple', EFGH: 'Tesla' }],
    // No ticker has a digit: such labels became securities of their own.
    ['id', { ABCD: 'B1000', EFGH: 'B1001' }],
    ['Code', { ABCD: 'RUN1', EFGH: 'RUN2' }],
  ])('if its securities are told apart by %s, which has no tickers', async (name, values) => {
    const text = file(name, (symbol) => values[symbol]);
    await expect(read('ABCD.csv', text)).rejects.toThrow(
      `its column "${name}" names securities by "${values.ABCD}", which is no ticker`,
    );
  });

  it('if a day has rows of several securities and no column names them', async () => {
    expect(
      await refusal(
        'ABCD.csv',
        file('x', () => '1'),
      ),
    ).toContain(
      'it holds several securities (2024-03-04 stands 2 times with prices from 20.5 to 100.5): name them in a column "symbol"',
    );
  });

  it('if a company in a column contradicts the ticker of its name', async () => {
    const text = 'date,Name,open,high,low,close\n2024-03-04,Abcdef,1,2,1,2\n';
    await expect(read('ABCD.csv', text)).rejects.toThrow(
      'it may hold bars of ABCDEF (its column "Name" says "Abcdef") or bars of ABCD (its name says so): say whose with --symbol',
    );
    expect(await closes('ABCD.csv', text, { symbol: 'ABCD' })).toEqual(['ABCD 2024-03-04 2']);
  });
});

describe('a column that names no securities', () => {
  it.each([
    ['Name', 'Abcdef Inc'],
    ['Company', 'ABCD'],
    ['permno', '10107'],
    ['exchange', 'NYSE'],
    ['Company', 'Abcdef'],
    ['Instrument', 'STK'],
    ['Asset', 'stock'],
    ['note', 'final'],
    ['benchmark_symbol', 'SPY'],
    ['local_symbol', 'ABCDX'],
  ])('%s "%s" of one security leaves the name of the file', async (name, value) => {
    const text = `date,${name},open,high,low,close\n2024-03-04,${value},1,2,1,2\n`;
    expect(await closes('ABCD.csv', text)).toEqual(['ABCD 2024-03-04 2']);
  });

  it('with a label for each row leaves the name of the file', async () => {
    const text = 'date,code,open,high,low,close\n2024-03-04,B1,1,2,1,2\n2024-03-05,B2,1,2,1,2\n';
    expect(await closes('ABCD.csv', text)).toEqual(['ABCD 2024-03-04 2', 'ABCD 2024-03-05 2']);
  });

  it('names one where the name of the file is no ticker', async () => {
    const text = 'date,Company,open,high,low,close\n2024-03-04,ABCD,1,2,1,2\n';
    expect(await closes('daily bars.csv', text)).toEqual(['ABCD 2024-03-04 2']);
    const other = text.replace('Company', 'exchange_symbol').replace('ABCD', 'NASDAQ:ABCD');
    expect(await closes('part-0.csv', other)).toEqual(['ABCD 2024-03-04 2']);
    await expect(read('daily bars.csv', text.replace('ABCD', 'Abcdef'))).rejects.toThrow(
      'it may hold bars of ABCDEF (its column "Company" says "Abcdef") or bars of another symbol ("Abcdef" may be a company): say whose with --symbol',
    );
  });

  it('a number that changes with each row is none', async () => {
    const text = 'date,open,high,low,close,vwap\n2024-03-04,1,2,1,2,1.5\n2024-03-04,1,2,1,2,1.6\n';
    expect(await closes('ABCD.csv', text)).toEqual(['ABCD 2024-03-04 2']);
  });
});

it('two names of one column in JSON are refused, as in CSV', async () => {
  const line = '{"date":"2024-03-04","open":1,"high":2,"low":1,"close":2,"Close":9}\n';
  await expect(read('ABCD.jsonl', line)).rejects.toThrow('two columns are named "close"');
});

describe('several rows of one day', () => {
  const days = Array.from({ length: 30 }, (_, i) =>
    new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10),
  );
  const header = 'date,open,high,low,close';

  it('of one security are versions of a bar: the last one wins that fits', async () => {
    const text = `${header}\n${days.map((day) => `${day},20,21,19,20`).join('\n')}
2024-01-30,20,21.5,19,20.7
2024-01-12,200,210,190,200
`;
    const { rows, reasons } = await read('ABCD.csv', text);
    expect([rows.length, rows.at(-1)?.close, rows[11].close, reasons]).toEqual([
      ...[30, 20.7, 20],
      {
        'a newer line has the same date': 1,
        'its prices contradict another row of the bar, which fits the bars next to it (2024-01-12 closes at 20 in line 13 and 200 in line 33)': 1,
      },
    ]);
  });

  it('of securities with prices near each other are told apart, too', async () => {
    const lines = days.flatMap((day, i) => [
      `${day},${140 + i},${142 + i},${139 + i},${141 + i}`,
      `${day},${141.2 + i},${143 + i},${140 + i},${142 + i}`,
    ]);
    expect(await refusal('ABCD.csv', `${header}\n${lines.join('\n')}\n`)).toContain(
      'it holds several securities (2024-01-01 stands 2 times with prices from 141 to 142)',
    );
  });

  long('of minutes are told apart, too', async () => {
    const minutes = days.slice(0, 9).flatMap((_, i) => {
      const stamp = `2024-03-04 10:0${i}:00`;
      return [`${stamp},20,21,19,20`, `${stamp},400,401,399,400`];
    });
    const text = `${header}\n${minutes.join('\n')}\n`;
    expect(
      await refusal('ABCD.csv', text, { zone: 'America/New_York', stamps: 'start' }),
    ).toContain('it holds several securities (2024-03-04 15:00 UTC stands 2 times');
  });
});

const made = realdata('dialects');

describe.skipIf(!existsSync(made))('the files of section 2', () => {
  it('of three tickers and of the Kaggle set have the closes of each company', async () => {
    const read = (path: string, symbol: string) =>
      fetchOne(fetchFiles({ path: join(made, path) }, at.context), `symbol = '${symbol}'`);
    expect((await read('made/01/prices.csv', 'ABCD')).rows.map(({ close }) => close)).toEqual([
      20.5, 20.5, 20.5,
    ]);
    const { rows } = await read('real/stock_details_5_years.csv', 'AAPL');
    expect(rows[0]).toMatchObject({ date: '2018-11-29', close: 43.0835075378418 });
  });
});

// PETR4, in reais, was stored as a US stock without a word.
it('a name like an index or a code of another exchange is told', () => {
  const told = (symbol: string) =>
    otherSecurityOfName(symbol, { header: [], rows: [], last: [] }, []).note?.split(' ', 4).at(3);
  const names = ['VIX', 'PETR4', 'SANB11', 'AAPL34', 'BBAS3F', 'AAPL', 'PETR9', 'Q500001'];
  expect(names.map(told)).toEqual([
    'name',
    'form',
    'form',
    'form',
    'form',
    undefined,
    undefined,
    undefined,
  ]);
});
