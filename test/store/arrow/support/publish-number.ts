/** Many publishes of all kinds; every number in them tells its publish. */

import { DAILY_INTERVALS } from '../../../../src/base/time/intervals.ts';
import type { PublishedVersion } from '../../../../src/store/arrow/read/published-version.ts';
import { openPublished } from '../../../../src/store/arrow/read/reader.ts';
import { compact } from '../../../../src/store/arrow/write/compact.ts';
import { Publication } from '../../../../src/store/arrow/write/publication.ts';
import {
  CREATED_MS,
  INDICATORS,
  LAYER_ADDED,
  publishBase,
  quoteOf,
  rowsOf,
  universeOf,
} from './published-fixture.ts';

export const SYMBOLS = 6;
export const ROWS = 40;

/** Publishes a layer of patches (the whole universe `seed`) or of slices (its last day again). */
async function publishLayer(
  dir: string,
  kind: 'patches' | 'slices',
  seed: number,
  mark: number,
): Promise<void> {
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
  await publication.commit({ ...LAYER_ADDED, createdMs: CREATED_MS + mark, quotes });
}

/** One of many publishes: whole universes of another seed, slices over them, compactions. */
export async function publishNumber(dir: string, i: number): Promise<void> {
  const seed = 1 + Math.floor(i / 5);
  const kind = (['base', 'slices', 'slices', 'newest', 'patches'] as const)[i % 5];
  if (kind === 'base') await publishBase(dir, universeOf(SYMBOLS, ROWS, seed));
  else if (kind === 'slices') await publishLayer(dir, kind, seed, i);
  else if (kind === 'patches') await publishLayer(dir, kind, seed + 1000, i);
  else {
    const options = { createdMs: CREATED_MS + i, currentYear: 2025 };
    await compact(dir, openPublished(dir) as PublishedVersion, kind, options);
  }
}
