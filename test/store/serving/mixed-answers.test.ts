import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAILY_INTERVALS } from '../../../src/intervals.ts';
import { fold } from '../../../src/store/serving/fold.ts';
import { Publication } from '../../../src/store/serving/publication.ts';
import type { PublishedVersion } from '../../../src/store/serving/published-version.ts';
import { openPublished } from '../../../src/store/serving/reader.ts';
import {
  CREATED_MS,
  INDICATORS,
  publishBase,
  quoteOf,
  rowsOf,
  universeOf,
} from './published-fixture.ts';

const SYMBOLS = 6;
const ROWS = 40;
const PUBLISHES = 200;

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tapeworks-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Publishes a layer of patches (all of the universe `seed`) or of slices (its last day anew). */
async function publishLayer(kind: 'patches' | 'slices', seed: number, mark: number): Promise<void> {
  const publication = new Publication(dir, { indicatorColumns: INDICATORS });
  const universe = universeOf(SYMBOLS, ROWS, seed);
  const names = Object.keys(universe);
  const quotes = names.map((name, number) => {
    for (const interval of DAILY_INTERVALS) {
      if (kind === 'patches') {
        publication.layer.addBatch(number, interval, 'patches', universe[name][interval]);
      }
    }
    const last = rowsOf(seed + number + mark / 1e6, 1, { firstRow: ROWS - 1 });
    if (kind === 'slices') publication.layer.addToSlice(number, '1d', last);
    const { close } = kind === 'slices' ? last.bars : universe[name]['1d'].bars;
    return { ...quoteOf(name, close.at(-1) as number), volume: mark };
  });
  await publication.commit({
    seq: 2,
    storeMark: 'b',
    createdMs: CREATED_MS + mark,
    replacesLayers: false,
    currentYear: 2025,
    quotes,
  });
}

/** One of many publishes: whole universes of another seed, slices over them, folds. */
async function publishNumber(i: number): Promise<void> {
  const seed = 1 + Math.floor(i / 5);
  const kind = (['base', 'slices', 'slices', 'newest', 'patches'] as const)[i % 5];
  if (kind === 'base') await publishBase(dir, universeOf(SYMBOLS, ROWS, seed));
  else if (kind === 'slices') await publishLayer(kind, seed, i);
  else if (kind === 'patches') await publishLayer(kind, seed + 1000, i);
  else {
    const options = { createdMs: CREATED_MS + i, currentYear: 2025 };
    await fold(dir, openPublished(dir) as PublishedVersion, kind, options);
  }
}

describe('a thread that reads through many publishes', () => {
  it('gets every answer from one version', async () => {
    await publishNumber(0);
    const workerData = { dir, symbolCount: SYMBOLS, rowCount: ROWS };
    const thread = new Worker(new URL('reading-thread.ts', import.meta.url), { workerData });
    await once(thread, 'message');
    for (let i = 1; i < PUBLISHES; i++) await publishNumber(i);
    thread.postMessage('stop');
    const [result] = await once(thread, 'message');
    await thread.terminate();
    expect(result.failures).toEqual([]);
    expect(result.versions).toBeGreaterThan(PUBLISHES / 10);
    expect(result.answers).toBeGreaterThanOrEqual(result.versions);
  }, 120_000);
});
