/** Files of several bases in a column `adjustment`, as an export of many symbols has it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SourceOptions } from '../../../src/ingest/contract/source-options.ts';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { long, someOf } from '../../support/store-runs.ts';
import { eachTest } from '../support/each-test.ts';
import { inMemory } from '../support/in-memory.ts';
import { fetchAll, fetchOne } from '../support/segment-rows.ts';

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

async function read(bars: readonly Bar[], options: SourceOptions = {}, name = 'bars.csv') {
  await at.write({ [name]: await FORMS[name as keyof typeof FORMS](bars) });
  const { rows, segment, rejected, reasons } = await fetchOne(
    fetchFiles({ path: at.folder, ...options }, at.context),
  );
  const kept = rows.map(({ symbol, date, close }) => `${symbol} ${date} ${close}`);
  return { kept, rejected, reasons, basis: segment.basis, segment };
}

describe('a file whose rows state several bases', () => {
  // Bars as traded between two fully adjusted series were loaded as fully adjusted.
  it.each(someOf(Object.keys(FORMS), 2))(
    'is read with the first one, and refuses others: %s',
    async (name) => {
      const { segment, ...found } = await read(BARS, {}, name);
      expect(found).toEqual({
        kept: ['AAA 2026-01-05 1', 'CCC 2026-01-05 4'],
        ...{ rejected: 2, reasons: { "adjustment is not the file's (all)": 2 }, basis: 'all' },
      });
      const quarantine = join(at.context.paths.quarantine, `${segment.id}.csv`);
      const refused = readFileSync(quarantine, 'utf8').trimEnd().split('\n').slice(1);
      const first = name === 'bars.csv' ? 3 : 2;
      expect(refused.map((line) => line.split(',').slice(1, 4))).toEqual([
        [name, `${first}`, "adjustment is not the file's (all)"],
        [name, `${first + 1}`, "adjustment is not the file's (all)"],
      ]);
    },
  );

  long('leaves rows of other symbols out, whatever their basis', async () => {
    expect(await read(BARS, { symbols: ['CCC'] })).toMatchObject({
      kept: ['CCC 2026-01-05 4'],
      rejected: 0,
    });
    const symbols = ['BBB'];
    await expect(read(BARS, { symbols })).resolves.toMatchObject({ kept: [], rejected: 2 });
    expect(await read(BARS, { symbols, basis: 'raw' })).toMatchObject({
      kept: ['BBB 2026-01-05 2', 'BBB 2026-01-06 3'],
      rejected: 0,
    });
  });

  it('may begin with another one', async () => {
    expect(await read(BARS.slice(1))).toMatchObject({
      kept: ['BBB 2026-01-05 2', 'BBB 2026-01-06 3'],
      reasons: { "adjustment is not the file's (raw)": 1 },
    });
  });
});

describe('a row that states no basis', () => {
  const days = (...adjustments: string[]) =>
    adjustments.map((adjustment, i): Bar => ['AAA', `2026-01-0${i + 5}`, i + 1, adjustment]);

  it('has that of the header', async () => {
    expect(await read(days('ALL', '', 'none', 'all'))).toMatchObject({
      kept: ['AAA 2026-01-05 1', 'AAA 2026-01-08 4'],
      reasons: { "adjustment is not the file's (all)": 2 },
    });
    expect(await read(days('raw', '', 'none', 'raw'))).toMatchObject({ rejected: 0, basis: 'raw' });
  });

  it('says nothing where no row states one', async () => {
    expect(await read(days('1.5', '1'))).toMatchObject({ rejected: 0, basis: 'raw' });
  });

  // The first 30 rows and the last decide about the file.
  it('can hide rows that state one only among the first 30 and at the end', async () => {
    const month = Array.from({ length: 42 }, (_, i): Bar => [`S${i}`, '2026-01-05', 1, '']);
    month[40][3] = 'split';
    expect(await read(month)).toMatchObject({
      rejected: 1,
      reasons: { "adjustment is not the file's (raw)": 1 },
    });
  });
});

long('bars of minutes of another basis are refused too', async () => {
  const bars = BARS.flatMap(([symbol, date, close, adjustment]) =>
    ['09:30', '09:31'].map((time): Bar => [symbol, `${date}T${time}:00-05:00`, close, adjustment]),
  );
  await at.write({ 'minutes.csv': csvOf(bars) });
  const [minutes, ...others] = await fetchAll(fetchFiles({ path: at.folder }, at.context));
  expect(others).toEqual([]);
  expect(minutes.segment).toMatchObject({ interval: '1m', basis: 'all' });
  expect(minutes.rows.map(({ symbol }) => symbol)).toEqual(['AAA', 'AAA', 'CCC', 'CCC']);
  expect(minutes.reasons).toEqual({ "adjustment is not the file's (all)": 4 });
});
