/** Responses of APIs: refused by what they say, and counted as their rows. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/base/limits.ts';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { someOf } from '../../support/store-runs.ts';
import { eachTest } from '../support/each-test.ts';
import { fetchOne } from '../support/segment-rows.ts';

const at = eachTest();

function read(name: string) {
  return fetchOne(fetchFiles({ path: join(at.folder, name) }, at.context));
}

describe('a response without bars is refused by what it says:', () => {
  it.each(
    someOf(
      [
        [{ status: 'ERROR', error: 'Unknown API Key' }, '"Unknown API Key"'],
        [{ Note: 'Thank you for using Alpha Vantage!' }, '"Thank you for using Alpha Vantage!"'],
        [{ 'Error Message': 'Invalid API call.' }, '"Invalid API call."'],
        [{ code: 401, message: 'apikey is incorrect', status: 'error' }, '"apikey is incorrect"'],
        [{ s: 'no_data' }, '"s" is "no_data"'],
        [{ ticker: 'AAA', queryCount: 0, resultsCount: 0, status: 'OK' }, '"resultsCount" is "0"'],
        [
          { chart: { result: null, error: { code: 'Not Found', description: 'No data found' } } },
          '"No data found"',
        ],
        [{ results: [], status: 'OK' }, 'no bars are found below its keys "results", "status"'],
      ],
      3,
    ),
  )('%j', async (body, said) => {
    await at.write({ 'AAA.json': JSON.stringify(body) });
    await expect(read('AAA.json')).rejects.toThrow(said);
  });

  it('an error under the name of a CSV file', async () => {
    await at.write({ 'AAA.csv': '{\n  "Information": "Please subscribe."\n}\n' });
    await expect(read('AAA.csv')).rejects.toThrow(
      'it holds an error, no bars: "Please subscribe."',
    );
  });

  it('bars in JSON under the name of a CSV file', async () => {
    await at.write({ 'AAA.csv': '[{"date":"2024-01-02","open":1}]\n' });
    await expect(read('AAA.csv')).rejects.toThrow('it is JSON: give it a name that ends in .json');
  });

  it('columns of different lengths', async () => {
    const body = { t: [1704153600, 1704240000], o: [1, 2], h: [2, 3], l: [1, 1], c: [2] };
    await at.write({ 'AAA.json': JSON.stringify(body) });
    await expect(read('AAA.json')).rejects.toThrow('"t" has 2 values and "c" 1');
  });

  it('a body larger than the limit', async () => {
    const { responseBytesMax } = limits.ingest;
    const padding = ' '.repeat(1024 * 1024);
    const count = responseBytesMax / padding.length;
    // The file form of lines keeps the blanks of a body.
    const text = `{"bars":[${padding.repeat(count)}]}`;
    await at.write({ 'AAA.jsonl': text });
    await expect(read('AAA.jsonl')).rejects.toThrow(
      'it is a response of more than 64 MB, the most that is read',
    );
  });
});

it('several responses in a file are read, and a line that is none is refused', async () => {
  const body = (symbol: string) =>
    JSON.stringify({ symbol, bars: [{ t: '2024-01-02', o: 1.5, h: 2, l: 1, c: 1.75, v: 100 }] });
  await at.write({ 'pages.jsonl': `${body('AAA')}\nnonsense\n${body('BBB')}\n` });
  const { rows, reasons } = await read('pages.jsonl');
  expect(rows.map(({ symbol, close }) => [symbol, close])).toEqual([
    ['AAA', 1.75],
    ['BBB', 1.75],
  ]);
  expect(reasons).toEqual({ 'line is not JSON': 1 });
});

it('lists of values are read where the values prove which is which, or the first names them', async () => {
  // Half a dollar of rise a day, and a bit over night.
  const days = ['02', '03', '04', '05', '08', '09', '10'].map((day, at) => {
    const open = 10 + at * 0.6;
    const bar = [open, open + 0.75, open - 0.25, open + 0.5].map((price) => +price.toFixed(2));
    return { day: `2024-01-${day}`, bar, volume: 1000 + at };
  });
  const millis = days.map(({ day, bar, volume }) => [Date.parse(day), ...bar, volume]);
  const swapped = days.map(({ day, bar: [open, high, low, close] }) => [
    ...[Date.parse(day) / 1000, low, high],
    ...[open, close, 700],
  ]);
  const names = ['date', 'open', 'high', 'low', 'close', 'volume'];
  const files = {
    'AAA.json': JSON.stringify(millis, null, 1),
    'BBB.json': JSON.stringify(millis.map(([stamp, ...others]) => [stamp, ...others.map(String)])),
    'CCC.json': JSON.stringify(swapped),
    'DDD.json': JSON.stringify({ status: 'ok', values: millis }),
    'EEE.jsonl': `${millis.map((row) => JSON.stringify(row)).join('\n')}\n`,
    'FFF.json': JSON.stringify([
      names,
      ...days.map(({ day, bar, volume }) => [day, ...bar, volume]),
    ]),
    // Open and close in a row of equal prices may be either.
    'GGG.json': JSON.stringify(millis.map(([stamp, open]) => [stamp, open, open, open, open, 5])),
  };
  await at.write(files);
  const { rows, reasons, segment } = await read('');
  expect(reasons).toEqual({});
  const [, { bar }] = days;
  const second = rows.filter(({ date }) => date === '2024-01-03');
  expect(
    second.map(({ symbol, open, high, low, close }) => [symbol, open, high, low, close]),
  ).toEqual(['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF'].map((symbol) => [symbol, ...bar]));
  expect(second.map(({ volume }) => volume)).toEqual([1001, 1001, 700, 1001, 1001, 1001]);
  expect(segment.skipped).toMatchObject([
    {
      name: 'GGG.json',
      reason: expect.stringContaining('its rows have no names, and no columns are bounded'),
    },
  ]);
});

it('prices of a bar may stand below its date', async () => {
  const price = { open: 2, high: 3, low: 1, close: 2.5 };
  const days = ['2024-01-02', '2024-01-03'];
  const bodies = {
    'AAA.json': days.map((date) => ({ date, ohlc: { ...price, volume: 7 } })),
    'BBB.json': { data: days.map((date) => ({ date, prices: price, volume: 7 })) },
    // The key is the security, and not the file.
    'day.json': days.map((date) => ({ date, CCC: { ...price, volume: 7 } })),
  };
  const texts = Object.entries(bodies).map(([name, body]) => [name, JSON.stringify(body)]);
  await at.write(Object.fromEntries(texts));
  const { rows, reasons } = await read('');
  expect(reasons).toEqual({});
  expect(rows.map(({ symbol, date, low, volume }) => [symbol, date, low, volume])).toEqual(
    ['AAA', 'BBB', 'CCC'].flatMap((symbol) => days.map((date) => [symbol, date, 1, 7])),
  );
});

it('values of MongoDB’s extended JSON are read, in its short and its full form', async () => {
  const prices = { open: 1.5, high: 2, low: 1 };
  const short = { _id: { $oid: '65a' }, symbol: 'AAA', date: { $date: '2024-01-02T00:00:00Z' } };
  const full = {
    ...{ symbol: 'AAA', date: { $date: { $numberLong: '1704240000000' } }, open: 1.5, high: 2 },
    ...{
      low: { $numberDecimal: '1' },
      close: { $numberDouble: '1.25' },
      volume: { $numberInt: '7' },
    },
  };
  const lines = [{ ...short, ...prices, close: 1.75, volume: 9 }, full];
  await at.write({ 'bars.json': lines.map((line) => JSON.stringify(line)).join('\n') });
  const { rows, reasons } = await read('bars.json');
  expect(rows.map(({ date, close, volume }) => [date, close, volume])).toEqual([
    ['2024-01-02', 1.75, 9],
    ['2024-01-03', 1.25, 7],
  ]);
  expect(reasons).toEqual({});
});

it('dividends and splits of a chart become actions', async () => {
  const seconds = (date: string) => Date.parse(`${date}T14:30:00Z`) / 1000;
  const timestamp = ['2024-01-02', '2024-01-03', '2024-01-04'].map(seconds);
  const flat = (value: number) => [value, value, value];
  const body = {
    chart: {
      result: [
        {
          meta: {
            symbol: 'AAA',
            exchangeTimezoneName: 'America/New_York',
            dataGranularity: '1d',
          },
          timestamp,
          events: {
            dividends: { a: { amount: 0.5, date: timestamp[1] } },
            splits: { b: { date: timestamp[2], numerator: 4, denominator: 1 } },
          },
          indicators: {
            quote: [
              { open: flat(50), high: flat(50), low: flat(50), close: flat(50), volume: flat(9) },
            ],
            adjclose: [{ adjclose: [49.5, 50, 50] }],
          },
        },
      ],
      error: null,
    },
  };
  await at.write({ 'chart.json': JSON.stringify(body) });
  const { segment } = await read('chart.json');
  expect(segment.basis).toBe('split');
  expect(segment.actions).toMatchObject([
    {
      symbol: 'AAA',
      splits: [{ numerator: 4, denominator: 1 }],
      // Yahoo divides by later splits; 2 dollars were declared.
      dividends: [{ amount: 2 }],
    },
  ]);
});

// The row was left out as one without trades, and the record of the days said: no split.
it('a split of a day without prices counts, and the bar is refused', async () => {
  const days = ['2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05'];
  const timestamp = days.map((date) => Date.parse(`${date}T14:30:00Z`) / 1000);
  const prices = [50, null, null, 50];
  const quote = { open: prices, high: prices, low: prices, close: prices, volume: prices };
  const meta = { symbol: 'AAA', exchangeTimezoneName: 'America/New_York', dataGranularity: '1d' };
  const events = { splits: { a: { date: timestamp[2], numerator: 4, denominator: 1 } } };
  const result = [{ meta, timestamp, events, indicators: { quote: [quote] } }];
  await at.write({ 'chart.json': JSON.stringify({ chart: { result, error: null } }) });
  const { rows, reasons, segment } = await read('chart.json');
  expect(segment.actions).toMatchObject([{ splits: [{ numerator: 4, denominator: 1 }] }]);
  expect(rows).toHaveLength(2);
  expect(reasons).toEqual({ 'open is missing': 1 });
});

it('refused rows keep the numbers of their lines', async () => {
  const rows = '2024-01-02,1.75,2,1,1.5,100\n2024-01-03,1.75,2,1,,100\n';
  await at.write({
    'download.csv': `Price,Close,High,Low,Open,Volume\nTicker${',AAA'.repeat(5)}\nDate,,,,,\n${rows}`,
  });
  const { segment } = await read('download.csv');
  const text = await readFile(join(at.context.paths.quarantine, `${segment.id}.csv`), 'utf8');
  expect(
    text
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',').slice(1, 3)),
  ).toEqual([['download.csv', '5']]);
});

it('refused rows of a file without a header keep theirs', async () => {
  await at.write({
    'AAA.csv': '2024-01-02,1.5,2,1,1.75,100\n2024-01-03,1.5,2,1,1.75,100\n2024-01-04,0,2,1,2,5\n',
  });
  await expect(read('AAA.csv')).rejects.toThrow('no columns are bounded');
  await at.write({
    'AAA.csv': `2024-01-02,1.5,2,1,1.75,100\n${'2024-01-03,1.5,2,1,1.75,100\n'.repeat(200)}2024-01-04,0,2,1,2,5\n`,
  });
  const { segment, reasons } = await read('AAA.csv');
  expect(reasons['open is not above zero']).toBe(1);
  const text = await readFile(join(at.context.paths.quarantine, `${segment.id}.csv`), 'utf8');
  expect(text).toContain('AAA.csv,202,');
});

// The symbol of the file's name was W.
it('the symbol of a code that has its market is that of its bars', async () => {
  const data = [{ date: '2024-01-02', open: 1, high: 2, low: 1, close: 2, volume: 9 }];
  await at.write({ 'w.json': JSON.stringify({ code: 'BRK-B.US', data }) });
  expect((await read('w.json')).rows[0].symbol).toBe('BRK.B');
  await at.write({ 'w.json': JSON.stringify({ code: 'OK', data }) });
  expect((await read('w.json')).rows[0].symbol).toBe('W');
});
