/** Conformance of every kind of object storage with what uploads and replicas need. */

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AwsV4Signer } from 'aws4fetch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { s3Access } from '../../../src/base/config/object-place.ts';
import { limits } from '../../../src/base/limits.ts';
import { s3Objects } from '../../../src/fleet/objects/s3-objects.ts';
import { requireConditionalWrites } from '../../../src/fleet/replicas/conditional-writes.ts';
import { contentOfBytes, contentOfFile } from '../../../src/store/objects/content.ts';
import {
  bytesOf,
  type ObjectContent,
  type ObjectStore,
  ObjectStoreError,
} from '../../../src/store/objects/object-store.ts';
import { keysOf, SETTING, useStorage } from '../../fleet/replicas/support.ts';
import { startFaultyProxy } from '../../support/faulty-proxy.ts';
import { freshFolder } from '../../support/folders.ts';
import { BUCKET, type RunningS3, STORAGES } from '../../support/s3-server.ts';
import { someOf } from '../../support/store-runs.ts';
import { seaweedfs } from '../../support/tools.ts';
import { useLimits } from '../../support/use-limits.ts';

async function read(store: ObjectStore, key: string, start = 0): Promise<Buffer> {
  const found = await store.get(key, { start });
  if (found === undefined || found === 'unchanged') throw new Error('nothing there');
  return bytesOf(found, 1e9, key);
}

const textOf = async (...object: Parameters<typeof read>) => (await read(...object)).toString();

const MEGABYTE = 1024 * 1024;

const content = (text: string) => contentOfBytes(Buffer.from(text));

const storages = STORAGES.map((kind) => [kind, useStorage(kind)] as const);
const bucket = storages.at(-1)![1];

describe.each(storages)('object storage: %s', (kind, storage) => {
  let store: ObjectStore;
  let other: ObjectStore;
  beforeAll(() => {
    [store, other] = [storage.open('a/b'), storage.open('a/b')];
  });
  afterAll(async () => {
    await store?.close();
    await other?.close();
  });

  it('gives what was written, whole and from a byte on', async () => {
    const etag = await store.put('one/x.arrow', content('0123456789'));
    expect(await textOf(store, 'one/x.arrow')).toBe('0123456789');
    expect(await textOf(store, 'one/x.arrow', 7)).toBe('789');
    expect(await store.get('one/x.arrow')).toMatchObject({ bytes: 10, etag });
  });

  it('says that an object is unchanged or missing', async () => {
    const etag = await store.put('two', content('2'));
    expect(await store.get('two', { unless: etag })).toBe('unchanged');
    await store.put('two', content('3'));
    expect(await store.get('two', { unless: etag })).toMatchObject({ bytes: 1 });
    expect(await store.get('missing')).toBeUndefined();
  });

  it('writes only where a condition is met', async () => {
    const first = await store.put('swap', content('1'), { condition: 'absent' });
    expect(first).toBeTypeOf('string');
    expect(await store.put('swap', content('2'), { condition: 'absent' })).toBeUndefined();
    const second = await store.put('swap', content('3'), { condition: { etag: first as string } });
    expect(second).toBeTypeOf('string');
    const late = await store.put('swap', content('4'), { condition: { etag: first as string } });
    expect(late).toBeUndefined();
    expect(await textOf(store, 'swap')).toBe('3');
    await requireConditionalWrites(store);
    expect(await keysOf(store, 'trial')).toEqual([]);
  });

  it('lets one of many writers win', async () => {
    const writers = Array.from({ length: 8 }, (_, i) =>
      (i % 2 ? store : other).put('race', content(`${i}`), { condition: 'absent' }),
    );
    const etags = (await Promise.all(writers)).filter((etag) => etag !== undefined);
    expect(etags).toHaveLength(1);
    const swaps = Array.from({ length: 8 }, (_, i) =>
      (i % 2 ? store : other).put('race', content(`s${i}`), { condition: { etag: etags[0] } }),
    );
    expect((await Promise.all(swaps)).filter((etag) => etag !== undefined)).toHaveLength(1);
  });

  it('lists all objects of a prefix, page by page, and removes them', async () => {
    const names = Array.from({ length: 23 }, (_, i) => `many/${String(i).padStart(2, '0')}`);
    await Promise.all(names.map((name) => store.put(name, content(name))));
    expect(await keysOf(store, 'many/')).toEqual(names);
    expect(await keysOf(store, 'many/1')).toHaveLength(10);
    for await (const { bytes, modifiedMs } of store.list('many/')) {
      expect(bytes).toBe(7);
      expect(Math.abs(Date.now() - modifiedMs)).toBeLessThan(600_000);
    }
    await Promise.all(names.map((name) => store.delete(name)));
    await store.delete('many/00');
    expect(await keysOf(store, 'many/')).toEqual([]);
  });

  it('streams large objects', async () => {
    const bytes = Buffer.alloc(5_000_000, 'tape');
    await store.put('large', contentOfBytes(bytes));
    expect((await read(store, 'large')).equals(bytes)).toBe(true);
  });

  it.runIf(kind === 'file')('refuses bytes that are not those of the hash', async () => {
    const wrong = { ...content('1'), sha256: content('x').sha256 };
    await expect(store.put('wrong', wrong)).rejects.toThrow(ObjectStoreError);
    expect(await store.get('wrong')).toBeUndefined();
  });
});

describe.skipIf(!seaweedfs)('large objects', () => {
  // S3 takes no smaller parts, but for the last.
  useLimits(limits.objects, { singleBytesMax: MEGABYTE, partBytes: 5 * MEGABYTE });
  useLimits(limits.objects, { backoffFirstMs: 5, idleMs: 3000 });

  /** Makes a file whose parts differ. */
  function large(bytes = 6 * MEGABYTE + 3): { content: ObjectContent; expected: Buffer } {
    const expected = Buffer.alloc(bytes);
    for (let at = 0; at + 4 <= bytes; at += 4) expected.writeUInt32LE(at, at);
    const path = join(freshFolder(), 'large');
    writeFileSync(path, expected);
    const sha256 = createHash('sha256').update(expected).digest('hex');
    return { content: contentOfFile(path, bytes, sha256), expected };
  }

  /** Sends a request of its own. */
  async function sent(method: string, path: string): Promise<string> {
    const env = bucket.env();
    const signed = await new AwsV4Signer({
      ...{ method, url: `${env.AWS_ENDPOINT_URL_S3}/${BUCKET}${path}`, service: 's3' },
      accessKeyId: env.AWS_ACCESS_KEY_ID,
      secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
      region: env.AWS_REGION,
    }).sign();
    return (await fetch(signed.url, { method, headers: signed.headers })).text();
  }

  const begun = async () => (await sent('GET', '?uploads=')).match(/<Key>[^<]*/g) ?? [];

  it('are what was written, whole and from a byte on', async () => {
    const store = bucket.open('whole');
    const { content, expected } = large(11 * MEGABYTE + 3);
    const etag = await store.put('one', content);
    expect((await read(store, 'one')).equals(expected)).toBe(true);
    const later = await read(store, 'one', 10 * MEGABYTE);
    expect(later.equals(expected.subarray(10 * MEGABYTE))).toBe(true);
    expect(await store.get('one', { unless: etag })).toBe('unchanged');
    expect(await begun()).toEqual([]);
    await store.close();
  });

  it('are written only where a condition is met', async () => {
    const store = bucket.open('condition');
    const { content } = large();
    expect(await store.put('one', content, { condition: 'absent' })).toBeTypeOf('string');
    expect(await store.put('one', content, { condition: 'absent' })).toBeUndefined();
    expect(await begun()).toEqual([]);
    await store.close();
  });

  it('swap none, since some stores admit two of them at the end of parts', async () => {
    const store = bucket.open('swap');
    const etag = String(await store.put('one', contentOfBytes(Buffer.from('small'))));
    const swap = store.put('one', large().content, { condition: { etag } });
    await expect(swap).rejects.toThrow('a swap takes one request of at most 1048576 bytes');
    expect((await read(store, 'one')).toString()).toBe('small');
    expect(await begun()).toEqual([]);
    await store.close();
  });

  it('of a file that has changed do not appear, and leave no parts', async () => {
    const store = bucket.open('changed');
    const { content } = large();
    const wrong = { ...content, sha256: '0'.repeat(64) };
    await expect(store.put('one', wrong)).rejects.toThrow(ObjectStoreError);
    expect(await keysOf(store)).toEqual([]);
    expect(await begun()).toEqual([]);
    await store.close();
  });

  it('are whole after lost and cut responses', async () => {
    const proxy = await startFaultyProxy(bucket.server()?.port as number);
    const store = bucket.open('faulty', proxy.port);
    const { content, expected } = large();
    for (const fault of someOf(['lose', 'cut', 'busy'] as const, 3)) {
      let count = 0;
      proxy.rule = (line) => (/^(PUT|POST) /.test(line) && ++count % 2 === 0 ? fault : undefined);
      await store.put(fault, content);
      proxy.rule = undefined;
      expect((await read(store, fault)).equals(expected)).toBe(true);
    }
    await store.close();
    await proxy.close();
  });

  it('of a killed process are ended by a later upload, once they are old', async () => {
    const store = bucket.open('old');
    const { content } = large();
    await sent('POST', '/old/killed?uploads=');
    await store.put('one', content);
    expect(await begun()).toEqual(['<Key>old/killed']);
    const { strayMs } = limits.objects;
    Object.assign(limits.objects, { strayMs: -60_000 });
    try {
      await store.put('two', content);
    } finally {
      Object.assign(limits.objects, { strayMs });
    }
    expect(await begun()).toEqual([]);
    await store.close();
  });
});

describe.skipIf(!seaweedfs)('an S3 bucket', () => {
  useLimits(limits.objects, { backoffFirstMs: 5 });

  it('names the object, the setting and the bucket in errors, and never a key', async () => {
    const place = { kind: 's3', bucket: 'other', prefix: 'p/' } as const;
    const access = s3Access(SETTING, bucket.env());
    const store = s3Objects(place, access, SETTING);
    const error = await store.get('x').catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ObjectStoreError);
    expect(error.message).toContain('s3://other/p/x');
    expect(error.message).toContain(SETTING);
    expect(error.message).toContain('create the bucket');
    expect(error.message).not.toContain('test-secret');
    await store.close();
  });

  it('fails in bounded time while the server hangs or is away, and works again', async () => {
    const server = bucket.server() as RunningS3;
    const store = bucket.open('away');
    await store.put('x', content('1'));
    const { idleMs } = limits.objects;
    await server.freeze();
    // Only while it hangs: a server that has just started may take longer.
    Object.assign(limits.objects, { idleMs: 400 });
    await expect(store.get('x')).rejects.toThrow(/s3:\/\/tapes\/away\/x/);
    Object.assign(limits.objects, { idleMs });
    server.thaw();
    expect(await textOf(store, 'x')).toBe('1');
    await server.kill();
    await expect(store.get('x')).rejects.toMatchObject({ isPassing: true });
    await server.start();
    await store.put('x', content('2'));
    expect(await textOf(store, 'x')).toBe('2');
    await store.close();
  });
});
