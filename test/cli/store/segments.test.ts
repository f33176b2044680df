/** Loads are listed, and one is undone. */

import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { long } from '../../support/store-runs.ts';
import { useCliFolder } from '../support/run-cli.ts';

const cli = useCliFolder();

const DAYS = ['2026-07-06', '2026-07-07', '2026-07-08', '2026-07-09'];

/** @param days First and last place in `DAYS`. */
function write(name: string, close: number, days: [number, number], minute = 0): string {
  const path = join(cli.dataDir, name);
  const lines = DAYS.slice(days[0], days[1] + 1).map((date) => `${date},10,90,1,${close},100\n`);
  writeFileSync(path, `date,open,high,low,close,volume\n${lines.join('')}`);
  const seconds = 1_790_000_000 + minute * 60;
  utimesSync(path, seconds, seconds);
  return path;
}

const load = (path: string, symbol: string, ...more: string[]) =>
  cli.json('backfill', 'files', 'candles', path, '--symbol', symbol, ...more);

const closes = (symbol: string) =>
  cli
    .json('sql', `SELECT close FROM candles WHERE symbol = '${symbol}' ORDER BY ts`)
    .then((rows: { close: number }[]) => rows.map(({ close }) => close));

async function newest(): Promise<{ number: number; id: string }> {
  return (await cli.json('segments', 'list', '--limit', '1')).segments[0];
}

it('loads are listed, newest first, with their rows, symbols and days', async () => {
  await load(write('list-1.csv', 10, [0, 1]), 'LIST');
  const path = write('list-2.csv', 10, [2, 3]);
  await load(path, 'LIST');
  const { segments, held } = await cli.json('segments', 'list', '--limit', '2');
  expect(held).toEqual([]);
  expect(segments).toMatchObject([
    {
      ...{ number: 2, source: 'files', dataset: 'candles', interval: '1d', basis: 'raw' },
      ...{ accepted: 2, rejected: 0, symbols: 1, firstDay: DAYS[2], lastDay: DAYS[3] },
      ...{ origin: path, state: 'loaded' },
    },
    { number: 1, firstDay: DAYS[0] },
  ]);
  const { stdout } = await cli.run('segments', 'list');
  expect(stdout).toMatch(/^NUMBER +LOADED +SOURCE .*\n2 .*list-2\.csv\n1 /);
});

long('a dropped load leaves what the others give', async () => {
  const [symbol, basis] = ['DROP', 'all'];
  const first = write(`${symbol}.csv`, 10, [0, 3]);
  await load(first, symbol, '--basis', basis);
  const before = await closes(symbol);
  write(`${symbol}.csv`, 20, [0, 3], 1);
  await load(first, symbol, '--basis', basis);
  expect(await closes(symbol)).toEqual([20, 20, 20, 20]);
  const { number, id } = await newest();
  const plan = await cli.json('segments', 'drop', String(number), '--plan');
  expect(plan).toMatchObject({ isRebuilt: false, segment: { number } });
  expect(await closes(symbol)).toEqual([20, 20, 20, 20]);
  const { stdout } = await cli.run('segments', 'drop', id.slice(0, 12));
  expect(stdout).toMatch(/^dropped segment \d+: files, 1d .*\nrows: 4 rows of 1 symbol, /);
  expect(stdout).toMatch(/served: [\d,]+ bars of \d symbols → [\d,]+ bars of \d symbols\n/);
  expect(await closes(symbol)).toEqual(before);
  expect(await load(first, symbol, '--basis', basis)).toMatchObject({ alreadyLoaded: 0 });
  expect(await closes(symbol)).toEqual([20, 20, 20, 20]);
});

long('a symbol whose only load is dropped is served no more', async () => {
  await load(write('only.csv', 10, [0, 2]), 'ONLY');
  const { number } = await newest();
  const { before, after } = await cli.json('segments', 'drop', String(number));
  expect([before.bars - after.bars, before.symbols - after.symbols]).toEqual([3, 1]);
  expect(await closes('ONLY')).toEqual([]);
});

it('a number that no segment has is refused, and so is the sandbox', async () => {
  expect(await cli.run('segments', 'drop', '999')).toMatchObject({ code: 2 });
  const sandbox = await cli.run('segments', 'drop', '1', '--mode', 'sandbox');
  expect(sandbox).toMatchObject({ code: 2 });
  expect(sandbox.stderr).toContain("can't be dropped");
});

it('a held load is listed with its file once, and the reason', async () => {
  const path = write('held.csv', 10, [0, 3]);
  await load(path, 'HELD', '--basis', 'all');
  write('held.csv', 10, [3, 3], 1);
  const again = ['backfill', 'files', 'candles', path, '--symbol', 'HELD'];
  expect(await cli.run(...again)).toMatchObject({ code: 1 });
  const { stdout } = await cli.run('segments', 'list');
  expect(stdout.match(/^held .*$/m)?.[0].split(path)).toHaveLength(2);
});

it('a held load is forgotten by its id', async () => {
  const [held] = (await cli.json('segments', 'list')).held;
  const { stdout } = await cli.run('segments', 'drop', held.id.slice(0, 12));
  expect(stdout).toBe(`removed a held load; nothing of it was stored: ${held.origin}\n`);
  expect((await cli.json('segments', 'list')).held).toEqual([]);
  expect((await cli.run('segments', 'drop', held.id)).code).toBe(2);
});
