/** A folder with files that can't be loaded, as a user loads it. */

import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { sharedFolder } from '../../support/folders.ts';
import { long } from '../../support/store-runs.ts';
import { createCliFolder } from '../support/run-cli.ts';
import { runWarm } from '../support/warm-cli.ts';

const header = 'date,open,high,low,close,volume';
const plain = `${header}\n2017-01-03,1.5,2,1,1.75,100\n`;
const NOBODY = 65_534;
const CLI = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));

const cli = createCliFolder();
const input = sharedFolder();
afterAll(async () => {
  await cli.remove();
  chmodSync(join(input, 'closed'), 0o700);
});

// The good files beside it were not loaded, and the message named no file.
it('a file in which no row has a ticker is named, the others are loaded, and the exit code is 1', async () => {
  const folder = join(input, 'tickers');
  mkdirSync(folder);
  writeFileSync(join(folder, 'GOOD.csv'), plain);
  // More rows than a load may have refused without being doubtful.
  const rows = Array.from({ length: 1500 }, () => '^GSPC,2017-01-03,1,2,1,2,5\n');
  writeFileSync(join(folder, 'bad.csv'), `symbol,${header}\n${rows.join('')}`);
  const { code, stdout } = await cli.run('backfill', 'files', 'candles', folder);
  expect(code).toBe(1);
  expect(stdout).toContain('none of its rows is good: symbol is an index (bad.csv line 2)');
  expect(await cli.json('sql', 'SELECT symbol FROM candles')).toEqual([{ symbol: 'GOOD' }]);
});

// The second load found the segment of the refused file in the ledger, and exited with 0.
it('a refused file is refused again, beside a good one that was loaded before', async () => {
  const folder = join(input, 'again');
  mkdirSync(folder);
  writeFileSync(join(folder, 'NICE.csv'), plain);
  writeFileSync(join(folder, 'WRNG.csv'), `${header}\n2017-01-03,1,2,3,1.5,5\n`);
  const load = async () => {
    const { code, stdout } = await cli.run('backfill', 'files', 'candles', folder);
    return [code, stdout.includes('low is above open or close (WRNG.csv line 2)')];
  };
  expect([await load(), await load()]).toEqual([
    [1, true],
    [1, true],
  ]);
});

/** A superuser may read everything, so the command runs as nobody. */
function runPlain(...args: string[]) {
  const uid = process.getuid?.() === 0 ? NOBODY : undefined;
  const dataDir = join(input, 'data');
  const home = { TAPEWORKS_DATA_DIR: dataDir, TAPEWORKS_LOG_LEVEL: 'silent', HOME: dataDir };
  return runWarm({ uid }, { args, env: { PATH: String(process.env.PATH), ...home } })!;
}

it.skipIf(process.platform === 'win32')(
  'files and folders that the system does not give are named, and the others are loaded',
  async () => {
    const folder = join(input, 'rights');
    for (const name of ['data', 'rights', 'rights/shut', 'closed']) mkdirSync(join(input, name));
    for (const name of ['GOOD', 'BAD', 'shut/IN'])
      writeFileSync(join(folder, `${name}.csv`), plain);
    for (const name of ['', 'data', 'rights']) chmodSync(join(input, name), 0o777);
    if (process.getuid?.() === 0) chownSync(join(input, 'data'), NOBODY, NOBODY);
    chmodSync(join(folder, 'BAD.csv'), 0);
    chmodSync(join(folder, 'shut'), 0);
    chmodSync(join(input, 'closed'), 0);
    const { code, stdout, stderr } = await runPlain('backfill', 'files', 'candles', folder);
    expect(stderr).not.toContain('    at ');
    expect(stdout).toContain('1 daily bar of 1 symbol');
    expect(stdout).toContain("it can't be read (permission denied, EACCES) (shut, BAD.csv)");
    expect(code).toBe(1);
    const closed = await runPlain('backfill', 'files', 'candles', join(input, 'closed'));
    expect(closed.stderr).toContain('closed": it can\'t be read (permission denied, EACCES)');
    expect(closed.stderr).not.toContain('    at ');
    chmodSync(join(folder, 'shut'), 0o700);
  },
);

// A refused row of corporate actions cost 2 KB, and one of candles 0.7: files of 120 MB took gigabytes.
long('a file of refused rows takes no memory for each of them', () => {
  const path = join(input, 'actions.csv');
  const rows = Array.from({ length: 100_000 }, (_, i) => `AAPL,bonus,2017-01-03,${i}\n`);
  writeFileSync(path, `symbol,type,exDate,amount\n${rows.join('')}`);
  const env = { ...process.env, TAPEWORKS_DATA_DIR: cli.dataDir };
  const args = ['--max-old-space-size=100', CLI, 'backfill', 'files', 'corporate-actions', path];
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  expect(stderr).toContain('100,000 rows: type is none of split, dividend');
  expect(status).toBe(1);
});
