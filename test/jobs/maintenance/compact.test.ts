import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compact } from '../../../jobs/maintenance/compact.ts';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';
import { limits } from '../../../src/base/limits.ts';
import { markName } from '../../../src/store/arrow/format/high-water.ts';
import { filesOf, readManifest } from '../../../src/store/arrow/format/manifest.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import type { CandleSegment } from '../../../src/store/duckdb/connection/candle-segment.ts';
import { contentOf } from '../../store/arrow/support/published-fixture.ts';
import {
  emptyPaths,
  freshPaths,
  minuteBars,
  risingBars,
  segmentOf,
} from '../../store/duckdb/support/fixtures.ts';
import { long } from '../../support/store-runs.ts';
import { filesByRole } from '../support/files-by-role.ts';
import { preparedStore } from '../support/prepared-store.ts';
import { DEPS, published, publishOf } from '../support/store.ts';

/** Days of three symbols and minutes of two, in pieces. */
function segments(): CandleSegment[] {
  return [20, 21, 22].flatMap((count, part) => {
    const days = ['B', 'A', 'C'].map((symbol, i) => ({
      symbol,
      bars: risingBars('2026-03-01', count, 100 + i),
    }));
    const minutes = ['C', 'A'].map((symbol) => ({
      symbol,
      bars: minuteBars('2026-05-29', 1, 100, part * 7),
    }));
    return [
      segmentOf(days, { basis: 'raw' }),
      segmentOf(minutes, { interval: '1m', basis: 'raw' }),
    ];
  });
}

async function publishEach(paths: ModePaths, parts: readonly CandleSegment[]): Promise<void> {
  for (const segment of parts) await publishOf(paths, segment);
}

const NEWEST = segments().slice(-1);

/** All but the newest segment, each published as it came. */
const allButNewest = preparedStore((paths) => publishEach(paths, segments().slice(0, -1)));

function content(paths: ModePaths): unknown {
  return contentOf(published(paths));
}

describe('compact', () => {
  it('changes nothing of what is served, and later loads go on from it', async () => {
    const paths = await allButNewest();
    const before = content(paths);
    await compact(paths, { isFull: false }, DEPS);
    expect(content(paths)).toEqual(before);
    await compact(paths, { isFull: true }, DEPS);
    expect(content(paths)).toEqual(before);
    const whole = freshPaths();
    await publishOf(paths, ...NEWEST);
    await publishOf(whole, ...segments());
    expect(content(paths)).toEqual(content(whole));
  });

  long('with --full leaves equal files of equal data, whatever came in which order', async () => {
    const [first, second] = [await allButNewest(), freshPaths()];
    await publishOf(first, ...NEWEST);
    await publishOf(second, ...segments().reverse());
    for (const paths of [first, second]) await compact(paths, { isFull: true }, DEPS);
    expect(content(first)).toEqual(content(second));
    const files = filesByRole(first);
    expect(files.length).toBeGreaterThan(8);
    expect(files).toEqual(filesByRole(second));
    const [listed, other] = [first, second].map((paths) => ({
      ...openPublished(paths.serving)!.listings,
      securityId: undefined,
    }));
    expect(listed).toEqual(other);
  });

  it('leaves no file that the published version does not need', async () => {
    const paths = await allButNewest();
    await publishOf(paths, ...NEWEST);
    await compact(paths, { isFull: true }, DEPS);
    const manifest = readManifest(paths.serving)!;
    const { epoch, version } = manifest;
    const marks = [version - 1, version].map((each) => markName({ epoch, version: each }));
    const needed = [...filesOf(manifest), ...marks, 'past.sqlite', 'status.json'].sort();
    expect(readdirSync(paths.serving).sort()).toEqual(needed);
    expect(manifest.layers).toHaveLength(1);
    expect(manifest.recent.length).toBeLessThanOrEqual(2 * limits.serving.recentVersionsMin + 9);
  });

  it('needs a store', async () => {
    await expect(compact(emptyPaths(), { isFull: true }, DEPS)).rejects.toThrow('No store at');
  });
});
