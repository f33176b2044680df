/** Workers that share a store, or object storage for segments. */

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { takeOver } from '../../../src/fleet/replicas/take-over.ts';
import { readManifest } from '../../../src/store/arrow/format/manifest.ts';
import { isLong, scaled, tell } from '../../faults/scale.ts';
import { long } from '../../support/store-runs.ts';
import { redisServer } from '../../support/tools.ts';
import { BACKFILL, useWorkers } from './workers-fixture.ts';

function parquetBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.parquet'));
}

describe.skipIf(!redisServer)('workers', () => {
  const fixture = useWorkers();

  long('load one at a time, and another takes over with a higher epoch', async () => {
    const { folder, startWorker } = fixture;
    const epoch = () => readManifest(modePaths(folder.dataDir, 'live').serving)?.epoch ?? 0;
    const path = join(folder.dataDir, 'local.csv');
    /** Without children: its load is all there is to do. */
    const load = (day: number) => {
      writeFileSync(path, `Date,Open,High,Low,Close,Volume\n2024-01-0${day},1,2,1,2,10\n`);
      return folder.json('backfill', 'files', 'candles', path);
    };
    let holder = startWorker(folder);
    await holder.said('loads into the store');
    await load(2);
    // The upload of a restored folder takes over with a higher epoch than that of the holder.
    await takeOver(modePaths(folder.dataDir, 'live'), { epoch: 50, version: 1 });
    await load(3);
    expect(epoch()).toBeGreaterThan(51);
    const tookMs: number[] = [];
    for (let time = 0; time < scaled(1, 5); time++) {
      const before = epoch();
      expect(before).toBeGreaterThan(0);
      const next = startWorker(folder);
      await next.said('takes jobs to fetch, load');
      holder.process.kill('SIGKILL');
      const killedMs = performance.now();
      await load(4 + time);
      tookMs.push(Math.round(performance.now() - killedMs));
      expect(epoch()).toBeGreaterThan(before);
      holder = next;
    }
    // From the kill to the publish of the other's first load; the command's own start is in it.
    tell('takeovers', { times: tookMs.length, 'ms at most': Math.max(...tookMs) });
  });

  it.runIf(isLong)('of other machines only fetch, and share no disk', async () => {
    const { machine, shared, startWorker } = fixture;
    const url = pathToFileURL(shared).href;
    const store = machine({ TAPEWORKS_SEGMENTS_URL: url });
    const other = machine({ TAPEWORKS_SEGMENTS_URL: url });
    await startWorker(store, '--queues', 'load').said('loads into the store');
    await startWorker(other).said('takes jobs to fetch\n');
    const refused = startWorker(other, '--queues', 'load');
    await refused.said('another store');
    expect(await refused.ended).toBe(2);
    expect(await store.json(...BACKFILL)).toMatchObject({ segments: 15, accepted: 60 });
    expect(existsSync(modePaths(other.dataDir, 'live').segments)).toBe(false);
    await expect.poll(() => parquetBelow(shared)).toEqual([]);
  });
});
