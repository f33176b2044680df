/** A server with its accounts in Postgres: the disk of Postgres is full, or the server's own. */

import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPostgres, startPostgres } from '../../support/postgres-server.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';
import { postgresFolder } from '../../support/tools.ts';
import { ask } from '../support/ask.ts';
import { writeCandleFile } from '../support/candle-file.ts';
import { type CliFolder, createCliFolder, type RunningCli } from '../support/run-cli.ts';

const MEGABYTE = 1024 * 1024;
const disk = postgresFolder ? mountSmallDisk(300 * MEGABYTE) : undefined;
afterAll(() => disk?.remove());

describe.skipIf(!disk).each([
  ['Postgres', 'The disk of the Postgres of the accounts is full: nothing was written'],
  // Only the copy of the keys is there: the key is made in Postgres.
  ['the server', undefined],
])('a full disk of %s', (owner, refusal) => {
  const { folder, fill, free, clear } = disk ?? ({} as NonNullable<typeof disk>);
  let cli: CliFolder;
  let postgres: RunningPostgres;
  let headers: { 'X-API-Key': string };
  let key: string;
  let calls = 0;

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    const isItsOwn = owner === 'Postgres';
    postgres = await startPostgres(['autovacuum=off'], isItsOwn ? folder : undefined);
    cli = createCliFolder({
      TAPEWORKS_ACCOUNTS_URL: await postgres.create('accounts'),
      ...{ TAPEWORKS_SCHEDULE: 'off', TAPEWORKS_FILES: 'off' },
      ...(!isItsOwn && { TAPEWORKS_DATA_DIR: join(folder, 'data') }),
    });
    const candles = join(cli.dataDir, 'abc.csv');
    writeCandleFile(candles, '2025-01-02', '2025-01-31');
    await cli.json('backfill', 'files', 'candles', candles);
    ({ id: key, headers } = await cli.key('live'));
  });
  afterAll(async () => {
    free();
    await cli.remove();
    await postgres.stop();
    clear();
  });

  const sent = async ({ document }: RunningCli, path: string, body?: unknown) => {
    calls++;
    return ask(`${document.address}/v1/svc/${path}`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: { ...headers, 'Content-Type': 'application/json' },
    });
  };
  const create = (running: RunningCli) =>
    sent(running, 'developer/keys', { label: 'new', scopes: ['quotes:read'] });

  async function expectReading(running: RunningCli): Promise<void> {
    const { status, text } = await sent(running, 'candles?symbols=ABC&interval=1d&format=csv');
    expect([status, text]).toEqual([200, expect.stringContaining('2025-01-31')]);
  }

  /** Creates keys until the rooms that Postgres has made before are full. */
  async function expectRefusal(running: RunningCli, message: string): Promise<void> {
    let reply = await create(running);
    while (reply.status === 201) reply = await create(running);
    expect([reply.status, reply.text]).toEqual([503, expect.stringContaining(message)]);
  }

  it('leaves reads as they are, lets servers end and start, and loses no count', async () => {
    for (let restart = 0; restart < 2; restart++) {
      if (restart === 1) fill();
      const running = await cli.start('serve');
      // The machine has its copy of the keys by now.
      fill();
      await expectReading(running);
      if (refusal) await expectRefusal(running, refusal);
      else expect((await create(running)).status).toBe(201);
      await expectReading(running);
      if (restart === 1) {
        free();
        // Counts that found no room are in memory, or wait on the disk of the server.
        await expect.poll(async () => (await create(running)).status).toBe(201);
      }
      await running.stop();
      // Its own full disk keeps no counts of a server that ends.
      if (restart === 0 && !refusal) calls = 0;
    }
    // A server that has not reached Postgres since its disk had room leaves its counts to the next.
    await (await cli.start('serve')).stop();
    const rows = await cli.json('accounts', 'usage', '--key', key);
    const written = rows.reduce(
      (sum: number, one: { callCount: number }) => sum + one.callCount,
      0,
    );
    expect(written).toBe(calls);
  });
});
