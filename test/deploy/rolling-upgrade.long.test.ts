/**
 * A rolling upgrade to a version that raises every format: the store's schema, that of accounts, and
 * the published files. The newer version is a copy of this program with these numbers raised.
 */

import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCandleFile } from '../cli/support/candle-file.ts';
import { type CliFolder, createCliFolder, type RunningCli } from '../cli/support/run-cli.ts';
import { sharedFolder } from '../support/folders.ts';
import { freePort } from '../support/redis-server.ts';
import { caddy } from '../support/tools.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { writeProgram } from './newer-program.ts';

/** Makes the next version of the program. @returns its launcher. */
function writeNewerProgram(folder: string): string {
  return writeProgram(folder, [
    ['arrow/format/manifest.ts', /FORMAT = (\d+)/, 'FORMAT = 1 + $1'],
    [
      'duckdb/connection/schema-versions.ts',
      /(WRITTEN_VERSIONS[\s\S]*?)\n\]\);/,
      "$1\n  [99, ['CREATE TABLE later (x INTEGER)']],\n]);",
    ],
    [
      'accounts/sqlite/schema.ts',
      /(const MIGRATIONS[\s\S]*?)\n\]\);/,
      "$1\n  [99, 'CREATE TABLE later (x INTEGER) STRICT'],\n]);",
    ],
  ]);
}

describe.skipIf(!caddy)('a rolling upgrade', () => {
  const home = sharedFolder();
  const shared = { TAPEWORKS_SNAPSHOTS_URL: pathToFileURL(join(home, 'bucket')).href };
  const folders: CliFolder[] = [];
  const ports: number[] = [];
  let newer: string;
  let headers: Record<string, string>;
  let publisher: CliFolder;
  let balancer: Balancer;
  const servers: RunningCli[] = [];

  /** Returns the command line of one version over a data folder that exists. */
  function over(dataDir: string, program?: string, port = 0): CliFolder {
    const env = { ...shared, TAPEWORKS_DATA_DIR: dataDir, TAPEWORKS_PORT: String(port) };
    const folder = createCliFolder(env, program);
    folders.push(folder);
    return folder;
  }

  async function load(program: CliFolder, symbol: string): Promise<void> {
    const file = join(home, `${symbol}.csv`);
    writeCandleFile(file, '2025-01-02', '2025-01-31');
    await program.json('backfill', 'files', 'candles', file);
  }

  async function startReplica(index: number, program?: string): Promise<void> {
    servers[index] = await over(join(home, `api-${index}`), program, ports[index]).start(
      ...['serve', '--replica'],
    );
  }

  const ready = (index: number) => () =>
    fetch(`http://127.0.0.1:${ports[index]}/readyz`).then(
      ({ status }) => status,
      () => 0,
    );

  beforeAll(async () => {
    newer = writeNewerProgram(join(home, 'newer'));
    publisher = over(join(home, 'publisher'));
    await load(publisher, 'AAA');
    ({ headers } = await publisher.key('live'));
    ports.push(await freePort(), await freePort());
    for (const index of [0, 1]) {
      mkdirSync(join(home, `api-${index}`));
      cpSync(join(home, 'publisher/accounts.sqlite'), join(home, `api-${index}/accounts.sqlite`));
      await startReplica(index);
    }
    balancer = await startBalancer(home, ports);
  });
  afterAll(async () => {
    balancer?.process.kill('SIGTERM');
    for (const folder of folders) await folder.remove();
  });

  it('answers every request while servers and publisher change their version', async () => {
    await expect.poll(ready(0)).toBe(200);
    await expect.poll(ready(1)).toBe(200);
    const statuses = new Map<string, number>();
    let isOver = false;
    const client = (async () => {
      while (!isOver) {
        const url = `${balancer.address}/v1/svc/quotes/AAA`;
        const told = await fetch(url, { headers }).then(
          ({ status }) => String(status),
          (error: Error) => error.message,
        );
        statuses.set(told, (statuses.get(told) ?? 0) + 1);
      }
    })();

    // The newer version says what it will change; the older one still serves.
    const { code, stdout } = await over(join(home, 'publisher'), newer).run('upgrade', '--check');
    expect([code, stdout.match(/^upgraded/gm)?.length]).toEqual([3, 3]);

    // The first server is new: healthy, and not ready before there is a version of its format.
    expect(await servers[0].stop()).toBe(0);
    await startReplica(0, newer);
    expect(await ready(0)()).toBe(503);

    // The publisher is new: it upgrades, and publishes everything in the new format.
    await load(over(join(home, 'publisher'), newer), 'BBB');
    await expect.poll(ready(0)).toBe(200);
    expect(await ready(1)()).toBe(200);

    // The second server is new.
    expect(await servers[1].stop()).toBe(0);
    await startReplica(1, newer);
    await expect.poll(ready(1)).toBe(200);
    const before = statuses.get('200') ?? 0;
    await expect.poll(() => statuses.get('200')).toBeGreaterThan(before + 20);
    isOver = true;
    await client;
    expect([...statuses.keys()]).toEqual(['200']);
  });

  it('leaves data that the older version refuses, with both versions named', async () => {
    const { code, stdout } = await over(join(home, 'publisher')).run('upgrade', '--check');
    expect([code, stdout.match(/^refused .* is of a newer version/gm)?.length]).toEqual([1, 3]);
    const created = ['--mode', 'live', '--label', 'old', '--scopes', 'all'];
    const refused = await over(join(home, 'publisher')).run('keys', 'create', ...created);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('expected at most') });
  });
});
