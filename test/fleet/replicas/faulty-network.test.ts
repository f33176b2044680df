/** Damaged bodies change no version, and delay it at most. Simulated nights have other faults. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../../src/base/limits.ts';
import { Replica } from '../../../src/fleet/replicas/replica.ts';
import { readShared } from '../../../src/fleet/replicas/shared-manifest.ts';
import { Uploader } from '../../../src/fleet/replicas/upload.ts';
import { scaled } from '../../faults/scale.ts';
import { publishNumber } from '../../store/arrow/support/publish-number.ts';
import { type FaultyProxy, startFaultyProxy } from '../../support/faulty-proxy.ts';
import { long } from '../../support/store-runs.ts';
import { seaweedfs } from '../../support/tools.ts';
import { useLimits } from '../../support/use-limits.ts';
import { freshPaths, publishedBytes, useStorage } from './support.ts';

describe.skipIf(!seaweedfs)('a faulty network', () => {
  useLimits(limits.objects, { backoffFirstMs: 5, idleMs: 300 });
  const storage = useStorage('s3');
  let proxy: FaultyProxy;
  beforeAll(async () => {
    proxy = await startFaultyProxy(storage.server()?.port as number);
  });
  afterAll(() => proxy?.close());

  /** Repeats a round as the program does; fails if it never succeeds. */
  async function untilDone<T>(round: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await round();
      } catch (error) {
        if (tries === 12) throw error;
      }
    }
  }

  long('damages bodies of uploads, and each upload ends with its version, once', async () => {
    const here = freshPaths();
    const there = freshPaths();
    const direct = storage.open('upload');
    const spoilt = storage.open('upload', proxy.port);
    const uploader = new Uploader({ paths: here, objects: spoilt });
    const replica = new Replica({ paths: there, objects: direct });
    for (const [version, i] of [0, 1, 5].entries()) {
      await publishNumber(here.serving, i);
      let count = 0;
      proxy.rule = (line) => (line.startsWith('PUT') && ++count % 3 === 0 ? 'damage' : undefined);
      await untilDone(() => uploader.round());
      proxy.rule = undefined;
      expect(count).toBeGreaterThan(2);
      const seen = await readShared(direct);
      expect(seen).toMatchObject({ shared: { version: version + 1 } });
      await replica.round();
      expect(publishedBytes(there)).toEqual(publishedBytes(here));
    }
    await spoilt.close();
    await direct.close();
  });

  it('flips bits of downloads, and a replica has the old version or the new one', async () => {
    const here = freshPaths();
    const there = freshPaths();
    const direct = storage.open('replica');
    const spoilt = storage.open('replica', proxy.port);
    const uploader = new Uploader({ paths: here, objects: direct });
    const replica = new Replica({ paths: there, objects: spoilt });
    let served = publishedBytes(there);
    for (const i of scaled([0, 5], [0, 1, 5])) {
      await publishNumber(here.serving, i);
      await uploader.round();
      let count = 0;
      proxy.rule = () => (++count % 2 === 0 ? 'flip' : undefined);
      await untilDone(async () => {
        try {
          await replica.round();
        } finally {
          expect([served, publishedBytes(here)]).toContainEqual(publishedBytes(there));
        }
      });
      proxy.rule = undefined;
      expect(count).toBeGreaterThan(1);
      served = publishedBytes(there);
      expect(served).toEqual(publishedBytes(here));
    }
    await spoilt.close();
    await direct.close();
  });
});
