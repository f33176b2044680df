/** The model of object storage returns what a folder and an S3 server do, over random sequences. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObjectStore } from '../../../src/store/objects/object-store.ts';
import { scaled } from '../../faults/scale.ts';
import { useStorage } from '../../fleet/replicas/support.ts';
import { STORAGES } from '../../support/s3-server.ts';
import { runObjects } from './objects-sequence.ts';

const MODEL = fileURLToPath(new URL('objects-model.ts', import.meta.url));
const STEPS = 120;
const SEEDS = Array.from({ length: scaled(1, 30) }, (_, i) => i + 1);

const storages = STORAGES.map((kind) => [kind, useStorage(kind)] as const);

describe.each(storages)('the model of object storage and %s', (_kind, storage) => {
  const stores: ObjectStore[] = [];
  beforeAll(() => {
    for (const seed of SEEDS) stores.push(storage.open(`sequence${seed}`));
  });
  afterAll(async () => {
    for (const store of stores) await store.close();
  });

  it.each(SEEDS)('return the same from seed %i', async (seed) => {
    const { stdout, stderr } = spawnSync(process.execPath, [MODEL, `${seed}`, `${STEPS}`], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const told = stdout.trimEnd().split('\n');
    expect(told).toHaveLength(STEPS);
    expect(await runObjects(seed, STEPS, stores[seed - 1])).toEqual(told);
  });
});
