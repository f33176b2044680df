/** Workers that wait, are stopped, take over, or have no disk in common. `redis-flow` kills them. */

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { takeOver } from '../../../src/fleet/replicas/take-over.ts';
import { readManifest } from '../../../src/store/arrow/format/manifest.ts';
import { redisServer } from '../../support/tools.ts';
import { BACKFILL, useWorkers } from './workers-fixture.ts';

function parquetBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.parquet'));
}

describe.skipIf(!redisServer)('workers', () => {
  const fixture = useWorkers();

  it('wait for Redis, where commands that add jobs fail at once', async () => {
    const { folder, redis, startWorker } = fixture;
    await redis.kill();
    const { code, stderr } = await folder.run(...BACKFILL);
    expect(code).toBe(1);
    expect(stderr).toContain(`Redis at ${redis.url}`);
    expect(stderr).toContain('does not answer');
    const worker = startWorker(folder);
    await worker.said('waits for Redis');
    await redis.start();
    expect(await folder.json(...BACKFILL)).toMatchObject({ segments: 15 });
  });

  it('take over with a higher epoch than that of a restored folder', async () => {
    const { folder, startWorker } = fixture;
    const paths = modePaths(folder.dataDir, 'live');
    const path = join(folder.dataDir, 'local.csv');
    /** Without children: its load is all there is to do. */
    const load = (day: number) => {
      writeFileSync(path, `Date,Open,High,Low,Close,Volume\n2024-01-0${day},1,2,1,2,10\n`);
      return folder.json('backfill', 'files', 'candles', path);
    };
    await startWorker(folder).said('loads into the store');
    await load(2);
    await takeOver(paths, { epoch: 50, version: 1 });
    await load(3);
    expect(readManifest(paths.serving)?.epoch).toBeGreaterThan(51);
  });

  it('give back what they fetch when they are stopped', async () => {
    const { folder, startWorker, vendor } = fixture;
    const first = startWorker(folder);
    vendor.hold('S12');
    const report = folder.json(...BACKFILL);
    await vendor.untilAsked('S12');
    first.process.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    vendor.release('S12');
    startWorker(folder);
    expect(await report).toMatchObject({ segments: 15, deadJobs: [] });
  });
  it('of other machines only fetch, and share no disk', async () => {
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
