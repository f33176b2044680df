/** Doubtful inputs as a user meets them: refused and explained, then accepted. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { long } from '../../support/store-runs.ts';
import { useCliFolder } from '../support/run-cli.ts';

const cli = useCliFolder();

const SYMBOLS = Array.from({ length: 60 }, (_, i) => `S${10 + i}`);

/** Twenty days of every symbol in one file. */
function writeMonth(month: string, badRows = 0): string {
  const days = Array.from({ length: 20 }, (_, i) => `${month}-${String(i + 1).padStart(2, '0')}`);
  const rows = SYMBOLS.flatMap((symbol) =>
    days.map((date) => `${symbol},${date},100,100,100,100,1000`),
  );
  const bad = Array.from({ length: badRows }, (_, i) => `S${10 + i},2024-01-30,-1,-1,-1,-1,0`);
  const path = join(cli.dataDir, `${month}-${badRows}.csv`);
  const lines = ['symbol,date,open,high,low,close,volume', ...rows, ...bad];
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const bars = async () => (await cli.json('sql', 'SELECT count(*) AS n FROM candles'))[0].n;

long(
  'a file is refused with numbers, leaves nothing behind, and is loaded by a retry that accepts it',
  async () => {
    const load = (path: string) => cli.run('backfill', 'files', 'candles', path, '--json');
    expect(await load(writeMonth('2024-01'))).toMatchObject({ code: 0 });
    const refused = await load(writeMonth('2024-02', 30));
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(/30 of 1230 rows were rejected \(2\.4 %, at most 1 %\)/);
    expect(refused.stderr).toMatch(/\. Rejected: 30 rows: [a-z ]+\n/);
    expect(refused.stderr).toMatch(/quarantine".*--accept/);
    expect(await bars()).toBe(1200);
    const [dead] = await cli.json('jobs', 'list', '--dead');
    expect(dead).toMatchObject({ kind: 'doubtful', title: 'load and publish' });
    expect((await cli.run('jobs', 'retry', dead.id)).code).toBe(1);
    const [report] = await cli.json('jobs', 'retry', dead.id, '--accept');
    expect(report).toMatchObject({ accepted: 1200, rejected: 30 });
    expect(await bars()).toBe(2400);
    expect(await cli.json('jobs', 'list', '--dead')).toEqual([]);
  },
);
