import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import { DAILY_INTERVALS, type DailyInterval } from '../../../../src/base/time/intervals.ts';
import type { PublishedVersion } from '../../../../src/store/arrow/read/published-version.ts';
import { openPublished } from '../../../../src/store/arrow/read/reader.ts';
import { compact, neededCompaction } from '../../../../src/store/arrow/write/compact.ts';
import { Publication } from '../../../../src/store/arrow/write/publication.ts';
import { freshFolder } from '../../../support/folders.ts';
import { STORE_RUNS } from '../../../support/store-runs.ts';
import {
  CREATED_MS,
  contentOf,
  INDICATORS,
  LAYER_ADDED,
  publishBase,
  rowsOf,
  universeOf,
} from '../support/published-fixture.ts';

let dir: string;

beforeEach(() => {
  dir = freshFolder();
});

function published(folder = dir): PublishedVersion {
  return openPublished(folder) as PublishedVersion;
}

interface Addition {
  symbol: number;
  interval: DailyInterval;
  isPatch: boolean;
  rowCount: number;
  /** Number of existing rows that are replaced; slices only. */
  replaced: number;
}

async function publishAdditions(
  additions: readonly Addition[],
  seed: number,
  folder = dir,
): Promise<void> {
  const version = published(folder);
  const publication = new Publication(folder, { indicatorColumns: INDICATORS });
  for (const { symbol, interval, isPatch, rowCount, replaced } of additions) {
    const rowsBefore = version.rowCount(version.directory.names[symbol], interval);
    const firstRow = Math.max(0, rowsBefore - replaced);
    const rows = rowsOf(seed + symbol, rowCount, { firstRow: isPatch ? 0 : firstRow });
    if (isPatch) publication.layer.addBatch(symbol, interval, 'patches', rows);
    else publication.layer.addToSlice(symbol, interval, rows);
  }
  await publication.commit(LAYER_ADDED);
}

async function foldPublished(kind: 'newest' | 'all', currentYear = 2025, folder = dir) {
  await compact(folder, published(folder), kind, { createdMs: CREATED_MS, currentYear });
}

function newestSlice(rowCount = 1, replaced = 0): Addition[] {
  return [0, 1, 2].map((symbol) => ({
    symbol,
    interval: '1d',
    isPatch: false,
    rowCount,
    replaced,
  }));
}

const addition = fc.record({
  symbol: fc.nat(2),
  interval: fc.constantFrom(...DAILY_INTERVALS),
  isPatch: fc.boolean(),
  rowCount: fc.integer({ min: 1, max: 120 }),
  replaced: fc.nat(3),
});
const oncePerSeries = { selector: (a: Addition) => `${a.symbol} ${a.interval}`, maxLength: 5 };
const history = fc.array(
  fc.oneof(
    fc.uniqueArray(addition, { minLength: 1, ...oncePerSeries }),
    fc.constantFrom('newest' as const, 'all' as const),
  ),
  { maxLength: 6 },
);

describe('compact', () => {
  it('keeps every row, whatever was published before', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.constantFrom(2024, 2025, 2026), async (steps, currentYear) => {
        rmSync(dir, { recursive: true, force: true });
        await publishBase(dir, universeOf(3, 100), { currentYear: 2025 });
        for (const [i, step] of [...steps, 'newest' as const, 'all' as const].entries()) {
          if (typeof step !== 'string') {
            await publishAdditions(step, 10 * (i + 1));
            continue;
          }
          const before = contentOf(published());
          await foldPublished(step, currentYear);
          expect(contentOf(published())).toEqual(before);
          expect(published().layers).toHaveLength(1);
        }
      }),
      { seed: 7, numRuns: STORE_RUNS },
    );
  });

  it('leaves the closed years in place when only slices are compacted', async () => {
    await publishBase(dir, universeOf(3, 500));
    await publishAdditions(newestSlice(), 9);
    await foldPublished('newest');
    const { volumes } = published().manifest.layers[0];
    const closed = volumes.filter(({ role }) => role === 'closed').map((v) => v.candles.name);
    expect(closed).toEqual(['1d', '1w', '1mon'].map((i) => `candles-${i}-closed-00000001.arrow`));
    const current = volumes.filter(({ role }) => role === 'current').map((v) => v.candles.name);
    expect(current).toEqual(['1d', '1w'].map((i) => `candles-${i}-current-00000003.arrow`));
  });

  it('of everything writes equal files for equal rows', async () => {
    const other = join(dir, 'other');
    const first = universeOf(3, 500);
    const reversed = Object.fromEntries(Object.entries(first).reverse());
    await publishBase(dir, first);
    await publishAdditions(newestSlice(4, 2), 0);
    await foldPublished('all');
    await publishBase(other, reversed);
    await foldPublished('all', 2025, other);
    await publishAdditions(newestSlice(4, 2), 0, other);
    await foldPublished('all', 2025, other);
    const filesOf = (folder: string, version: string) =>
      readdirSync(folder)
        .filter((name) => name.includes(version))
        .map((name) => [name.replace(version, ''), readFileSync(join(folder, name))] as const);
    expect(filesOf(dir, '00000003')).toEqual(filesOf(other, '00000004'));
  });
});

describe('neededCompaction', () => {
  it('chooses the newest files when there are more slices than the limit', async () => {
    await publishBase(dir, universeOf(3, 200));
    for (let i = 0; i < limits.serving.deltasMax; i++) await publishAdditions(newestSlice(), 9);
    expect(neededCompaction(published(), 2025)).toBeUndefined();
    await publishAdditions(newestSlice(), 9);
    expect(neededCompaction(published(), 2025)).toBe('newest');
  });

  it('chooses all files when the year has changed', async () => {
    await publishBase(dir, universeOf(3, 200));
    for (let i = 0; i <= limits.serving.deltasMax; i++) await publishAdditions(newestSlice(), 9);
    expect(neededCompaction(published(), 2026)).toBe('all');
    await foldPublished('all', 2026);
    expect(published().manifest.currentYear).toBe(2026);
    expect(neededCompaction(published(), 2026)).toBeUndefined();
  });

  it('chooses all files when patches exceed their share of the base', async () => {
    await publishBase(dir, universeOf(3, 1000));
    const patch = { symbol: 0, interval: '1d' as const, isPatch: true, replaced: 0 };
    await publishAdditions([{ ...patch, rowCount: 100 }], 9);
    expect(neededCompaction(published(), 2025)).toBeUndefined();
    await publishAdditions([{ ...patch, rowCount: 100 }], 9);
    expect(neededCompaction(published(), 2025)).toBe('all');
  });
});
