/** Backups in object storage, and a restored store that takes over. */

import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { readManifest } from '../../../src/store/arrow/format/manifest.ts';
import { scaled } from '../../faults/scale.ts';
import { sharedFolder } from '../../support/folders.ts';
import { BUCKET, type RunningS3, STORAGES, startS3 } from '../../support/s3-server.ts';
import { long } from '../../support/store-runs.ts';
import { writeCandleFile } from '../support/candle-file.ts';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';

const SQL = ['sql', 'SELECT * FROM candles ORDER BY symbol, ts'] as const;

// `test/store/objects` shows that the storages do the same.
describe.each(scaled(['file'], STORAGES))('a backup over %s', (kind) => {
  const home = sharedFolder();
  const csv = join(home, 'TAPE.csv');
  let server: RunningS3 | undefined;
  let source: CliFolder;
  let other: CliFolder;
  let address: string;

  beforeAll(async () => {
    server = kind === 'file' ? undefined : await startS3();
    const base = server ? `s3://${BUCKET}` : `file://${home}/objects`;
    const env = { TAPEWORKS_SNAPSHOTS_URL: `${base}/serving`, ...server?.env };
    source = createCliFolder(env);
    other = createCliFolder(env);
    address = `${base}/backups/one`;
  });
  afterAll(async () => {
    await source?.remove();
    await other?.remove();
    await server?.remove();
  });

  const load = (folder: CliFolder, to: string) => {
    writeCandleFile(csv, '2024-01-02', to);
    return folder.run('backfill', 'files', 'candles', csv);
  };

  it('restores to the same rows', async () => {
    await load(source, '2024-03-28');
    const saved = await source.json('backup', address);
    const rows = await source.json(...SQL);
    const restored = await other.json('restore', address);
    expect(restored).toMatchObject({ modes: ['live'], files: saved.files, bytes: saved.bytes });
    expect(await other.json(...SQL)).toEqual(rows);
    for (const { dataDir } of [source, other]) {
      expect(readdirSync(dataDir).filter((name) => name.startsWith('backup-'))).toEqual([]);
    }
    const again = await source.run('backup', address);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('finished backup')]);
  });

  long('takes over with a higher epoch and version', async () => {
    for (const to of ['2024-04-30', '2024-05-31'])
      expect(await load(source, to)).toMatchObject({ code: 0 });
    expect(await load(other, '2024-06-28')).toMatchObject({ code: 0 });
    const { version, epoch } = readManifest(modePaths(other.dataDir, 'live').serving)!;
    expect([version > 3, epoch]).toEqual([true, 1]);
    const { code, stderr } = await load(source, '2024-07-31');
    expect([code, stderr]).toEqual([1, expect.stringContaining('of another data folder')]);
    expect(await load(other, '2024-08-30')).toMatchObject({ code: 0 });
  });

  it.runIf(kind === 'file')('is refused if a file is damaged or it is not finished', async () => {
    const fresh = createCliFolder();
    const missing = await fresh.run('restore', `${address}-missing`);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('backup.json')]);
    appendFileSync(join(home, 'objects/backups/one/live/market.duckdb'), 'x');
    const damaged = await fresh.run('restore', address);
    expect([damaged.code, damaged.stderr]).toEqual([1, expect.stringContaining('market.duckdb')]);
    expect(existsSync(join(fresh.dataDir, 'live'))).toBe(false);
    await fresh.remove();
  });
});
