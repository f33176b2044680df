/** Files below folders `key=value`: writers of datasets leave the columns of the folders out. */

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { isLong } from '../../faults/scale.ts';
import { long, someOf } from '../../support/store-runs.ts';
import { eachTest } from '../support/each-test.ts';
import { inMemory } from '../support/in-memory.ts';
import { fetchAll } from '../support/segment-rows.ts';
import { zipOf } from '../support/zip-file.ts';

const at = eachTest();

const BARS = ['AAA 2024-01-02 1.5 2 1 1.75 100', 'AAA 2024-01-03 1.75 2.5 1.5 2 200'];
const PRICES = ['1.5,2,1,1.75,100', '1.75,2.5,1.5,2,200'];

async function barsIn(path: string) {
  const all = await fetchAll(fetchFiles({ path }, at.context));
  expect(all.map(({ rejected }) => rejected)).toEqual(all.map(() => 0));
  return all.flatMap(({ rows }) => rows.map((row) => Object.values(row).join(' '))).sort();
}

const HEADER = 'symbol,open,high,low,close,volume';
const csv = (row: string) => `${HEADER}\nAAA,${row}\n`;
const json = (row: string) =>
  `${JSON.stringify(Object.fromEntries(HEADER.split(',').map((name, i) => [name, ['AAA', ...row.split(',').map(Number)][i]])))}\n`;
async function parquet(row: string) {
  const path = join(at.root, 'table.parquet');
  const [open, high, low, close, volume] = row.split(',');
  await inMemory((connection) =>
    connection.run(`COPY (SELECT 'AAA' AS symbol, ${open}::DOUBLE AS open, ${high}::DOUBLE AS high,
      ${low}::DOUBLE AS low, ${close}::DOUBLE AS close, ${volume}::BIGINT AS volume)
      TO '${path}' (FORMAT parquet)`),
  );
  return readFileSync(path);
}

type Form = readonly [ending: string, of: (row: string) => string | Buffer | Promise<Buffer>];
const FORMS: Record<string, Form> = {
  CSV: ['csv', csv],
  'gzipped CSV': ['csv.gz', (row) => gzipSync(csv(row))],
  'JSON lines': ['jsonl', json],
  JSON: ['json', (row) => JSON.stringify([JSON.parse(json(row))], null, 2)],
  Parquet: ['parquet', parquet],
};

const FOLDERS: Record<string, readonly [string, string]> = {
  'a date': ['date=2024-01-02', 'date=2024-01-03'],
  'a date without hyphens': ['dt=20240102', 'dt=20240103'],
  'a midnight, encoded': ['date=2024-01-02%2000%3A00%3A00', 'date=2024-01-03%2000%3A00%3A00'],
  'a trading day below a year': [
    'year=2024/trade_date=2024-01-02',
    'year=2024/trade_date=2024-01-03',
  ],
  'year, month and day': ['year=2024/month=1/day=2', 'year=2024/month=01/day=03'],
};

// "the header has no column for date".
// CI tries every third form in the first kind of folder, also in a zip and as one file, and the
// first form in the others.
describe.each(Object.entries(FOLDERS))('the day of %s', (kind, folders) => {
  const forms = Object.entries(FORMS);
  it.each(someOf(forms, kind === 'a date' ? 3 : forms.length))(
    'is that of %s',
    async (_name, [ending, of]) => {
      const files: Record<string, string | Buffer> = {};
      for (const [day, folder] of folders.entries()) {
        files[`${folder}/data_0.${ending}`] = await of(PRICES[day]);
      }
      await at.write(files);
      expect(await barsIn(at.folder)).toEqual(BARS);
      if (!isLong && kind !== 'a date') return;
      const zip = join(at.root, 'lake.zip');
      await writeFile(
        zip,
        zipOf(Object.entries(files).map(([name, content]) => ({ name, content }))),
      );
      expect(await barsIn(zip)).toEqual(BARS);
      // The folder is above the path that the user gives.
      const [first] = Object.keys(files);
      expect(await barsIn(join(at.folder, first))).toEqual(BARS.slice(0, 1));
      expect(await barsIn(join(at.folder, folders[1]))).toEqual(BARS.slice(1));
    },
  );
});

it('days of equal rows are days, and no copies of one file', async () => {
  const folders = FOLDERS['a date'];
  await at.write(Object.fromEntries(folders.map((day) => [`${day}/data.csv`, csv(PRICES[0])])));
  expect(await barsIn(at.folder)).toEqual([BARS[0], BARS[0].replace('01-02', '01-03')]);
});

it('a file with dates of its own keeps them, whatever its folder says', async () => {
  const text = `date,${HEADER}\n2024-01-02,AAA,${PRICES[0]}\n`;
  await at.write({ 'date=2024-06-28/data.csv': text });
  expect(await barsIn(at.folder)).toEqual(BARS.slice(0, 1));
});

it('the day of rows without one may be the whole name of their file', async () => {
  await at.write({ '2024-01-02.csv': csv(PRICES[0]), 'symbol=AAA/20240103.csv': csv(PRICES[1]) });
  expect(await barsIn(at.folder)).toEqual(BARS);
  await at.write({ 'b/2024-13-02.csv': csv(PRICES[0]) });
  await expect(barsIn(join(at.folder, 'b'))).rejects.toThrow('the header has no column for date');
  // The day of a download dated the bars of the day before.
  const asof = 'symbol,price asof,open,high,low,close\nAAA,2024-01-02,10,11,9,10.5\n';
  await at.write({ 'c/2024-01-03.csv': asof });
  await expect(barsIn(join(at.folder, 'c'))).rejects.toThrow('the header has no column for date');
});

long('times of day are those of the day of the folder', async () => {
  const rows = ['09:30', '09:31'].map((time, row) => `${time},${PRICES[row]}\n`).join('');
  const text = `time,open,high,low,close,volume\n${rows}`;
  await at.write({ 'symbol=AAA/date=2024-01-02/data.csv': text });
  expect(await barsIn(at.folder)).toEqual([
    'AAA 2024-01-02T14:30:00Z 1.5 2 1 1.75 100',
    'AAA 2024-01-02T14:31:00Z 1.75 2.5 1.5 2 200',
  ]);
});

it.each(['date=2024-01', 'month=2024-01-02', 'date=02.01.2024', 'date=__HIVE_DEFAULT_PARTITION__'])(
  'a folder %s dates no rows',
  async (folder) => {
    await at.write({ [`${folder}/data.csv`]: csv(PRICES[0]) });
    await expect(barsIn(at.folder)).rejects.toThrow('the header has no column for date');
  },
);
