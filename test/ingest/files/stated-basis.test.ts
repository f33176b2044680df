/** Files of several bases in a column `adjustment`, as an export of many symbols has it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SourceOptions } from '../../../src/ingest/contract/source-options.ts';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { someOf } from '../../support/store-runs.ts';
import { eachTest } from '../support/each-test.ts';
import { inMemory } from '../support/in-memory.ts';
import { fetchAll } from '../support/segment-rows.ts';

const at = eachTest();

type Bar = [symbol: string, date: string, close: number, adjustment: string];

/** The first and the last row have one basis. Only a look at each row finds the other one. */
const BARS: Bar[] = [
  ['AAA', '2026-01-05', 1, 'all'],
  ['BBB', '2026-01-05', 2, 'raw'],
  ['BBB', '2026-01-06', 3, 'raw'],
  ['CCC', '2026-01-05', 4, 'all'],
];

function csvOf(bars: readonly Bar[]): string {
  const rows = bars.map(([symbol, date, close, adjustment]) =>
    [symbol, date, close, close, close, close, 7, adjustment].join(','),
  );
  return ['symbol,date,open,high,low,close,volume,adjustment', ...rows, ''].join('\n');
}

function jsonLinesOf(bars: readonly Bar[]): string {
  return bars
    .map(([symbol, date, close, adjustment]) => {
      const prices = { open: close, high: close, low: close, close };
      return `${JSON.stringify({ symbol, date, ...prices, volume: 7, adjustment })}\n`;
    })
    .join('');
}

async function parquetOf(bars: readonly Bar[]): Promise<Buffer> {
  await at.write({ '../bars.csv': csvOf(bars) });
  const path = join(at.root, 'bars.parquet');
  const copy = `COPY (FROM '${join(at.root, 'bars.csv')}') TO '${path}'`;
  await inMemory((connection) => connection.run(copy));
  return readFileSync(path);
}

const FORMS = { 'bars.csv': csvOf, 'bars.jsonl': jsonLinesOf, 'bars.parquet': parquetOf };

async function readAll(bars: readonly Bar[], options: SourceOptions = {}, name = 'bars.csv') {
  await at.write({ [name]: await FORMS[name as keyof typeof FORMS](bars) });
  const found = await fetchAll(fetchFiles({ path: at.folder, ...options }, at.context));
  return found.map(({ rows, segment, rejected, reasons }) => {
    const kept = rows.map(({ symbol, date, close }) => `${symbol} ${date} ${close}`);
    return { kept, rejected, reasons, basis: segment.basis, segment };
  });
}

async function read(bars: readonly Bar[], options: SourceOptions = {}) {
  const [found, ...others] = await readAll(bars, options);
  expect(others).toEqual([]);
  return found;
}

/** Reason of a row of another basis than that of its symbol. */
const otherThan = (basis: string) =>
  `adjustment is not its symbol's (${basis}): put such rows in a file of their own`;

describe('a file whose rows state several bases', () => {
  const OF_ALL = { kept: ['AAA 2026-01-05 1', 'CCC 2026-01-05 4'], rejected: 0, basis: 'all' };
  const OF_RAW = { kept: ['BBB 2026-01-05 2', 'BBB 2026-01-06 3'], rejected: 0, basis: 'raw' };

  // Its raw rows were refused, so that an export of all symbols could not be loaded again.
  it.each(someOf(Object.keys(FORMS), 2))('is read by the one of each symbol: %s', async (name) => {
    const found = await readAll(BARS, {}, name);
    expect(found).toMatchObject([OF_RAW, OF_ALL]);
    expect(found[0].segment.readings?.[0].reading.basis).toEqual({
      words: 'prices as traded',
      facts: ['its column of adjustments says so'],
    });
  });

  it('has each refused line once, and refuses rows of a symbol that states two', async () => {
    const bars: Bar[] = [...BARS, ['AAA', '2026-01-06', 1, 'raw'], ['BBB', 'soon', 3, 'raw']];
    const found = await readAll([...bars, ['CCC', 'soon', 3, 'all'], ['', '2026-01-05', 1, 'raw']]);
    expect(found).toMatchObject([
      { ...OF_RAW, rejected: 2, reasons: { 'symbol is missing': 1 } },
      { ...OF_ALL, rejected: 2, reasons: { [otherThan('all')]: 1 } },
    ]);
    const lines = found.map(({ segment }) => {
      const quarantine = join(at.context.paths.quarantine, `${segment.id}.csv`);
      const refused = readFileSync(quarantine, 'utf8').trimEnd().split('\n').slice(1);
      return refused.map((line) => line.split(',')[2]);
    });
    expect(lines).toEqual([
      ['7', '9'],
      ['6', '8'],
    ]);
  });

  it('leaves rows of other symbols out, whatever their basis', async () => {
    const symbols = ['BBB'];
    expect(await readAll(BARS, { symbols })).toMatchObject([OF_RAW]);
    expect(await readAll(BARS, { symbols, basis: 'raw' })).toMatchObject([OF_RAW]);
  });
});

describe('a row that states no basis', () => {
  const days = (...adjustments: string[]) =>
    adjustments.map((adjustment, i): Bar => ['AAA', `2026-01-0${i + 5}`, i + 1, adjustment]);

  it('has that of the header', async () => {
    expect(await read(days('ALL', '', 'none', 'all'))).toMatchObject({
      kept: ['AAA 2026-01-05 1', 'AAA 2026-01-08 4'],
      reasons: { [otherThan('all')]: 2 },
    });
    expect(await read(days('raw', '', 'none', 'raw'))).toMatchObject({ rejected: 0, basis: 'raw' });
  });

  it('says nothing where no row states one', async () => {
    expect(await read(days('1.5', '1'))).toMatchObject({ rejected: 0, basis: 'raw' });
  });

  // The first 30 rows and the last show none.
  it('leaves a symbol in the middle its own', async () => {
    const month = Array.from({ length: 42 }, (_, i): Bar => [`S${i}`, '2026-01-05', 1, '']);
    month[40][3] = 'split';
    expect(await readAll(month)).toMatchObject([
      { rejected: 0, basis: 'raw' },
      { rejected: 0, basis: 'split', kept: ['S40 2026-01-05 1'] },
    ]);
  });
});

it('bars of minutes are read by the basis of their symbol, too', async () => {
  const bars = BARS.flatMap(([symbol, date, close, adjustment]) =>
    ['09:30', '09:31'].map((time): Bar => [symbol, `${date}T${time}:00-05:00`, close, adjustment]),
  );
  const found = await readAll(bars);
  expect(found.map(({ segment }) => [segment.interval, segment.basis])).toEqual([
    ['1m', 'raw'],
    ['1m', 'all'],
  ]);
  expect(found.map(({ kept, rejected }) => [kept.length, rejected])).toEqual([
    [4, 0],
    [4, 0],
  ]);
});

it('reads a symbol apart whose prices alone are as traded', async () => {
  const of = (symbol: string, day: number, close: number, adjusted: number) =>
    `${symbol},2026-01-0${day},${[close, close, close, close, adjusted].join(',')},7\n`;
  const bars = [of('AAA', 5, 4, 4), of('BBB', 5, 60, 30), of('AAA', 6, 4, 4), of('BBB', 6, 30, 30)];
  const header = 'symbol,date,open,high,low,close,Adj Close,volume\n';
  await at.write({ 'bars.csv': [header, ...bars].join('') });
  const found = await fetchAll(fetchFiles({ path: at.folder }, at.context));
  expect(
    found.map(({ rows, segment }) => [segment.basis, ...rows.map(({ close }) => close)]),
  ).toEqual([
    ['raw', 60, 30],
    ['split', 4, 4],
  ]);
});
