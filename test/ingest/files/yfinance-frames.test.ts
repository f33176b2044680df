/** Frames of yfinance, written by pandas as CSV and Parquet: what their prices are adjusted for. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { someOf } from '../../support/store-runs.ts';
import { eachTest } from '../support/each-test.ts';
import { inMemory } from '../support/in-memory.ts';
import { fetchOne } from '../support/segment-rows.ts';

const at = eachTest();

/** Values of a day by their fields. */
const DAY: Readonly<Record<string, string>> = {
  'Adj Close': '1.7',
  Close: '1.75',
  High: '2.0',
  Low: '1.0',
  Open: '1.5',
  Volume: '100',
};
const ADJUSTED = ['Close', 'High', 'Low', 'Open', 'Volume'];
const WITH_ADJ_CLOSE = ['Adj Close', ...ADJUSTED];
const BY_TICKER = ['Open', 'High', 'Low', 'Close', 'Volume'];

const valuesOf = (fields: readonly string[]) => fields.map((field) => DAY[field]);

/** CSV of two levels, the fields first. */
function csvOf(fields: readonly string[], delimiter = ','): string {
  const line = (cells: readonly string[]) => cells.join(delimiter);
  const twice = (cells: readonly string[]) => cells.flatMap((cell) => [cell, cell]);
  return `${[
    line(['Price', ...twice(fields)]),
    line(['Ticker', ...fields.flatMap(() => ['AAA', 'BBB'])]),
    line(['Date', ...fields.flatMap(() => ['', ''])]),
    line(['2024-01-02', ...twice(valuesOf(fields))]),
  ].join('\n')}\n`;
}

interface Frame {
  names: readonly string[];
  values: readonly string[];
  /** Names of the levels of columns in the metadata of pandas; none without metadata. */
  levels?: readonly string[];
  index?: string;
  stamp?: string;
}

/** Parquet of a frame, its index behind the columns. */
async function parquetOf({
  names,
  values,
  levels,
  index = 'Date',
  stamp = "TIMESTAMP '2024-01-02'",
}: Frame): Promise<Buffer> {
  const path = join(at.root, 'frame.parquet');
  const cells = names.map((name, place) => `${values[place]} AS "${name}"`);
  const pandas = JSON.stringify({ column_indexes: levels?.map((name) => ({ name })) });
  const metadata = levels ? `, KV_METADATA {pandas: '${pandas}'}` : '';
  await inMemory((connection) =>
    connection.run(
      `COPY (SELECT ${cells.join(', ')}, ${stamp} AS "${index}") TO '${path}'
       (FORMAT parquet${metadata})`,
    ),
  );
  return readFileSync(path);
}

const tuples = (fields: readonly string[]) => fields.map((field) => `('${field}', 'AAA')`);
const byTicker = (fields: readonly string[]) => fields.map((field) => `('AAA', '${field}')`);
const MINUTE = { index: 'Datetime', stamp: "TIMESTAMPTZ '2024-01-02 14:30:00Z'" };

const PARQUET: [string, Frame, string][] = [
  ['one level', { names: ADJUSTED, values: valuesOf(ADJUSTED) }, 'all'],
  ['two levels', { names: tuples(ADJUSTED), values: valuesOf(ADJUSTED) }, 'all'],
  [
    'two levels, with Adj Close',
    { names: tuples(WITH_ADJ_CLOSE), values: valuesOf(WITH_ADJ_CLOSE) },
    'split',
  ],
  [
    'tickers first, by the names of the levels',
    { names: byTicker(BY_TICKER), values: valuesOf(BY_TICKER), levels: ['Ticker', 'Price'] },
    'all',
  ],
  [
    'tickers first, with Adj Close',
    {
      names: byTicker(WITH_ADJ_CLOSE),
      values: valuesOf(WITH_ADJ_CLOSE),
      levels: ['Ticker', 'Price'],
    },
    'split',
  ],
  [
    'levels of another tool',
    { names: byTicker(BY_TICKER), values: valuesOf(BY_TICKER), levels: ['Security', 'Field'] },
    'raw',
  ],
  ['minutes', { names: tuples(ADJUSTED), values: valuesOf(ADJUSTED), ...MINUTE }, 'split'],
];

// They were read as traded, and divided once more at each split.
it.each(someOf(PARQUET, 3))('Parquet of %s has its basis', async (_, frame, basis) => {
  await at.write({ 'AAA.parquet': await parquetOf(frame) });
  const path = join(at.folder, 'AAA.parquet');
  const interval = frame.index === 'Datetime' ? { interval: '1m' as const } : {};
  const { rows, segment } = await fetchOne(fetchFiles({ path, ...interval }, at.context));
  expect(rows.map(({ symbol, close }) => [symbol, close])).toEqual([['AAA', 1.75]]);
  expect(segment.basis).toBe(basis);
});

it.each([
  ['an adjusted close', 'prices.csv', csvOf(WITH_ADJ_CLOSE), 'split'],
  ['none', 'prices.csv', csvOf(ADJUSTED), 'all'],
  ['none, cut by tabs', 'prices.tsv', csvOf(ADJUSTED, '\t'), 'all'],
  [
    'none, in joined names',
    'prices.csv',
    `Date,${ADJUSTED.map((field) => `${field}_AAA,${field}_BBB`)}\n2024-01-02,1.75,1.75,2,2,1,1,1.5,1.5,100,100\n`,
    'all',
  ],
])('CSV of several tickers with %s has its basis: %s', async (_, name, text, basis) => {
  await at.write({ [name]: text });
  const { rows, segment } = await fetchOne(fetchFiles({ path: join(at.folder, name) }, at.context));
  expect(rows.map(({ symbol, close }) => [symbol, close])).toEqual([
    ['AAA', 1.75],
    ['BBB', 1.75],
  ]);
  expect(segment.basis).toBe(basis);
});
