/** Objects in parts. */

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AwsV4Signer } from 'aws4fetch';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/base/limits.ts';
import { contentOfFile } from '../../../src/store/objects/content.ts';
import {
  bytesOf,
  type ObjectContent,
  type ObjectStore,
  ObjectStoreError,
} from '../../../src/store/objects/object-store.ts';
import { startFaultyProxy } from '../../support/faulty-proxy.ts';
import { freshFolder } from '../../support/folders.ts';
import { BUCKET } from '../../support/s3-server.ts';
import { seaweedfs } from '../../support/tools.ts';
import { useLimits } from '../../support/use-limits.ts';
import { keysOf, useStorage } from '../replicas/support.ts';

const MEGABYTE = 1024 * 1024;

describe.skipIf(!seaweedfs)('large objects', () => {
  // S3 takes no smaller parts, but for the last.
  useLimits(limits.objects, { singleBytesMax: MEGABYTE, partBytes: 5 * MEGABYTE });
  useLimits(limits.objects, { backoffFirstMs: 5, idleMs: 3000 });
  const storage = useStorage('s3');

  /** Makes a file whose parts differ. */
  function large(bytes = 6 * MEGABYTE + 3): { content: ObjectContent; expected: Buffer } {
    const expected = Buffer.alloc(bytes);
    for (let at = 0; at + 4 <= bytes; at += 4) expected.writeUInt32LE(at, at);
    const path = join(freshFolder(), 'large');
    writeFileSync(path, expected);
    const sha256 = createHash('sha256').update(expected).digest('hex');
    return { content: contentOfFile(path, bytes, sha256), expected };
  }

  async function read(store: ObjectStore, key: string, start = 0): Promise<Buffer> {
    const found = await store.get(key, { start });
    if (found === undefined || found === 'unchanged') throw new Error('nothing there');
    return bytesOf(found, 1e9, key);
  }

  /** Sends a request of its own. */
  async function sent(method: string, path: string): Promise<string> {
    const { env } = storage.server() ?? { env: {} as Record<string, string> };
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
    const store = storage.open('whole');
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
    const store = storage.open('condition');
    const { content } = large();
    expect(await store.put('one', content, { condition: 'absent' })).toBeTypeOf('string');
    expect(await store.put('one', content, { condition: 'absent' })).toBeUndefined();
    expect(await begun()).toEqual([]);
    await store.close();
  });

  it('of a file that has changed do not appear, and leave no parts', async () => {
    const store = storage.open('changed');
    const { content } = large();
    const wrong = { ...content, sha256: '0'.repeat(64) };
    await expect(store.put('one', wrong)).rejects.toThrow(ObjectStoreError);
    expect(await keysOf(store)).toEqual([]);
    expect(await begun()).toEqual([]);
    await store.close();
  });

  it('are whole after lost and cut responses', async () => {
    const proxy = await startFaultyProxy(storage.server()?.port as number);
    const store = storage.open('faulty', proxy.port);
    const { content, expected } = large();
    for (const fault of ['lose', 'cut', 'busy'] as const) {
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
    const store = storage.open('old');
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
