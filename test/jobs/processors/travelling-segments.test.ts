/** Segments travel through object storage to the machine that loads. */

import { describe, expect, it } from 'vitest';
import { withStage } from '../../../jobs/contract/stage.ts';
import { removeSegments } from '../../../jobs/contract/staged-segments.ts';
import { loadAndPublish } from '../../../jobs/processors/load.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { contentOfBytes } from '../../../src/store/objects/content.ts';
import { keysOf } from '../../fleet/replicas/support.ts';
import { freshFolder } from '../../support/folders.ts';
import { long } from '../../support/store-runs.ts';
import { redisServer } from '../../support/tools.ts';
import { runOf } from './travelling-run.ts';
import { COUNT, expectStoredOnce, useTravels } from './travels.ts';

describe.skipIf(!redisServer)('travelling segments', () => {
  const travels = useTravels();

  /** A machine that loads, in this process. */
  function loader(place: string) {
    Object.assign(process.env, travels.storage.env());
    const settings = settingsFromEnv(travels.env(freshFolder(), place));
    const paths = modePaths(settings.dataDir, 'live');
    const { tasks: _, shared: __, ...head } = runOf(COUNT);
    const deps = { paths, settings, nowMs: Date.now(), verb: 'test' };
    return { paths, settings, head, load: () => loadAndPublish(head, new Map(), deps) };
  }

  it('fail their task alone where they are damaged or gone in the storage', async () => {
    const place = 'damaged';
    await travels.fetched(place);
    const objects = travels.storage.open(place);
    const keys = await keysOf(objects);
    const [spoilt, lost] = keys.filter((key) => key.endsWith('.parquet'));
    await objects.put(spoilt, contentOfBytes(Buffer.from('not a segment')));
    await objects.delete(lost);
    const { segments, deadJobs } = await loader(place).load();
    expect(segments).toBe(1);
    expect(deadJobs).toHaveLength(2);
    for (const end of [`${spoilt}" does not match its hash`, `${lost}" is missing`]) {
      expect(deadJobs).toContainEqual(
        expect.objectContaining({ reason: expect.stringContaining(end) }),
      );
    }
    await objects.close();
  });

  long('are loaded from the disk once the storage has none any more', async () => {
    const place = 'removed';
    await travels.fetched(place);
    const { paths, settings, head, load } = loader(place);
    expect(await load()).toMatchObject({ segments: COUNT, alreadyLoaded: 0 });
    await withStage(paths, settings, (stage) => removeSegments(stage, head));
    // Redis may have lost that the run is done.
    expect(await load()).toMatchObject({ segments: COUNT, alreadyLoaded: 0, deadJobs: [] });
    await expectStoredOnce(settings.dataDir);
  });
});
