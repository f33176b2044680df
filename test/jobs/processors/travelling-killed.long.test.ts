/** Segments reach the machine that loads through object storage, once, whoever is killed. */

import { describe, expect, it } from 'vitest';
import type { Failpoint } from '../../../src/base/failpoints.ts';
import { keysOf } from '../../fleet/replicas/support.ts';
import { freshFolder } from '../../support/folders.ts';
import { STORAGES } from '../../support/s3-server.ts';
import { redisServer } from '../../support/tools.ts';
import { COUNT, expectNothingLeft, expectStoredOnce, useTravels } from './travels.ts';

const FETCH_POINTS: readonly (readonly [Failpoint, number])[] = [
  // A segment; its list; the note of an unfinished list that is removed.
  ['put object', 1],
  ['put object', 2],
  ['remove object', 1],
];

const LOAD_POINTS: readonly (readonly [Failpoint, number])[] = [
  ['write file', 1],
  ['rename file', 0],
  ['commit rows', 0],
  ['rows committed', 0],
  ['remove object', 2],
];

describe.skipIf(!redisServer).each(STORAGES)('over %s', (kind) => {
  const travels = useTravels(kind);

  it.each(FETCH_POINTS)('a worker killed at %s %i loses no segment', async (name, passes) => {
    const place = `fetch-${name.replace(' ', '-')}-${passes}`;
    const here = freshFolder();
    const killed = await travels.run(here, place, 'fetch', name, String(passes));
    expect(killed.signal).toBe('SIGKILL');
    expect(await travels.run(here, place, 'fetch')).toMatchObject({ code: 0 });
    expectNothingLeft(here);
    const there = freshFolder();
    const { text } = await travels.run(there, place, 'load');
    expect(JSON.parse(text)).toEqual({ segments: COUNT, accepted: 4 * COUNT, deadJobs: [] });
    await expectStoredOnce(there);
    const objects = travels.storage.open(place);
    expect(await keysOf(objects)).toEqual([]);
    await objects.close();
  });

  it.each(LOAD_POINTS)('a load killed at %s %i loads each segment once', async (name, passes) => {
    const place = `load-${name.replace(' ', '-')}-${passes}`;
    await travels.fetched(place);
    const there = freshFolder();
    const killed = await travels.run(there, place, 'load', name, String(passes));
    expect(killed.signal).toBe('SIGKILL');
    if (name !== 'remove object') {
      const objects = travels.storage.open(place);
      const keys = await keysOf(objects);
      expect(keys.filter((key) => key.endsWith('.parquet'))).toHaveLength(COUNT);
      await objects.close();
      const { text } = await travels.run(there, place, 'load');
      expect(JSON.parse(text)).toMatchObject({ segments: COUNT, deadJobs: [] });
    }
    await expectStoredOnce(there);
  });
});
