/** One bad bar is repaired, whatever its sources say later, and the repair is taken back. */

import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { long, someOf } from '../../support/store-runs.ts';
import { useCliFolder } from '../support/run-cli.ts';

const cli = useCliFolder();

const DAYS = ['2026-07-06', '2026-07-07', '2026-07-08', '2026-07-09'];

/** Writes bars of the first days at a price; the low of 2026-07-07 is a tenth of it. */
function write(name: string, price: number, days: number, minute = 0): string {
  const path = join(cli.dataDir, name);
  const lines = DAYS.slice(0, days).map((date, i) => {
    const low = i === 1 ? price / 10 : price * 0.9;
    return `${date},${price},${price * 1.2},${low},${price},${1000 / price}\n`;
  });
  writeFileSync(path, `date,open,high,low,close,volume\n${lines.join('')}`);
  const seconds = 1_790_000_000 + minute * 60;
  utimesSync(path, seconds, seconds);
  return path;
}

const load = (path: string, symbol: string, basis: string, ...more: string[]) =>
  cli.json(
    ...['backfill', 'files', 'candles', path, '--symbol', symbol, '--basis', basis, ...more],
  );

const lows = (symbol: string) =>
  cli
    .json('sql', `SELECT low FROM candles WHERE symbol = '${symbol}' ORDER BY ts`)
    .then((rows: { low: number }[]) => rows.map(({ low }) => low));

it.each(someOf(['raw', 'all'], 2))(
  'a repaired bar of %s prices wins until it is taken back',
  async (basis) => {
    const symbol = basis === 'raw' ? 'RAW' : 'ADJ';
    await load(write(`${symbol}.csv`, 100, 3), symbol, basis);
    const plan = await cli.json('repair', symbol, DAYS[1], '--low', '88.5', '--plan');
    expect(plan.repairs).toEqual([
      {
        ...{ symbol, bar: DAYS[1], source: 'files', basis },
        before: { open: 100, high: 120, low: 10, close: 100, volume: 10 },
        after: { open: 100, high: 120, low: 88.5, close: 100, volume: 10 },
      },
    ]);
    expect(await lows(symbol)).toEqual([90, 10, 90]);
    const { stdout } = await cli.run(
      ...['repair', symbol, DAYS[1], '--low', '88.5', '--reason', 'a wrong trade'],
    );
    expect(stdout).toContain('repaired 1 bar\npublished: version ');
    expect(await lows(symbol)).toEqual([90, 88.5, 90]);
    const explained = await cli.run('explain', symbol, DAYS[1]);
    expect(explained.stdout).toContain('served from repair');
    expect(explained.stdout).toContain('read as a repair of low 10 to 88.5 (a wrong trade)');
    expect(explained.stdout).toContain('the bar was repaired, and a repair wins over all sources');
    // The series keeps its source, and goes on.
    await load(write(`${symbol}.csv`, 100, 4, 1), symbol, basis);
    expect(await lows(symbol)).toEqual([90, 88.5, 90, 90]);
    await cli.json('repair', symbol, DAYS[1], '--low', '87');
    await cli.json('repair', symbol, DAYS[1], '--low', '88.5');
    expect(await lows(symbol)).toEqual([90, 88.5, 90, 90]);
    const again = await cli.json('repair', symbol, DAYS[1], '--low', '88.5');
    expect(again).toMatchObject({ repairs: [], unchanged: 1 });
    await cli.json('rebuild', '--partial');
    expect(await lows(symbol)).toEqual([90, 88.5, 90, 90]);
    for (const low of [87, 88.5, 10]) {
      await cli.json('repair', symbol, DAYS[1], '--undo');
      expect((await lows(symbol))[1]).toBe(low);
    }
    const none = await cli.run('repair', symbol, DAYS[1], '--undo');
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringContaining(`no repair of ${symbol}`),
    ]);
  },
);

// A vintage of the whole history has every bar on another level after a split.
long('a repair follows the level of later vintages', async () => {
  await load(write('SPLIT.csv', 100, 3), 'SPLIT', 'split');
  await cli.json('repair', 'SPLIT', DAYS[1], '--low', '88.5');
  await cli.json('repair', 'SPLIT', DAYS[2], '--volume', '12');
  await load(write('SPLIT.csv', 50, 4, 1), 'SPLIT', 'split', '--accept');
  expect(await lows('SPLIT')).toEqual([45, 44.25, 45, 45]);
  const volumes = await cli.json(
    'sql',
    "SELECT volume FROM candles WHERE symbol = 'SPLIT' ORDER BY ts",
  );
  expect(volumes).toEqual([20, 20, 24, 20].map((volume) => ({ volume })));
  await cli.json('repair', 'SPLIT', DAYS[1], '--high', '52');
  expect(await lows('SPLIT')).toEqual([45, 44.25, 45, 45]);
  // Bars on another basis are of other prices.
  await load(write('other.csv', 50, 4, 2), 'SPLIT', 'all', '--as-of', '2026-07-10', '--accept');
  const { stdout } = await cli.run('explain', 'SPLIT', DAYS[1]);
  expect(stdout).toContain('served from files');
  expect(stdout).toContain('basis split');
});

long('the newest bar is repaired, and the next day goes on behind it', async () => {
  await load(write('LAST.csv', 100, 2), 'LAST', 'raw');
  await cli.json('repair', 'LAST', DAYS[1], '--low', '95');
  await load(write('LAST.csv', 100, 3, 1), 'LAST', 'raw');
  await load(write('next.csv', 100, 4, 2), 'LAST', 'raw');
  expect(await lows('LAST')).toEqual([90, 95, 90, 90]);
  const out = join(cli.dataDir, 'last.csv');
  await cli.json('export', 'candles', '--format', 'csv', '--symbols', 'LAST', '--out', out);
  expect(readFileSync(out, 'utf8')).toMatch(/LAST,2026-07-07\S*,100,120,95,100,10,raw/);
});

const REFUSED: [args: string[], message: string][] = [
  [['BAD', DAYS[1], '--low', '101'], 'BAD 2026-07-07 would be no bar: low is above open or close'],
  [['BAD', DAYS[3], '--low', '90'], 'no 1d bar of BAD 2026-07-09 is served'],
  [['BAD', DAYS[1]], 'give the right values'],
  [['BAD', DAYS[1], '--low', 'x'], '--low must be a number, got "x"'],
  [['BAD', DAYS[1], '--undo', '--low', '9'], "--low can't be combined with --undo"],
  [
    ['BAD', '2026-07-07', '--low', '9', '--interval', '1m'],
    'date must be the start of a bar of 1m',
  ],
];

it('a wrong repair is refused, and changes nothing', async () => {
  await load(write('BAD.csv', 100, 3), 'BAD', 'raw');
  for (const [args, message] of REFUSED) {
    const { code, stderr } = await cli.run('repair', ...args);
    expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining(message)]);
  }
  expect(await lows('BAD')).toEqual([90, 10, 90]);
});

long('a bar of minutes is repaired by its start', async () => {
  const path = join(cli.dataDir, 'MIN.csv');
  const lines = ['13:30', '13:31', '13:32'].map((time) => `2026-07-06T${time}:00Z,10,11,1,10,5\n`);
  writeFileSync(path, `timestamp,open,high,low,close,volume\n${lines.join('')}`);
  await cli.json('backfill', 'files', 'candles', path, '--symbol', 'MIN', '--interval', '1m');
  await cli.json('repair', 'MIN', '2026-07-06T13:31Z', '--interval', '1m', '--low', '9.5');
  expect(await lows('MIN')).toEqual([1, 9.5, 1]);
});

it('findings are written, edited and loaded again', async () => {
  await load(write('FIX.csv', 100, 4), 'FIX', 'raw');
  const path = join(cli.dataDir, 'findings.csv');
  const args = ['gaps', '--symbols', 'FIX', '--flags'];
  const { stdout } = await cli.run(...args, '--fix', path);
  expect(stdout).toContain('findings.csv: 1 bar, 1 with proposed values; edit the columns new_…');
  const [head, row] = readFileSync(path, 'utf8').split('\n');
  expect([head, row]).toEqual([
    'symbol,date,flag,basis,open,high,low,close,volume,new_open,new_high,new_low,new_close,new_volume,remove',
    'FIX,2026-07-07,unit-jump,raw,100,120,10,100,10,,,100,,,',
  ]);
  const again = await cli.run(...args, '--fix', path);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('exists')]);
  // A person edits one row, and leaves another without a value.
  const other = row.replace('2026-07-07', '2026-07-08').replace(',100,,,', ',,,,');
  writeFileSync(path, `${head}\n${row.replace(',100,,,', ',88.5,,,')}\n${other}\n`);
  const plan = await cli.json('repair', '--file', path, '--plan');
  expect(plan).toMatchObject({ repairs: [{ bar: '2026-07-07' }], leftOut: 1 });
  await cli.json('repair', '--file', path);
  expect(await lows('FIX')).toEqual([90, 88.5, 90, 90]);
  const { flags } = await cli.json(...args);
  expect(flags).toMatchObject({ 'unit-jump': 0, 'stray-price': 0 });
  expect(await cli.json('repair', '--file', path)).toMatchObject({ repairs: [], unchanged: 1 });
  const explained = await cli.run('explain', 'FIX', '2026-07-07');
  expect(explained.stdout).toContain('read as a repair of low 10 to 88.5 (unit-jump)');
  writeFileSync(path, `${head}\n${row.replace(',100,,,', ',87,,,')}\n`);
  const stale = await cli.run('repair', '--file', path);
  expect([stale.code, stale.stderr]).toEqual([
    2,
    expect.stringContaining('the low is 88.5 by now, not 10: make the file again'),
  ]);
});

// An old store has bars of days without a session, which no load of today brings.
long('a bar of a day without a session is removed, and comes back with --undo', async () => {
  const path = join(cli.dataDir, 'GONE.csv');
  const days = ['2026-07-06', '2026-07-07', '2026-07-08', '2026-07-09', '2026-07-11'];
  const lines = days.map((day, i) => `${day},10,11,9,10.${i},5\n`);
  writeFileSync(path, `date,open,high,low,close,volume\n${lines.join('')}`);
  await cli.json('backfill', 'files', 'candles', path, '--dates', 'written');
  const findings = join(cli.dataDir, 'closed.csv');
  await cli.run('gaps', '--symbols', 'GONE', '--flags', '--fix', findings);
  expect(readFileSync(findings, 'utf8').split('\n')[1]).toBe(
    'GONE,2026-07-11,closed-day,raw,10,11,9,10.4,5,,,,,,yes',
  );
  await cli.json('repair', '--file', findings);
  expect(await lows('GONE')).toEqual([9, 9, 9, 9]);
  const explained = await cli.run('explain', 'GONE', '2026-07-11');
  expect(explained.stdout).toContain('the bar was removed by a repair');
  // A later file with the day changes nothing, and its next day goes on.
  writeFileSync(
    path,
    `date,open,high,low,close,volume\n${lines.join('')}2026-07-13,10,11,8,10,5\n`,
  );
  await cli.json('backfill', 'files', 'candles', path, '--dates', 'written');
  expect(await lows('GONE')).toEqual([9, 9, 9, 9, 8]);
  await cli.json('repair', 'GONE', '2026-07-11', '--undo');
  expect(await lows('GONE')).toEqual([9, 9, 9, 9, 9, 8]);
  await cli.json('repair', 'GONE', '2026-07-08', '--remove', '--reason', 'no trade');
  expect(await lows('GONE')).toHaveLength(5);
});
