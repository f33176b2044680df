/** A publisher and replicas as users run them, over a folder and over a bucket. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../../faults/scale.ts';
import { type FaultyProxy, startFaultyProxy } from '../../support/faulty-proxy.ts';
import { sharedFolder } from '../../support/folders.ts';
import type { ParsedJson } from '../../support/parsed-json.ts';
import { BUCKET, type RunningS3, STORAGES, s3Env, startS3 } from '../../support/s3-server.ts';
import { long, someOf } from '../../support/store-runs.ts';
import { ask } from '../support/ask.ts';
import { writeCandleFile } from '../support/candle-file.ts';
import { type CliFolder, createCliFolder, type RunningCli } from '../support/run-cli.ts';

/** Requests `/readyz` until it is as wanted. */
async function untilReadiness(
  { document: { address } }: RunningCli,
  isWanted: (body: ParsedJson, status: number) => boolean,
): Promise<ParsedJson> {
  let body: ParsedJson;
  const isAsWanted = async () => {
    const { text, status } = await ask(`${address}/readyz`);
    body = JSON.parse(text);
    return isWanted(body, status);
  };
  await expect.poll(isAsWanted).toBe(true);
  return body;
}

// A fleet over a folder is tested with the files of its deployment.
describe.each(someOf(STORAGES.toReversed(), 2))('serve --replica over %s', (kind) => {
  const shared = sharedFolder();
  const csv = join(shared, 'TAPE.csv');
  let server: RunningS3 | undefined;
  let proxy: FaultyProxy | undefined;
  let publisher: CliFolder;
  let machine: CliFolder;
  let replica: RunningCli;
  let headers: Record<string, string>;

  beforeAll(async () => {
    let env: Record<string, string> = { TAPEWORKS_SNAPSHOTS_URL: `file://${join(shared, 'o')}` };
    if (kind !== 'file') {
      server = await startS3();
      proxy = await startFaultyProxy(server.port);
      env = { TAPEWORKS_SNAPSHOTS_URL: `s3://${BUCKET}/fleet`, ...s3Env(proxy.port) };
    }
    publisher = createCliFolder(env);
    machine = createCliFolder(env);
    headers = (await machine.key('live')).headers;
  });
  afterAll(async () => {
    await machine?.remove();
    await publisher?.remove();
    await proxy?.close();
    await server?.remove();
  });

  /** Number of bars that the replica serves. */
  const barCount = async () => {
    const url = `${replica.document.address}/v1/svc/candles?symbols=TAPE&format=csv`;
    const { text, status } = await ask(url, { headers });
    return status === 200 ? text.trim().split('\n').length - 1 : 0;
  };
  const versionOf = (body: ParsedJson) => body.replicas?.live?.version;

  it('is alive at once, and ready with the first version', async () => {
    replica = await machine.start('serve', '--replica');
    const { address } = replica.document;
    expect((await ask(`${address}/healthz`)).status).toBe(200);
    const empty = await untilReadiness(replica, (body) => body.replicas?.live?.state === 'empty');
    expect(empty).toMatchObject({ status: 'empty', replicas: { live: { version: null } } });
    const count = writeCandleFile(csv, '2024-01-02', '2024-06-28');
    await publisher.json('backfill', 'files', 'candles', csv);
    const ready = await untilReadiness(replica, (_, status) => status === 200);
    expect(ready.replicas.live).toMatchObject({ state: 'current', version: 1, failure: null });
    expect(await barCount()).toBe(count);
  });

  long('follows a publish, and each machine says what it has', async () => {
    const count = writeCandleFile(csv, '2024-01-02', '2024-07-31');
    await publisher.json('backfill', 'files', 'candles', csv);
    await expect.poll(barCount).toBe(count);
    await untilReadiness(replica, (body) => versionOf(body) === 2);
    const [here] = (await publisher.json('status')).modes;
    expect(here.upload).toMatchObject({ uploaded: { version: 2 }, failure: null });
    const [there] = (await machine.json('status')).modes;
    expect(there.replica).toMatchObject({ state: 'current', version: 2 });
    const objectsOf = async (folder: CliFolder) => {
      const { checks } = await folder.json('doctor');
      return checks.find(({ name }: { name: string }) => name === 'object storage');
    };
    // Its completion of uploads in parts admits several writers, on most runs.
    expect(['ok', 'note']).toContain((await objectsOf(publisher)).state);
    expect((await objectsOf(machine)).detail).toContain('read as a replica');
  });

  it.skipIf(!isLong || kind === 'file')(
    'serves what it has while the storage is away',
    async () => {
      proxy!.rule = () => 'refuse';
      const count = writeCandleFile(csv, '2024-01-02', '2024-08-30');
      const { code, stdout, stderr } = await publisher.run(
        'backfill',
        'files',
        'candles',
        csv,
        '--json',
      );
      expect(code).toBe(1);
      expect(JSON.parse(stdout).publishedVersion).toBe(3);
      expect(stderr).toContain('published here, but could not be uploaded');
      expect(stderr).toContain('TAPEWORKS_SNAPSHOTS_URL');
      expect(stderr).not.toContain('test-secret');
      const stale = await untilReadiness(replica, (body) => body.replicas.live.failure !== null);
      expect(stale.replicas.live).toMatchObject({ state: 'failing', version: 2 });
      // Killed and started again, it serves what is on its disk.
      replica.process.kill('SIGKILL');
      await replica.stop();
      replica = await machine.start('serve', '--replica');
      expect(await barCount()).toBeGreaterThan(100);
      const ready = await untilReadiness(replica, (body) => body.replicas.live.failure !== null);
      expect(ready.status).toBe('ready');
      proxy!.rule = undefined;
      await publisher.json('backfill', 'files', 'candles', csv);
      await expect.poll(barCount).toBe(count);
    },
  );

  it('refuses a data folder that has a store, and a place that is not set', async () => {
    const { code, stderr } = await publisher.run('serve', '--replica');
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not a replica')]);
    const other = createCliFolder();
    const unset = await other.run('serve', '--replica');
    expect(unset).toMatchObject({ code: 2, stdout: '' });
    expect(unset.stderr).toContain('TAPEWORKS_SNAPSHOTS_URL must be set');
    await other.remove();
  });

  it('a new data folder may not replace the published one', async () => {
    rmSync(join(publisher.dataDir, 'live'), { recursive: true });
    const { code, stderr } = await publisher.run('backfill', 'files', 'candles', csv);
    expect([code, stderr]).toEqual([1, expect.stringContaining('of another data folder')]);
  });
});
