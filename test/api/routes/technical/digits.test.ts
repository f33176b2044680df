/** `digits`: significant digits of computed values in JSON and CSV. */

import { describe, expect, it } from 'vitest';
import { useFixtureServer } from '../../support/fixture-server.ts';

const fixture = useFixtureServer();
const get = (path: string) => fixture.server.get(`/v1/svc/${path}`);

const FIVE = 'sma,ema:50,rsi:7,macd:5:35:5,bollinger:20:2.5';
const rounded = (value: unknown, digits: number) =>
  typeof value === 'number' ? Number(value.toPrecision(digits)) : value;

interface Technical {
  indicators: Record<string, Record<string, number | string | null>[]>;
  candles: unknown[];
}

async function rows(path: string): Promise<string[][]> {
  const { status, text } = await get(path);
  expect([path, status]).toEqual([path, 200]);
  return text.split('\r\n').map((line) => line.split(','));
}

/** Rounds the fields of the columns from `first` on, as a reader of all digits would. */
function roundedRows([header, ...lines]: string[][], first: number, digits: number): string[][] {
  const field = (text: string) => (text === '' ? '' : String(rounded(Number(text), digits)));
  return [header, ...lines.map((line) => line.map((text, i) => (i < first ? text : field(text))))];
}

describe.each([1, 6, 15, 17])('%i digits', (digits) => {
  it('round indicators of one symbol, in JSON and CSV', async () => {
    for (const interval of ['1d', '1w']) {
      const path = `technical/ABC?indicators=${FIVE}&interval=${interval}&limit=250`;
      const plain = (await get(path)).json as Technical;
      const few = (await get(`${path}&digits=${digits}`)).json as Technical;
      const expected = Object.entries(plain.indicators).map(([key, points]) => [
        key,
        points.map((point) =>
          Object.fromEntries(
            Object.entries(point).map(([name, value]) => [name, rounded(value, digits)]),
          ),
        ),
      ]);
      expect(Object.entries(few.indicators)).toEqual(expected);
      expect(few.candles).toEqual(plain.candles);
      const csv = await rows(`${path}&format=csv`);
      expect(await rows(`${path}&format=csv&digits=${digits}`)).toEqual(
        roundedRows(csv, 'timestamp,date,open,high,low,close,volume'.split(',').length, digits),
      );
    }
  });

  it('round indicators of all symbols in CSV, and leave empty fields', async () => {
    const path = `technical?symbols=*&indicators=${FIVE}&format=csv`;
    const first = 'symbol,timestamp,date,open,high,low,close,volume,adjustment'.split(',').length;
    const plain = await rows(path);
    expect(plain.flat().filter((text) => text === '').length).toBeGreaterThan(100);
    expect(await rows(`${path}&digits=${digits}`)).toEqual(roundedRows(plain, first, digits));
  });

  it('round computed columns of a screen, and no prices and fields', async () => {
    const stated = ['close', 'High[1]', 'weekly( low )', 'volume', 'price', 'market_cap'];
    const computed = ['rsi(14)', 'close/3', 'weekly(rsi(5))', 'avg(volume, 20)', 'pe_ratio'];
    const columns = encodeURIComponent([...stated, ...computed].join());
    const path = `screener?columns=${columns}&where=close%3E0&explain=true`;
    type Screen = {
      data: {
        columns: Record<string, unknown>;
        conditions: { values: Record<string, unknown> }[];
      }[];
    };
    const plain = (await get(path)).json as Screen;
    const few = (await get(`${path}&digits=${digits}`)).json as Screen;
    const expected = plain.data.map((row) => ({
      ...row,
      columns: Object.fromEntries(
        Object.entries(row.columns).map(([text, value], i) => [
          text,
          i < stated.length ? value : rounded(value, digits),
        ]),
      ),
    }));
    expect(few.data).toEqual(expected);
    const csvPath = 'screener?columns=close%2Crsi(14)&format=csv';
    const csv = await rows(csvPath);
    expect(await rows(`${csvPath}&digits=${digits}`)).toEqual(
      roundedRows(csv, csv[0].length - 1, digits),
    );
  });
});

it('is another response, with a tag of its own', async () => {
  const path = 'technical/ABC?indicators=rsi&limit=5';
  const [plain, few] = [await get(path), await get(`${path}&digits=4`)];
  expect(few.headers.get('etag')).not.toBe(plain.headers.get('etag'));
  expect((await get(path)).text).toBe(plain.text);
});

it.each([
  ['technical/ABC?indicators=rsi', 'digits=0', 'digits must be an integer from 1 to 17, got "0"'],
  ['technical/ABC?indicators=rsi', 'digits=18', 'got "18"'],
  ['technical/ABC?indicators=rsi', 'digits=6.5', 'got "6.5"'],
  ['technical/ABC?indicators=rsi', 'digits=6&format=arrow', 'for the formats json and csv'],
  [
    'technical?symbols=ABC&indicators=rsi',
    'digits=6',
    'got the format "arrow", which has all digits',
  ],
  [
    'technical?symbols=ABC&indicators=rsi',
    'digits=6&format=parquet',
    'for the formats json and csv',
  ],
  ['screener?columns=rsi(14)', 'digits=-1', 'got "-1"'],
  ['screener?columns=rsi(14)', 'digits=6&format=parquet', 'for the formats json and csv'],
  ['candles?symbols=ABC', 'digits=6', 'digits'],
])('%s refuses %s', async (path, more, message) => {
  const { status, json } = await get(`${path}&${more}`);
  expect([status, json]).toEqual([
    400,
    expect.objectContaining({
      error: expect.objectContaining({ message: expect.stringContaining(message) }),
    }),
  ]);
});
