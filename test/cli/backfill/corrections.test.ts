/** A person corrects his own files and loads them again. */

import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { long, someOf } from '../../support/store-runs.ts';
import { useCliFolder } from '../support/run-cli.ts';

const cli = useCliFolder();

/** Writes a file that was changed at a minute after some moment. */
function write(name: string, text: string, minute: number): string {
  const path = join(cli.dataDir, name);
  writeFileSync(path, text);
  touch(path, minute);
  return path;
}

function touch(path: string, minute: number): void {
  const seconds = 1_790_000_000 + minute * 60;
  utimesSync(path, seconds, seconds);
}

const bars = (close: number, count = 3) =>
  `date,open,high,low,close,volume\n${['2026-07-06', '2026-07-07', '2026-07-08']
    .slice(0, count)
    .map((date) => `${date},10,50,1,${close},100\n`)
    .join('')}`;

const closes = (symbol: string) =>
  cli
    .json('sql', `SELECT close FROM candles WHERE symbol = '${symbol}' ORDER BY ts`)
    .then((rows: { close: number }[]) => rows.map(({ close }) => close));

long('a rebuild takes files to be as new as they were when they were loaded', async () => {
  const paths = [write('old.csv', bars(20), 10), write('new.csv', bars(21), 11)];
  for (const path of paths) {
    await cli.json('backfill', 'files', 'candles', path, '--symbol', 'GLUE');
  }
  expect(await closes('GLUE')).toEqual([21, 21, 21]);
  touch(paths[0], 12);
  await cli.json('rebuild', '--partial');
  expect(await closes('GLUE')).toEqual([21, 21, 21]);
  await cli.json('backfill', 'files', 'candles', paths[0], '--symbol', 'GLUE');
  expect(await closes('GLUE')).toEqual([20, 20, 20]);
  touch(paths[0], 9);
  await cli.json('rebuild', '--partial');
  expect(await closes('GLUE')).toEqual([20, 20, 20]);
});

long('a corrected row of a dataset wins, also in a file that lost its last rows', async () => {
  const header = 'symbol,firm,target,publishedAt\n';
  const rows = (target: number, count: number) =>
    header +
    ['2026-07-06', '2026-07-07']
      .slice(0, count)
      .map((day) => `ACME,A & B,${target},${day}T10:00:00Z\n`)
      .join('');
  const targets = async () =>
    (await cli.json('sql', 'SELECT target FROM analyst_targets ORDER BY published_at')).map(
      ({ target }: { target: number }) => target,
    );
  for (const [i, [target, count, expected]] of (
    [
      [300, 2, [300, 300]],
      [200, 2, [200, 200]],
      [300, 2, [300, 300]],
      [100, 1, [100, 300]],
    ] as const
  ).entries()) {
    const path = write('targets.csv', rows(target, count), i);
    await cli.json('backfill', 'files', 'analyst-targets', path);
    expect(await targets()).toEqual(expected);
  }
});

long('equally new files are named with their values and how to choose', async () => {
  const paths = ['one.csv', 'two.csv'].map((name, i) => write(name, bars(30 + i), 20));
  const load = (path: string) => cli.json('backfill', 'files', 'candles', path, '--symbol', 'TWIN');
  expect((await load(paths[0])).notes).toEqual([]);
  const { notes } = await load(paths[1]);
  const [, second] = await closes('TWIN');
  const [served, other] = second === 30 ? ['one', 'two'] : ['two', 'one'];
  expect(notes).toHaveLength(1);
  const lines = notes[0].split('\n');
  expect(lines).toHaveLength(5);
  expect(lines[2]).toBe(
    `  TWIN 2026-07-07: close ${second} of "${served}.csv" is served, ${61 - second} of "${other}.csv" is not`,
  );
  expect(lines[4]).toContain('touch the right file');
  const { stdout } = await cli.run('explain', 'TWIN', '2026-07-07');
  expect(stdout).toContain('nothing tells which is right');
});

// The correction was ignored without a word.
it.each(someOf(['all', 'raw'], 2))(
  'an older file with other values of %s prices is named, with what wins and why',
  async (basis) => {
    const symbol = `LATE.${basis === 'all' ? 'A' : 'B'}`;
    const load = (path: string) =>
      cli.json('backfill', 'files', 'candles', path, '--basis', basis, '--symbol', symbol);
    await load(write('whole.csv', bars(10), 0));
    const same = 'date,open,high,low,close,volume\n2026-07-07,10,50,1,10,100\n';
    expect((await load(write('same.csv', same, 1))).notes).toEqual([]);
    const { notes } = await load(write('fix.csv', same.replace('50,1,10', '50,8.5,10'), 2));
    expect(notes).toEqual([
      'these bars are stored and not served, since a newer file of the same source has other values:\n' +
        `  ${symbol} 2026-07-07: low 1 of "whole.csv" (as of 2026-07-08) is served, ` +
        '8.5 of "fix.csv" (as of 2026-07-07) is not\n' +
        `To correct single bars, use npx tapeworks repair ${symbol} 2026-07-07 --low 8.5. ` +
        'If a whole file of traded prices is right, give --as-of with a later date.',
    ]);
    // Other volumes of adjusted bars were not named.
    const other = await load(write('volume.csv', same.replace('10,100', '10,777'), 3));
    expect(other.notes[0]).toMatch(/volume 100 of "whole.csv" .* is served, 777 of "volume.csv"/);
  },
);

// Half of a history by another file was served without a word.
it('a newer file with other prices is named, with what it replaces', async () => {
  const load = (path: string) => cli.json('backfill', 'files', 'candles', path, '--symbol', 'OVER');
  await load(write('first.csv', bars(10), 0));
  // Four different prices that repeat from day to day would be named, too.
  const second = bars(10.5).replaceAll('10,50,1,', '10,50,10,');
  const { notes } = await load(write('second.csv', second, 1));
  expect(notes).toHaveLength(1);
  expect(notes[0]).toContain('these bars have other prices than in an older file');
  expect(notes[0]).toMatch(
    /OVER 2026-07-07: close 10\.5 of "second\.csv" \(.*\) is served, 10 of "first\.csv" \(.*\) is not/,
  );
  expect(notes[0]).toContain('load it again with --as-of');
});

// The report said that the bar of the file is served.
long('a bar that a repair keeps from being served is named as such', async () => {
  const load = (path: string) =>
    cli.json('backfill', 'files', 'candles', path, '--symbol', 'FIXED');
  const path = write('fixed.csv', bars(10), 0);
  await load(path);
  await cli.run('repair', 'FIXED', '2026-07-07', '--close', '10.2');
  const other = bars(10).replace('07-07,10,50,1,10', '07-07,10,50,1,10.4');
  const { notes } = await load(write('fixed.csv', other, 1));
  expect(notes).toHaveLength(1);
  expect(notes[0]).toMatch(/^these bars are stored and not served, since a repair/);
  expect(notes[0]).toMatch(/FIXED 2026-07-07: close 10\.2 of .* is served, 10\.4 of "fixed\.csv"/);
  expect(await closes('FIXED')).toEqual([10, 10.2, 10]);
  expect((await load(write('fixed.csv', bars(10), 2))).notes.join()).not.toContain('a repair');
});
