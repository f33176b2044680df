import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';
import { CorruptDataError } from '../../../src/base/errors.ts';
import { resampleIntraday } from '../../../src/compute/bars/resample-intraday.ts';
import { readManifest } from '../../../src/store/arrow/format/manifest.ts';
import { readServingStatus } from '../../../src/store/arrow/read/serving-status.ts';
import { freshPaths } from '../../store/duckdb/support/fixtures.ts';
import { long } from '../../support/store-runs.ts';
import {
  daySegment,
  MONDAY,
  minuteSegment,
  minutes,
  minutesOf,
  TUESDAY,
} from '../support/intraday-store.ts';
import { preparedStore } from '../support/prepared-store.ts';
import { inStore, loadAll, published, publishOf, run } from '../support/store.ts';

/** Takes series of a symbol away, as renaming it does. */
async function removeSeries(paths: ModePaths, symbol: string, interval: string): Promise<void> {
  const name = `${symbol} ${interval}`;
  await loadAll(paths, daySegment('Z', [[TUESDAY, 50 + name.charCodeAt(0)]], { name }));
  await inStore(paths, async ({ connection }) => {
    await connection.run(
      `DELETE FROM winners WHERE symbol = '${symbol}' AND interval = '${interval}'`,
    );
    await connection.run(
      `INSERT INTO changes SELECT max(seq), '${symbol}', '${interval}', 'remove', now()::TIMESTAMP
       FROM changes`,
    );
  });
}

describe('a series that is removed', () => {
  long('keeps the daily quote, or no symbol, when later ones come', async () => {
    const paths = freshPaths();
    const bars = minutes(TUESDAY, 0, 20);
    const both = ['A', 'B'].map((symbol) => ({ symbol, bars }));
    await publishOf(paths, daySegment('A', [[MONDAY, 90]]), minuteSegment(both));
    await removeSeries(paths, 'A', '1m');
    await removeSeries(paths, 'B', '1m');
    await run(paths);
    const version = published(paths);
    expect(version.intraday('A', '1m')).toBeUndefined();
    expect(version.rowCount('A', '1m')).toBe(0);
    const mondayEnd = Date.parse('2026-03-02T21:00:00Z');
    expect(version.quote('A')).toMatchObject({ price: 90, timestampMs: mondayEnd });
    expect([version.quote('B'), version.directory.sortedNames]).toEqual([undefined, ['A', 'Z']]);
    const other = [{ symbol: 'C', bars: minutes(TUESDAY, 0, 5, 70) }];
    await publishOf(paths, minuteSegment(other, { name: 'C' }));
    expect(published(paths).rowCount('C', '1m')).toBe(5);
    expect(published(paths).quote('C')?.price).toBe(70.04);
    expect(['A', 'B'].map((name) => published(paths).rowCount(name, '1m'))).toEqual([0, 0]);
  });
});

describe('days that are removed', () => {
  it('leave the minutes and their quote', async () => {
    const paths = freshPaths();
    const files = [{ symbol: 'A', bars: minutes(MONDAY, 0, 20) }];
    await publishOf(paths, daySegment('A', [[TUESDAY, 90]]), minuteSegment(files));
    expect(published(paths).quote('A')?.price).toBe(90);
    await removeSeries(paths, 'A', '1d');
    await run(paths);
    const version = published(paths);
    expect([version.symbols, version.symbol('A')]).toEqual([['Z'], undefined]);
    expect(version.intraday('A', '1m')?.symbol).toBe('A');
    expect(version.quote('A')).toMatchObject({ price: 100.19, previousClose: null, rsi14: null });
  });
});

describe('status', () => {
  it('counts days and minutes apart', async () => {
    const paths = freshPaths();
    const files = [
      { symbol: 'A', bars: minutes(TUESDAY, 0, 20) },
      { symbol: 'B', bars: minutes(TUESDAY, 0, 390) },
    ];
    await publishOf(paths, daySegment('A', [[MONDAY, 90]]), minuteSegment(files));
    expect(readServingStatus(paths.serving)?.datasets).toEqual({
      candles: {
        symbols: 1,
        rows: { '1d': 1, '1w': 1, '1M': 1 },
        newestBarEnd: '2026-03-02T21:00:00.000Z',
        staleSymbols: 0,
      },
      intraday: {
        '1m': { symbols: 2, rows: 410, newestBarEnd: '2026-03-03T21:00:00.000Z' },
        '5m': { symbols: 0, rows: 0, newestBarEnd: null },
      },
    });
  });

  it('counts bars of other hours apart from regular ones', async () => {
    const paths = freshPaths();
    const other = (name: string, from: number, to: number) =>
      minuteSegment([{ symbol: name, bars: minutes(TUESDAY, from, to) }], {
        ...{ hours: 'extended', name },
      });
    await publishOf(paths, minuteSegment([{ symbol: 'A', bars: minutes(TUESDAY, 0, 20) }]));
    await loadAll(paths, other('A', -60, -50), other('B', 395, 398));
    await run(paths);
    expect(readServingStatus(paths.serving)?.datasets.intraday).toEqual({
      '1m': { symbols: 1, rows: 20, newestBarEnd: '2026-03-03T14:50:00.000Z', otherHours: 13 },
      '5m': { symbols: 0, rows: 0, newestBarEnd: null },
    });
  });
});

const dayAndMinutes = preparedStore(async (paths) => {
  const files = [{ symbol: 'A', bars: minutes(TUESDAY, 0, 20) }];
  await publishOf(paths, daySegment('A', [[MONDAY, 90]]), minuteSegment(files));
});

describe('a damaged intraday file', () => {
  it('fails the answers that read it and the next publish, and no daily answer', async () => {
    const paths = await dayAndMinutes();
    const [{ index }] = readManifest(paths.serving)!.intraday!.layers;
    const path = join(paths.serving, index.name);
    const bytes = readFileSync(path);
    bytes[index.bodyOffset] ^= 1;
    writeFileSync(path, bytes);
    const version = published(paths);
    expect(version.bars('A', '1d').close[0]).toBe(90);
    expect(version.quote('A')?.price).toBe(100.19);
    expect(() => version.bars('A', '1m')).toThrow(CorruptDataError);
    expect(() => version.intraday('A', '1m')).toThrow(CorruptDataError);
    expect(() => version.rowCount('A', '5m')).toThrow(CorruptDataError);
    await loadAll(paths, daySegment('B', [[MONDAY, 90]], { name: 'B' }));
    await expect(run(paths)).rejects.toThrow(/The published files in .* are damaged/);
  });

  // One lost month of minutes made every answer of the mode fail, daily ones too.
  it('that is missing fails as little', async () => {
    const paths = await dayAndMinutes();
    const [{ volumes }] = readManifest(paths.serving)!.intraday!.layers;
    rmSync(join(paths.serving, volumes[0].candles.name));
    const version = published(paths);
    expect(version.bars('A', '1d').close[0]).toBe(90);
    expect(() => version.bars('A', '1m')).toThrow(CorruptDataError);
    await loadAll(paths, daySegment('B', [[MONDAY, 90]], { name: 'B' }));
    await expect(run(paths)).rejects.toThrow(/The published files in .* are damaged/);
  });
});

describe('bars made from published minutes', () => {
  it('have the volume of their sessions, on a half day and over a change of clocks too', async () => {
    const paths = freshPaths();
    const bars = [
      ...minutes('2025-11-28', 0, 210),
      ...minutes('2026-03-06', 0, 390),
      ...minutes('2026-03-09', 0, 390),
    ];
    await publishOf(paths, minutesOf('A', bars));
    const total = bars.reduce((sum, [, , volume]) => sum + (volume ?? 0), 0);
    for (const interval of ['5m', '15m', '1h', '4h'] as const) {
      const { volume } = resampleIntraday(published(paths).bars('A', '1m'), interval);
      expect(volume.reduce((a, b) => a + b)).toBe(total);
    }
  });
});
