/** Rights of files: stores are for their owner alone, and files for others are as the user says. */

import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { contentOfBytes } from '../../../src/store/objects/content.ts';
import { fileObjects } from '../../../src/store/objects/file-objects.ts';
import { freshFolder } from '../../support/folders.ts';
import { writeCandleFile } from '../support/candle-file.ts';
import { runWarm } from '../support/warm-cli.ts';

const OTHERS = 0o077;

/** Returns the paths that others have a right to. */
function openToOthers(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return ['', ...all].filter((path) => (statSync(join(folder, path)).mode & OTHERS) !== 0);
}

it('a data folder is for its owner alone, whatever the mask of the shell', async () => {
  const folder = freshFolder();
  const dataDir = join(folder, 'data');
  const file = join(folder, 'abc.csv');
  const env = { PATH: String(process.env.PATH), TAPEWORKS_DATA_DIR: dataDir };
  const run = async (...args: string[]) => {
    const { code, stderr } = await runWarm({ umask: 0 }, { args, env })!;
    expect([args, code, code === 0 ? '' : stderr]).toEqual([args, 0, '']);
  };
  writeCandleFile(file, '2025-01-02', '2025-01-31');
  await run('backfill', 'files', 'candles', file);
  await run('keys', 'create', '--mode', 'live', '--label', 'one', '--scopes', 'all');
  await run('files');
  await run('maintenance', 'integrity');
  expect(readdirSync(dataDir)).toEqual(
    expect.arrayContaining(['accounts.sqlite', 'jobs.sqlite', 'live']),
  );
  expect(readdirSync(join(dataDir, 'live'))).toEqual(
    expect.arrayContaining(['market.duckdb', 'serving', 'files', 'segments']),
  );
  expect(openToOthers(dataDir)).toEqual([]);
  const out = join(folder, 'out.csv');
  await run('export', 'candles', '--format', 'csv', '--out', out);
  expect(statSync(out).mode & 0o777).toBe(0o666);
});

it('objects in a shared folder have the rights of the folder', async () => {
  for (const [mode, ofFile] of [
    [0o700, 0o600],
    [0o750, 0o640],
    [0o775, 0o664],
  ]) {
    const folder = join(freshFolder(), 'shared');
    mkdirSync(folder);
    chmodSync(folder, mode);
    const objects = fileObjects(folder, 'TAPEWORKS_SNAPSHOTS_URL');
    await objects.put('live/files/a', contentOfBytes(Buffer.from('a')), { condition: 'absent' });
    expect(statSync(join(folder, 'live/files/a')).mode & 0o777).toBe(ofFile);
    expect(statSync(join(folder, 'live/files')).mode & 0o777).toBe(mode);
    expect(statSync(join(folder, 'live')).mode & 0o777).toBe(mode);
    await objects.close();
  }
});
