/** Conformance of every kind of object storage with what uploads and replicas need. */

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { s3Access } from '../../../src/base/config/object-place.ts';
import { limits } from '../../../src/base/limits.ts';
import { contentOfBytes } from '../../../src/store/objects/content.ts';
import {
  bytesOf,
  type ObjectStore,
  ObjectStoreError,
} from '../../../src/store/objects/object-store.ts';
import { s3Objects } from '../../../src/store/objects/s3-objects.ts';
import { requireConditionalWrites } from '../../../src/store/replicas/conditional-writes.ts';
import { type RunningS3, STORAGES } from '../../support/s3-server.ts';
import { seaweedfs } from '../../support/tools.ts';
import { useLimits } from '../../support/use-limits.ts';
import { keysOf, SETTING, useStorage } from '../replicas/support.ts';

const textOf = async (store: ObjectStore, key: string, start = 0) => {
  const found = await store.get(key, { start });
  if (found === undefined || found === 'unchanged') return found;
  return (await bytesOf(found, 1e9, key)).toString('utf8');
};

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
    const found = await store.get('large');
    if (found === undefined || found === 'unchanged') throw new Error('nothing there');
    const hash = createHash('sha256');
    for await (const piece of found.body) hash.update(piece);
    expect(hash.digest('hex')).toBe(contentOfBytes(bytes).sha256);
  });

  it.runIf(kind === 'file')('refuses bytes that are not those of the hash', async () => {
    const wrong = { ...content('1'), sha256: content('x').sha256 };
    await expect(store.put('wrong', wrong)).rejects.toThrow(ObjectStoreError);
    expect(await store.get('wrong')).toBeUndefined();
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
