/** `backfill files … --plan`, and the reading that a load keeps. */

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';

let folder: CliFolder;

beforeAll(() => {
  folder = createCliFolder();
});
afterAll(() => folder.remove());

const write = (name: string, lines: readonly string[]) => {
  const path = join(folder.dataDir, name);
  writeFileSync(path, [...lines, ''].join('\n'));
  return path;
};

it('shows how files are read, and stores nothing', async () => {
  const path = write('prices.csv', [
    'date,symbol,open,high,low,close,volume,adjustment',
    '2025-03-03,ABC,10,11,9,10.5,100,split',
    '2025-03-03,DEF,20,21,19,20.5,200,split',
    '2025-03-04,ABC,10,11,12,10.5,100,split',
  ]);
  const { code, stdout } = await folder.run('backfill', 'files', 'candles', path, '--plan');
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n')).toEqual([
    'read prices.csv: daily bars of 2 symbols from the column "symbol", split-adjusted prices (its column of adjustments says so), sessions of the dates as written, by default: the days beside them are sessions, too, decimal point, volume in shares, US dollars',
    'lines that would be loaded: 2',
    'would refuse 1: low is above open or close',
    'nothing was stored; a load also compares the bars with stored ones',
  ]);
  expect(readdirSync(folder.dataDir)).toEqual(['prices.csv']);
});

it('fails where a file would be refused, with its reason', async () => {
  const path = write('odd.csv', ['x,y', '1,2']);
  const { code, stderr } = await folder.run('backfill', 'files', 'candles', path, '--plan');
  expect(code).toBe(1);
  expect(stderr).toContain('no header is recognised');
});

// Rows and days of plain files were checked by the load alone: the plan took them for bars.
it('checks rows and days as a load does', async () => {
  const days = [4, 5, 6, 7, 8].map((day) => `2024-03-0${day}`);
  const header = 'date,open,high,low,close,volume';
  const bad = write('jkl.csv', [header, ...days.map((day) => `${day},10,9,11,10,1`)]);
  const plan = (path: string) => folder.run('backfill', 'files', 'candles', path, '--plan');
  const refused = await plan(bad);
  expect([refused.code, refused.stdout]).toEqual([
    1,
    expect.stringMatching(
      /lines that would be loaded: 0\nwould refuse 5: low is above open or close\nskipped 1 input: none of its rows is good/,
    ),
  ]);
  const mixed = write('mno.csv', [
    header,
    '2024-03-04,10,11,9,10,1',
    '2024-03-05,10,9,11,10,1',
    '2024-03-06,10,11,9,10,1',
  ]);
  expect((await plan(mixed)).stdout).toContain('lines that would be loaded: 2\nwould refuse 1:');
});

it('names columns that look like one that is read', async () => {
  const extra = 'Div,Split Coeff,Adj Price,bar_length';
  const path = write('abd.csv', [
    `Date,Open,High,Low,Close,Volume,${extra},Dividend Yield,VWAP`,
    '2025-03-03,10,11,9,10.5,100,0,1,10,d,0.1,10',
    '2025-03-04,10,11,9,10.5,100,0,1,10,d,0.1,10',
  ]);
  const { stdout } = await folder.run('backfill', 'files', 'candles', path, '--plan');
  expect(stdout.split('\n').filter((line) => line.startsWith('note'))).toEqual([
    'note: columns that are not read, and look like ones that are: Div (name it Dividends), Split Coeff (name it Stock Splits), Adj Price (say with --basis what the prices are), bar_length (name it interval) (abd.csv)',
  ]);
});

it('states the reading of a file in minutes', async () => {
  const minutes = ['09:30', '09:31', '09:32', '15:59'].map(
    (time) => `2025-03-03 ${time},10,11,9,10.5,100`,
  );
  const path = write('abc.csv', ['datetime,open,high,low,close,volume', ...minutes]);
  const { stdout } = await folder.run('backfill', 'files', 'candles', path, '--plan');
  expect(stdout.split('\n')[0]).toBe(
    'read abc.csv: 1-minute bars of ABC by the name of the file, prices as traded, by default: nothing in the file tells, New York time (its bars set in at the opens of sessions or cease at their closes), stamps at the start of a bar (not stamps at the end of a bar: 0 of 1 sessions have a bar at the close, and 1 at the open), decimal point, volume in shares, US dollars',
  );
});

it.each([
  ['an offset', (minute: number) => `2025-03-03T09:${minute}:00-05:00`],
  ['seconds since 1970', (minute: number) => `${1741012200 + (minute - 30) * 60}`],
])('names no zone of its own for stamps with %s', async (_, stampOf) => {
  const minutes = [30, 31, 32, 33].map((minute) => `${stampOf(minute)},10,11,9,10.5,100`);
  const path = write('abc.csv', ['timestamp,open,high,low,close,volume', ...minutes]);
  const { stdout } = await folder.run('backfill', 'files', 'candles', path, '--plan');
  expect(stdout.split('\n')[0]).toContain(', times of the zone that each stamp states, stamps at');
});

it('a bar keeps the reading of its file', async () => {
  const path = write('ghi.csv', [
    'date,open,high,low,close,volume',
    '2025-03-03,10,11,9,10.5,100',
    '2025-03-04,10,11,9,10.5,100',
  ]);
  await folder.run('backfill', 'files', 'candles', path);
  const text = (await folder.run('explain', 'GHI', '2025-03-03')).stdout;
  expect(text).toContain(
    '  read as daily bars by the name of the file, prices as traded, by default: nothing in the file tells, sessions of the dates as written, by default: the days beside them are sessions, too, decimal point, volume in shares, US dollars\n',
  );
  const { bar } = await folder.json('explain', 'GHI', '2025-03-03');
  expect(bar.file.reading.basis).toEqual({
    words: 'prices as traded, by default: nothing in the file tells',
    facts: [],
  });
});
