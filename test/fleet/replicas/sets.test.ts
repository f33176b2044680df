/** Parquet files reach replicas byte by byte, later than their version, and links work on both. */

import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { limits } from '../../../src/base/limits.ts';
import { Replica } from '../../../src/fleet/replicas/replica.ts';
import { SetReplica } from '../../../src/fleet/replicas/replica-sets.ts';
import {
  PARQUET_PREFIX,
  parquetObject,
  readSharedSets,
} from '../../../src/fleet/replicas/shared-sets.ts';
import { Uploader } from '../../../src/fleet/replicas/upload.ts';
import { SetUploader } from '../../../src/fleet/replicas/upload-sets.ts';
import { contentOfBytes } from '../../../src/store/objects/content.ts';
import type { ObjectStore } from '../../../src/store/objects/object-store.ts';
import { readFileSets } from '../../../src/store/parquet/file-sets.ts';
import { fixtureSymbols, NOW_MS, publishMarket } from '../../api/support/market-fixture.ts';
import { startTestServer, type TestServer } from '../../api/support/test-server.ts';
import { madeFiles } from '../../cli/files/made-market.ts';
import { scaled } from '../../faults/scale.ts';
import { freshFolder, sharedFolder } from '../../support/folders.ts';
import { STORAGES } from '../../support/s3-server.ts';
import { useLimits } from '../../support/use-limits.ts';
import { keysOf, useStorage } from './support.ts';

interface Listed {
  dataset: string;
  interval: string | null;
  url: string;
  version: string;
}

// `test/store/objects` shows that the storages do the same.
describe.each(scaled(['file'], STORAGES))('Parquet files over %s', (kind) => {
  useLimits(limits.objects, { backoffFirstMs: 5 });
  useLimits(limits.replicas, {
    listAfterMs: 60_000,
    keptMs: 0,
    verifyMs: limits.replicas.verifyMs,
  });
  const storage = useStorage(kind);
  const [here, there] = [sharedFolder(), sharedFolder()];
  const paths = modePaths(here, 'sandbox');
  const replicaPaths = modePaths(there, 'sandbox');
  let objects: ObjectStore;
  let publisher: TestServer;
  let machine: TestServer;
  let uploader: Uploader;
  let sets: SetUploader;
  let replica: SetReplica;

  beforeAll(async () => {
    objects = storage.open('sets');
    await publishMarket(paths.serving, fixtureSymbols());
    publisher = await startTestServer(here, NOW_MS);
    for (const name of readdirSync(here).filter((one) => one.startsWith('accounts.sqlite'))) {
      cpSync(join(here, name), join(there, name));
    }
    uploader = new Uploader({ paths, objects });
    sets = new SetUploader({ paths, objects });
    await uploader.round();
    await new Replica({ paths: replicaPaths, objects }).round();
    machine = await startTestServer(there, NOW_MS);
    replica = new SetReplica({ paths: replicaPaths, objects });
  });
  afterAll(async () => {
    await publisher?.close();
    await machine?.close();
    await objects?.close();
  });

  const get = (server: TestServer, path: string) =>
    server.get(path, { 'X-API-Key': publisher.rawKey });
  async function listed(server: TestServer): Promise<Listed[]> {
    const { status, json } = await get(server, '/v1/svc/files');
    expect(status).toBe(200);
    return (json as { data: Listed[] }).data;
  }
  async function sharedFiles() {
    const seen = await readSharedSets(objects);
    if (!seen) throw new Error('nothing is shared');
    return seen.shared.files;
  }
  const pathOf = ({ url }: Listed) => new URL(url).pathname;

  /** Checks that each link of the publisher gives its bytes on the other machine. */
  async function expectSameBytes(links: readonly Listed[]): Promise<void> {
    for (const link of links) {
      const [own, other] = [publisher, machine].map((one) => one.request(pathOf(link)));
      const [first, second] = await Promise.all([own, other]);
      expect([link.url, second.status]).toEqual([link.url, 200]);
      expect(Buffer.from(second.bytes).equals(Buffer.from(first.bytes))).toBe(true);
      for (const name of ['ETag', 'Last-Modified']) {
        expect(second.headers.get(name)).toBe(first.headers.get(name));
      }
    }
  }

  it('are awaited before the first ones are there', async () => {
    expect(await sets.round()).toBe(true);
    const { status, text } = await get(machine, '/v1/svc/files');
    expect([status, text]).toEqual([503, expect.stringContaining('on their way')]);
    await replica.round();
    // The publisher has made none yet.
    await expect.poll(() => listed(machine)).toEqual([]);
  });

  it('have equal bytes, and signed links of one machine work on the other', async () => {
    await madeFiles(here);
    expect(await sets.round()).toBe(true);
    await replica.round();
    await expect.poll(async () => (await listed(machine)).length).toBeGreaterThan(3);
    const links = await listed(publisher);
    await expectSameBytes(links);
    for (const { name } of readFileSets(paths.files)[0].files) {
      const bytes = [paths, replicaPaths].map(({ files }) => readFileSync(join(files, name)));
      expect(bytes[1].equals(bytes[0])).toBe(true);
    }
  });

  it('of a newer version are served before they are listed', async () => {
    const [{ version: old }] = await listed(machine);
    await publishMarket(paths.serving, fixtureSymbols(), NOW_MS + 1000);
    await madeFiles(here);
    await expect.poll(async () => (await listed(publisher))[0].version).not.toBe(old);
    const links = await listed(publisher);
    // The other machine is slower: its clients try again.
    const early = await machine.request(pathOf(links[0]));
    expect([early.status, early.headers.get('Retry-After')]).toEqual([503, '5']);
    // Nothing is uploaded before its version.
    await uploader.round();
    await sets.round();
    await replica.round();
    await expect.poll(async () => (await machine.request(pathOf(links[0]))).status).toBe(200);
    await expectSameBytes(links);
    expect((await listed(machine))[0].version).toBe(old);
    Object.assign(limits.replicas, { listAfterMs: 0 });
    const restarted = new SetReplica({ paths: replicaPaths, objects });
    await restarted.round();
    await restarted.round();
    await expect.poll(async () => (await listed(machine))[0].version).toBe(links[0].version);
    const gone = await machine.request('/v1/svc/files/1-1/candles-1d-2024.parquet', {
      headers: { 'X-API-Key': publisher.rawKey },
    });
    expect(gone.status).toBe(404);
  });

  it('that the disk of a replica damages are downloaded again', async () => {
    const [name] = readdirSync(replicaPaths.files).filter((one) => one.endsWith('.parquet'));
    const path = join(replicaPaths.files, name);
    const right = readFileSync(path);
    const wrong = Buffer.from(right);
    wrong[wrong.length >> 1] ^= 1;
    writeFileSync(path, wrong);
    const running = new SetReplica({ paths: replicaPaths, objects });
    await running.round();
    expect(readFileSync(path).equals(right)).toBe(true);
    writeFileSync(path, wrong);
    await running.round();
    expect(readFileSync(path).equals(wrong)).toBe(true);
    Object.assign(limits.replicas, { verifyMs: 0 });
    await running.round();
    expect(readFileSync(path).equals(right)).toBe(true);
  });

  it('that were damaged since they were made are not uploaded', async () => {
    const [{ name, bytes }] = readFileSets(paths.files)[0].files;
    const path = join(paths.files, name);
    const right = readFileSync(path);
    writeFileSync(path, Buffer.alloc(bytes));
    const fresh = new SetUploader({ paths, objects });
    await expect(fresh.round()).rejects.toThrow('does not match its SHA-256');
    writeFileSync(path, right);
    expect(await fresh.round()).toBe(true);
  });

  it('that are damaged in the storage are not served', async () => {
    const [file] = await sharedFiles();
    await objects.put(parquetObject(file), contentOfBytes(Buffer.alloc(file.bytes)));
    const empty = modePaths(freshFolder(), 'sandbox');
    const other = new SetReplica({ paths: empty, objects });
    await expect(other.round()).rejects.toThrow('does not match its hash');
    expect(readFileSets(empty.files)).toEqual([]);
    expect(readdirSync(empty.files).filter((name) => name === file.name)).toEqual([]);
  });

  it('come from the publisher alone, which removes what no set needs', async () => {
    const copy = freshFolder();
    cpSync(here, copy, { recursive: true });
    await publishMarket(paths.serving, fixtureSymbols(), NOW_MS + 2000);
    await uploader.round();
    const stale = new SetUploader({ paths: modePaths(copy, 'sandbox'), objects });
    expect(await stale.round()).toBe(false);
    await objects.put(`${PARQUET_PREFIX}stray`, contentOfBytes(Buffer.from('of a killed upload')));
    Object.assign(limits.replicas, { strayMs: -60_000 });
    const [lost] = readFileSets(paths.files)[0].files;
    for (const key of await keysOf(objects)) if (key.includes(lost.name)) await objects.delete(key);
    expect(await new SetUploader({ paths, objects }).round()).toBe(true);
    const there = (await keysOf(objects)).filter((key) => key.startsWith(PARQUET_PREFIX));
    expect(there).toEqual((await sharedFiles()).map(parquetObject).sort());
  });
});
