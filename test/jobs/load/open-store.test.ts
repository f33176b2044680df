/** The store between loads: open for the next one, never for long. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OpenStore } from '../../../jobs/load/open-store.ts';
import { type ModePaths, modePaths } from '../../../src/base/config/data-dir.ts';
import { limits } from '../../../src/base/limits.ts';
import type { MarketDb } from '../../../src/store/duckdb/connection/open.ts';
import { openMarketForWriting } from '../../../src/store/duckdb/connection/open.ts';
import { freshFolder } from '../../support/folders.ts';

const DEPS = { verb: 'test', nowMs: Date.parse('2026-11-20T22:00:00Z') };
let root: string;
let paths: ModePaths;
let store: OpenStore;

beforeEach(() => {
  root = freshFolder();
  paths = modePaths(root, 'live');
  store = new OpenStore(paths, DEPS);
});
afterEach(() => {
  vi.restoreAllMocks();
  store.close();
});

const itself = async (market: MarketDb) => market;

describe('a store that is held', () => {
  it('is the same for a load that follows at once', async () => {
    expect(await store.use(itself)).toBe(await store.use(itself));
  });

  it('is given to others who wait when no load follows', async () => {
    await store.use(itself);
    const other = await openMarketForWriting(paths, DEPS);
    other.close();
  });

  it('is closed after a load when it was open for long', async () => {
    const first = await store.use(itself);
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + limits.store.heldMs + 1);
    expect(await store.use(itself)).toBe(first);
    expect(await store.use(itself)).not.toBe(first);
  });

  it('is closed by a load that fails', async () => {
    const first = await store.use(itself);
    await expect(store.use(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await store.use(itself)).not.toBe(first);
  });
});
