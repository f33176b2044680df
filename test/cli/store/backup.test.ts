/** A backup taken while loads run, restored elsewhere, answers alike. */

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { extname, join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { openAccounts } from '../../../src/store/accounts/admission/sqlite-accounts.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import { contentOf } from '../../store/arrow/support/published-fixture.ts';
import { sharedFolder } from '../../support/folders.ts';
import { long } from '../../support/store-runs.ts';
import { writeCandleFile } from '../support/candle-file.ts';
import { createCliFolder, useCliFolder } from '../support/run-cli.ts';

const home = sharedFolder();
const source = useCliFolder();
const SQL = ['sql', 'SELECT * FROM candles ORDER BY symbol, ts'] as const;

/** A data folder of its own for one restore. */
function target(name: string, env: Record<string, string> = {}) {
  const folder = createCliFolder({ TAPEWORKS_DATA_DIR: join(home, name), ...env });
  onTestFinished(() => folder.remove());
  return folder;
}

function served(dataDir: string): unknown {
  const version = openPublished(modePaths(dataDir, 'live').serving);
  return version && contentOf(version);
}

async function loadFile(name: string, price: number): Promise<void> {
  const path = join(home, `${name}.csv`);
  writeCandleFile(path, '2024-01-02', '2024-12-31', price);
  await source.json('backfill', 'files', 'candles', path);
}

beforeAll(async () => {
  await loadFile('aa', 10);
  await loadFile('bb', 20);
  await source.json('keys', 'create', '--mode', 'live', '--label', 'kept', '--scopes', 'all');
});

describe('a backup', () => {
  it('restores to the same rows, published values and keys', async () => {
    const folder = join(home, 'whole');
    const saved = await source.json('backup', folder);
    expect(saved).toMatchObject({ folder, modes: ['live'] });
    const other = target('whole-data');
    const restored = await other.json('restore', folder);
    expect(restored).toMatchObject({ modes: ['live'], files: saved.files, bytes: saved.bytes });
    const dataDir = join(home, 'whole-data');
    expect(await other.json(...SQL)).toEqual(await source.json(...SQL));
    expect(served(dataDir)).toEqual(served(source.dataDir));
    expect((await other.json('keys', 'list')).map((key: { label: string }) => key.label)).toEqual([
      'kept',
    ]);
    // It goes on as the original would.
    await other.json('backfill', 'files', 'candles', join(home, 'aa.csv'));
    expect(readdirSync(dataDir)).not.toContain('restoring');
    for (const path of [folder, dataDir]) {
      expect(statSync(join(path, 'accounts.sqlite')).mode & 0o777).toBe(0o600);
    }
  });

  it('holds the key of webhooks only on request, for its owner alone', async () => {
    const accounts = openAccounts(join(source.dataDir, 'accounts.sqlite'));
    const hook = { url: 'https://example.com/', events: ['data.ready'] } as const;
    const { id, secret } = await accounts.createWebhook({
      account: 'default',
      mode: 'live',
      ...hook,
    });
    await accounts.close();
    for (const withKeys of [false, true]) {
      const folder = join(home, `keys-${withKeys}`);
      await source.json('backup', folder, ...(withKeys ? ['--with-keys'] : []));
      await target(`keys-data-${withKeys}`).json('restore', folder);
      const restored = openAccounts(join(home, `keys-data-${withKeys}`, 'accounts.sqlite'));
      const secrets = restored.webhookSecrets(id);
      if (withKeys) expect(await secrets).toEqual([secret]);
      else await expect(secrets).rejects.toThrow('webhook.key in the data directory is missing');
      await restored.close();
    }
    for (const folder of ['keys-true', 'keys-data-true']) {
      expect(statSync(join(home, folder, 'webhook.key')).mode & 0o777).toBe(0o600);
    }
  });

  long('is consistent while a load runs and keys are made', async () => {
    const path = join(home, 'cc.csv');
    writeCandleFile(path, '1990-01-02', '2024-12-31', 30);
    const accounts = openAccounts(join(source.dataDir, 'accounts.sqlite'));
    const loading = source.json('backfill', 'files', 'candles', path);
    const folder = join(home, 'busy');
    const saving = source.json('backup', folder);
    for (let i = 0; i < 50; i++) {
      await accounts.createKey({ mode: 'live', label: `key ${i}`, scopes: ['all'] });
    }
    await Promise.all([loading, saving]);
    await accounts.close();
    const other = target('busy-data');
    await other.json('restore', folder);
    // Before or after that load, never within it; what is loaded and not published is published.
    const counts = 'SELECT symbol, count(*) AS n FROM candles GROUP BY 1 ORDER BY 1';
    const rows = await other.json('sql', counts);
    expect(rows.slice(0, 2)).toEqual([
      { symbol: 'AA', n: 252 },
      { symbol: 'BB', n: 252 },
    ]);
    await other.json('backfill', 'files', 'candles', path);
    expect(await other.json('sql', counts)).toEqual(await source.json('sql', counts));
    expect(served(join(home, 'busy-data'))).toEqual(served(source.dataDir));
  });

  long('that was interrupted is no backup, and the same command completes it', async () => {
    const folder = join(home, 'cut');
    await source.json('backup', folder);
    // As a kill leaves it: no record, a file missing, another half written.
    rmSync(join(folder, 'backup.json'));
    writeFileSync(join(folder, 'backup.begun'), '');
    const serving = readdirSync(join(folder, 'live/serving')).filter((n) => n.endsWith('.arrow'));
    rmSync(join(folder, 'live/serving', serving[0]));
    writeFileSync(join(folder, 'live/serving', serving[1]), 'half');
    const refused = await target('cut-data').run('restore', folder);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('no finished backup');
    await source.json('backup', folder);
    await target('cut-data').json('restore', folder);
    expect(served(join(home, 'cut-data'))).toEqual(served(source.dataDir));
  });

  it('is not written over, into the data, or among other files', async () => {
    const folder = join(home, 'whole');
    expect((await source.run('backup', folder)).stderr).toContain('finished backup');
    const inside = join(source.dataDir, 'live', 'backup');
    expect(await source.run('backup', inside)).toMatchObject({ code: 2 });
    expect(existsSync(inside)).toBe(false);
    expect((await source.run('backup', home)).stderr).toContain('holds other files');
    const empty = target('nothing-data');
    expect((await empty.run('backup', join(home, 'none'))).stderr).toContain('nothing to save');
  });
});

describe('a backup of segments that lie in a folder of their own', () => {
  long('has them, and a restore puts them where the restored set-up reads them', async () => {
    const segments = { TAPEWORKS_SEGMENTS_DIR: join(home, 'shared') };
    const sharing = createCliFolder(segments);
    const news = join(home, 'news.csv');
    writeFileSync(
      news,
      'title,source,url,publishedAt,symbols\n' +
        'First,Wire,https://example.com/1,2024-01-02T10:00:00Z,AA\n',
    );
    await sharing.json('backfill', 'files', 'news', news);
    const folder = join(home, 'sharing');
    await sharing.json('backup', folder);
    await sharing.remove();
    const landed = () => filesBelow(join(home, 'shared', 'live'));
    const before = landed();
    expect(before.map((name) => extname(name))).toEqual(['.gz', '.parquet']);
    expect(filesBelow(join(folder, 'live', 'segments'))).toEqual(before);
    rmSync(join(home, 'shared'), { recursive: true });
    for (const [name, env] of [
      ['sharing-data', segments],
      ['owning-data', {}],
    ] as const) {
      const other = target(name, env);
      await other.json('restore', folder);
      rmSync(join(home, name, 'live', 'market.duckdb'));
      expect(await other.json('rebuild'), name).toMatchObject({ segments: 1, lost: [] });
    }
    expect(landed()).toEqual(before);
    expect(readdirSync(join(home, 'shared'))).toEqual(['live']);
    expect(existsSync(join(home, 'sharing-data', 'live', 'segments'))).toBe(false);
  });
});

function filesBelow(path: string): string[] {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ name }) => name).sort();
}

describe('a backup that can not go on', () => {
  it('names a file that is no folder, in one line', async () => {
    const path = join(home, 'aa.csv');
    const { code, stderr } = await source.run('backup', path);
    expect([code, stderr.split('\n')[0]]).toEqual([
      1,
      `tapeworks: "${path}" is a file: give a folder, or the path of a new one`,
    ]);
    expect(stderr).not.toContain('at ');
  });

  it('leaves no links behind that the next one does not remove', async () => {
    const scratch = join(source.dataDir, 'live', 'scratch');
    // As one that was killed: no process has such an id.
    mkdirSync(join(scratch, 'backup-4194305'), { recursive: true });
    await source.json('backup', join(home, 'after-killed'));
    expect(readdirSync(scratch).filter((name) => name.startsWith('backup'))).toEqual([]);
  });
});

describe('a restore', () => {
  it('changes nothing where a byte of the backup is wrong or a file is gone', async () => {
    const folder = join(home, 'damaged');
    cpSync(join(home, 'whole'), folder, { recursive: true });
    const file = join(folder, 'live/market.duckdb');
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] ^= 1;
    writeFileSync(file, bytes);
    const flipped = await target('damaged-data').run('restore', folder);
    expect(flipped).toMatchObject({ code: 1 });
    expect(flipped.stderr).toMatch(/live\/market.duckdb.*SHA-256/);
    rmSync(file);
    const missing = await target('damaged-data').run('restore', folder);
    expect(missing.stderr).toContain('lacks its file "live/market.duckdb"');
    expect(existsSync(join(home, 'damaged-data', 'live'))).toBe(false);
  });

  it('is refused next to the log of another database, and next to jobs of another store', async () => {
    for (const name of ['accounts.sqlite-wal', 'jobs.sqlite']) {
      const dataDir = join(home, `left-${name}`);
      mkdirSync(dataDir);
      writeFileSync(join(dataDir, name), 'left');
      const refused = await target(`left-${name}`).run('restore', join(home, 'whole'));
      expect(refused).toMatchObject({ code: 1 });
      expect(refused.stderr).toContain(`holds ${name} already`);
    }
  });

  it('replaces no data', async () => {
    const refused = await source.run('restore', join(home, 'whole'));
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toMatch(/holds live, accounts.sqlite\b.* already/);
  });

  it('that was interrupted while files got their places is completed by the next', async () => {
    const folder = join(home, 'whole');
    const dataDir = join(home, 'halfway-data');
    const other = target('halfway-data');
    await other.json('restore', folder);
    // As a kill leaves it after the first of two renames.
    const stage = join(dataDir, 'restoring');
    const record = JSON.stringify(JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8')));
    cpSync(join(dataDir, 'accounts.sqlite'), join(stage, 'accounts.sqlite'));
    rmSync(join(dataDir, 'accounts.sqlite'));
    writeFileSync(join(stage, 'backup.json'), record);
    await other.json('restore', folder);
    expect(await other.json('keys', 'list')).toHaveLength(1);
    expect(existsSync(stage)).toBe(false);
  });

  it('takes no paths that lead out of the folder', async () => {
    const folder = join(home, 'hostile');
    cpSync(join(home, 'whole'), folder, { recursive: true });
    const path = join(folder, 'backup.json');
    const record = JSON.parse(readFileSync(path, 'utf8'));
    record.files[0].path = '../escaped';
    writeFileSync(path, JSON.stringify(record));
    const refused = await target('hostile-data').run('restore', folder);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('damaged');
  });
});
