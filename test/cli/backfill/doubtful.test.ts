/** Doubtful inputs as a user meets them: refused and explained, then accepted. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useCliFolder } from '../support/run-cli.ts';

const cli = useCliFolder();

const SYMBOLS = Array.from({ length: 60 }, (_, i) => `S${10 + i}`);

/** Twenty days of every symbol in one file. */
function writeMonth(month: string, close: (symbol: number) => number, badRows = 0): string {
  const days = Array.from({ length: 20 }, (_, i) => `${month}-${String(i + 1).padStart(2, '0')}`);
  const rows = SYMBOLS.flatMap((symbol, i) =>
    days.map((date) => [symbol, date, close(i), close(i), close(i), close(i), 1000].join(',')),
  );
  const bad = Array.from({ length: badRows }, () => 'S10,2024-01-30,-1,-1,-1,-1,0');
  const path = join(cli.dataDir, `${month}-${badRows}.csv`);
  const lines = ['symbol,date,open,high,low,close,volume', ...rows, ...bad];
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const bars = async () => (await cli.json('sql', 'SELECT count(*) AS n FROM candles'))[0].n;

it('a file is refused with numbers, leaves nothing behind, and is loaded with --accept', async () => {
  await cli.json(
    'backfill',
    'files',
    'candles',
    writeMonth('2024-01', () => 100),
  );
  const bad = writeMonth('2024-02', () => 100, 30);
  const refused = await cli.run('backfill', 'files', 'candles', bad, '--json');
  expect(refused.code).toBe(1);
  expect(refused.stdout).toBe('');
  expect(refused.stderr).toMatch(/30 of 1230 rows were rejected \(2\.4 %, at most 1 %\)/);
  expect(refused.stderr).toMatch(/quarantine".*--accept/);
  expect(await bars()).toBe(1200);
  const [dead] = await cli.json('jobs', 'list', '--dead');
  expect(dead).toMatchObject({ kind: 'doubtful', title: 'load and publish' });
  const report = await cli.json('backfill', 'files', 'candles', bad, '--accept');
  expect(report).toMatchObject({ accepted: 1200, rejected: 30 });
  expect(await bars()).toBe(2400);
  expect(await cli.json('jobs', 'list', '--dead')).toEqual([]);
});

it('what is halved is refused, and accepted by a retry of its job', async () => {
  const halved = writeMonth('2024-03', (i) => (i < 2 ? 50 : 100));
  const refused = await cli.run('backfill', 'files', 'candles', halved);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/2 of 60 prices move by half or more.*as S1[01] from 100 to 50/);
  const [{ id }] = await cli.json('jobs', 'list', '--dead');
  expect((await cli.run('jobs', 'retry', id)).code).toBe(1);
  const [report] = await cli.json('jobs', 'retry', id, '--accept');
  expect(report).toMatchObject({ accepted: 1200 });
  const [{ close }] = await cli.json(
    'sql',
    "SELECT arg_max(close, ts) AS close FROM candles WHERE symbol = 'S10'",
  );
  expect(close).toBe(50);
});
