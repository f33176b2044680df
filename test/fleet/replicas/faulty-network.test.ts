/** Lost, cut, spoilt, slow and replayed responses change no version, and delay it at most. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../../src/base/limits.ts';
import { Replica } from '../../../src/fleet/replicas/replica.ts';
import { readShared } from '../../../src/fleet/replicas/shared-manifest.ts';
import { Uploader } from '../../../src/fleet/replicas/upload.ts';
import { scaled } from '../../faults/scale.ts';
import { publishNumber } from '../../store/arrow/support/publish-number.ts';
import { type Fault, type FaultyProxy, startFaultyProxy } from '../../support/faulty-proxy.ts';
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

  const FAULTS: Fault[] = ['lose', 'refuse', 'cut', 'flip', 'damage', 'hang', 'replay', 'busy'];

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

  it.each(scaled<Fault[]>([], FAULTS))(
    '%s: an upload ends with its version, once',
    async (fault) => {
      const here = freshPaths();
      const there = freshPaths();
      const direct = storage.open(`upload-${fault}`);
      const spoilt = storage.open(`upload-${fault}`, proxy.port);
      const uploader = new Uploader({ paths: here, objects: spoilt });
      const replica = new Replica({ paths: there, objects: direct });
      for (const [version, i] of [0, 1, 5].entries()) {
        await publishNumber(here.serving, i);
        let count = 0;
        // Each third response is spoilt.
        proxy.rule = (line) =>
          /^(PUT|GET|DELETE)/.test(line) && ++count % 3 === 0 ? fault : undefined;
        await untilDone(() => uploader.round());
        proxy.rule = undefined;
        const seen = await readShared(direct);
        expect(seen).toMatchObject({ shared: { version: version + 1 } });
        await replica.round();
        expect(publishedBytes(there)).toEqual(publishedBytes(here));
      }
      await spoilt.close();
      await direct.close();
    },
  );

  long('reads what is there after a lost reply, and does not swap twice', async () => {
    const here = freshPaths();
    const spoilt = storage.open('lost-swap', proxy.port);
    const uploader = new Uploader({ paths: here, objects: spoilt });
    await publishNumber(here.serving, 0);
    await uploader.round();
    await publishNumber(here.serving, 1);
    proxy.seen.length = 0;
    proxy.rule = (line) => (/^PUT .*manifest\.json/.test(line) ? 'lose' : undefined);
    expect(await uploader.round()).toMatchObject({ version: 2 });
    proxy.rule = undefined;
    const swaps = proxy.seen.filter((line) => /manifest\.json/.test(line));
    expect(swaps).toEqual([expect.stringMatching(/^PUT /), expect.stringMatching(/^GET /)]);
    await spoilt.close();
  });

  it.each(scaled<Fault[]>(['damage'], FAULTS))(
    '%s: a replica has the old version or the new one',
    async (fault) => {
      const here = freshPaths();
      const there = freshPaths();
      const direct = storage.open(`replica-${fault}`);
      const spoilt = storage.open(`replica-${fault}`, proxy.port);
      const uploader = new Uploader({ paths: here, objects: direct });
      const replica = new Replica({ paths: there, objects: spoilt });
      let served = publishedBytes(there);
      for (const i of scaled([0, 5], [0, 1, 5])) {
        await publishNumber(here.serving, i);
        await uploader.round();
        let count = 0;
        proxy.rule = () => (++count % 2 === 0 ? fault : undefined);
        const isNew = await untilDone(async () => {
          try {
            return await replica.round();
          } finally {
            expect([served, publishedBytes(here)]).toContainEqual(publishedBytes(there));
          }
        });
        proxy.rule = undefined;
        // A replayed manifest is that of the version before.
        if (!isNew) await replica.round();
        served = publishedBytes(there);
        expect(served).toEqual(publishedBytes(here));
      }
      await spoilt.close();
      await direct.close();
    },
  );
});
