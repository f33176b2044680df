/**
 * Types of columns that change what a value means. A tool that guesses types wrote the tickers T
 * and F as BOOLEAN, and AT&T's bars were stored under TRUE.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer, type SchemaElement } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { fetchActionFiles } from '../../../src/ingest/rows/action-files.ts';
import { fetchDatasetFiles } from '../../../src/ingest/rows/files.ts';
import { realdata } from '../../support/realdata.ts';
import { eachTest } from '../support/each-test.ts';
import { inMemory } from '../support/in-memory.ts';
import { fetchOne } from '../support/segment-rows.ts';

const at = eachTest();

async function parquet(name: string, selectSql: string): Promise<string> {
  const path = join(at.folder, name);
  await at.write({});
  await at.write({ [name]: '' });
  await inMemory((connection) => connection.run(`COPY (${selectSql}) TO '${path}'`));
  return path;
}

const PRICES = ['open', 'high', 'low', 'close'];

/** A bar of 100.01 as decimals of 60 digits, which DuckDB cannot write. */
function wideDecimals(bytes: number, scale = 4, names = PRICES): Buffer {
  const element = { type: 'FIXED_LEN_BYTE_ARRAY', type_length: bytes, repetition_type: 'REQUIRED' };
  const decimal = { converted_type: 'DECIMAL', precision: 60, scale };
  const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' };
  const schema = [
    { name: 'schema', num_children: names.length + 2 },
    { name: 'date', ...text },
    { name: 'symbol', ...text },
    ...names.map((name) => ({ name, ...element, ...decimal })),
  ] as SchemaElement[];
  const columnData = [
    { name: 'date', data: ['2024-03-04'] },
    { name: 'symbol', data: ['ABCD'] },
    ...names.map((name) => ({ name, data: [10_001n * 10n ** BigInt(scale - 2)] })),
  ];
  return Buffer.from(parquetWriteBuffer({ schema, columnData, statistics: false }));
}

function twoCloses(): Buffer {
  const columnData = [
    { name: 'date', data: ['2024-03-04'], type: 'STRING' as const },
    ...[...PRICES, 'Close'].map((name) => ({ name, data: [1], type: 'DOUBLE' as const })),
  ];
  return Buffer.from(parquetWriteBuffer({ columnData }));
}

const bar = "DATE '2024-03-04' AS date, 20.5 AS open, 21.0 AS high, 20.0 AS low, 20.5 AS close";

function candles(path: string) {
  return fetchOne(fetchFiles({ path }, at.context));
}

// 1704153600.0 was "not a date of a known format", and all rows of such JSON lines were refused.
it('a stamp that is a float counts as the whole number', async () => {
  const stamps = "epoch(TIMESTAMP '2024-03-04')::DOUBLE AS timestamp";
  const path = await parquet(
    'ABCD.parquet',
    `SELECT ${stamps}, * EXCLUDE (date) FROM (SELECT ${bar})`,
  );
  const found = [(await candles(path)).rows];
  for (const stamp of ['1709510400.0', '"20240304.0"']) {
    await at.write({ 'ABCD.jsonl': `{"t":${stamp},"o":20.5,"h":21,"l":20,"c":20.5,"v":0}\n` });
    found.push((await candles(join(at.folder, 'ABCD.jsonl'))).rows);
  }
  expect(found).toMatchObject(Array(3).fill([{ date: '2024-03-04', high: 21 }]));
});

describe('a Parquet file of candles', () => {
  it.each([
    ['BOOLEAN', 'true'],
    ['DOUBLE', "'inf'::DOUBLE"],
    ['INTEGER', '10107'],
    ['DATE', "DATE '2024-03-01'"],
    ['VARCHAR[]', "['A']"],
  ])('with symbols of type %s is refused by its type', async (type, value) => {
    const path = await parquet('prices.parquet', `SELECT ${value} AS symbol, ${bar}`);
    await expect(candles(path)).rejects.toThrow(
      `its column "symbol" is of type ${type}, and tickers are text: write it as text`,
    );
  });

  it('with "close" beside "Close" is refused, as a CSV file is', async () => {
    const path = join(at.folder, 'ABCD.parquet');
    await at.write({ 'ABCD.parquet': twoCloses() });
    await expect(candles(path)).rejects.toThrow('two columns are named "close"');
  });

  it('with decimals of up to 38 digits has their exact values', async () => {
    const price = '100.01::DECIMAL(38,4)';
    const path = await parquet(
      'ABCD.parquet',
      `SELECT DATE '2024-03-04' AS date, ${price} AS open, ${price} AS high, ${price} AS low,
        100.01::FLOAT AS close, 5::UBIGINT AS volume`,
    );
    expect((await candles(path)).rows).toEqual([
      {
        ...{ symbol: 'ABCD', date: '2024-03-04', open: 100.01, high: 100.01, low: 100.01 },
        ...{ close: 100.01, volume: 5 },
      },
    ]);
  });

  it('with wider decimals of a multiple of 8 bytes has their values', async () => {
    await at.write({ 'ABCD.parquet': wideDecimals(32) });
    const { rows } = await candles(join(at.folder, 'ABCD.parquet'));
    expect(rows.map(({ open, close }) => [open, close])).toEqual([[100.01, 100.01]]);
  });

  // DuckDB reads a multiple of the first, and 100.00999999999999 for the second.
  it.each([
    [26, 4],
    [32, 20],
  ])('with other wide decimals is refused: %d bytes, %d decimals', async (bytes, scale) => {
    await at.write({ 'ABCD.parquet': wideDecimals(bytes, scale) });
    await expect(candles(join(at.folder, 'ABCD.parquet'))).rejects.toThrow(
      `its column "open" is of type DECIMAL(60,${scale}), and decimals of up to 38 digits are read`,
    );
  });
});

describe('a file of another dataset', () => {
  function actions(path: string) {
    return Array.fromAsync(fetchDatasetFiles({ path, dataset: 'shares' }, at.context));
  }
  const row = `DATE '2024-03-04' AS date, '2024-03-05T00:00:00Z' AS "filedAt", 'cover' AS kind`;

  it('is refused for symbols that are not text', async () => {
    const path = await parquet('a.parquet', `SELECT true AS symbol, 5 AS shares, ${row}`);
    await expect(actions(path)).rejects.toThrow('"symbol" is of type BOOLEAN');
  });

  // The ratio 1.5 as a decimal of 50 digits was a split of 25165824:1.
  it('is refused for types of columns that only a spelling of splits knows', async () => {
    const load = (path: string) => Array.fromAsync(fetchActionFiles({ path }, at.context));
    await at.write({ 'wide.parquet': wideDecimals(20, 4, ['ratio', 'other']) });
    await expect(load(join(at.folder, 'wide.parquet'))).rejects.toThrow(
      'its column "ratio" is of type DECIMAL(60,4), and decimals of up to 38 digits are read',
    );
    const sql = "SELECT true AS ticker, DATE '2024-03-04' AS date, 0.24 AS dividend";
    await expect(load(await parquet('b.parquet', sql))).rejects.toThrow('is of type BOOLEAN');
  });

  it('is refused for two columns of one name', async () => {
    const sql = `SELECT 'A' AS symbol, 5 AS shares, ${row}, '2024-03-06T00:00:00Z' AS filed_at`;
    await expect(actions(await parquet('a.parquet', sql))).rejects.toThrow(
      'two columns are named "filedat"',
    );
  });

  it('refuses a row of JSON whose ticker is true or a number', async () => {
    const line = { date: '2024-03-04', filedAt: '2024-03-05T00:00:00Z', kind: 'cover', shares: 5 };
    const lines = [true, 5, 'T'].map((symbol) => JSON.stringify({ ...line, symbol }));
    await at.write({ 'a.jsonl': lines.join('\n') });
    const [{ accepted, rejectedByReason }] = await actions(join(at.folder, 'a.jsonl'));
    expect([accepted, Object.fromEntries(rejectedByReason)]).toEqual([
      1,
      { 'symbol is not text, as tickers are': 2 },
    ]);
  });
});

const made = realdata('dialects/made/11');

describe.skipIf(!existsSync(made))('the files of section 11', () => {
  it.each(['prices_T.parquet', 'prices_F.parquet'])('%s is refused', async (name) => {
    await expect(candles(join(made, name))).rejects.toThrow('"symbol" is of type BOOLEAN');
  });
});
