import { readdirSync, renameSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { publish } from '../../../jobs/publish/publish.ts';
import type { Split } from '../../../src/base/bars.ts';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';
import { limits } from '../../../src/base/limits.ts';
import { priceChange, priceChangePct } from '../../../src/base/prices/price-change.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { DAILY_INTERVALS } from '../../../src/base/time/intervals.ts';
import { adjustBars } from '../../../src/compute/bars/adjust.ts';
import { resampleDaily } from '../../../src/compute/bars/resample-daily.ts';
import { defaultColumns } from '../../../src/compute/indicators/catalogue.ts';
import { readManifest } from '../../../src/store/arrow/format/manifest.ts';
import { readServingStatus } from '../../../src/store/arrow/read/serving-status.ts';
import type { SymbolActions } from '../../../src/store/duckdb/connection/candle-segment.ts';
import {
  dateAfter,
  emptyPaths,
  freshPaths,
  NOW_MS,
  risingBars,
  segmentOf,
  type TestFile,
} from '../../store/duckdb/support/fixtures.ts';
import { long } from '../../support/store-runs.ts';
import { useLimits } from '../../support/use-limits.ts';
import { FOLD_EARLY } from '../support/fold-early.ts';
import { preparedStore } from '../support/prepared-store.ts';
import { expectAsFromScratch, loadAll, published, publishOf, run } from '../support/store.ts';

useLimits(limits.serving, FOLD_EARLY);

const COLUMNS = defaultColumns.map(({ name }) => name);

/** Every published row and fact, by symbol. */
function contentOf(paths: ModePaths) {
  const version = published(paths);
  return version.symbols.map((name) => ({
    info: version.symbol(name),
    quote: version.quote(name),
    series: DAILY_INTERVALS.map((interval) => ({
      bars: version.bars(name, interval),
      indicators: version.indicators(name, interval, COLUMNS),
    })),
  }));
}

const sixtyDays = preparedStore(async (paths) => {
  await publishOf(paths, segmentOf(universe('2025-12-01', 60)));
});

/** Closes that rise and fall, so that every indicator has something to say. */
function wave(date: string, count: number, base: number, phase = 0): TestFile['bars'] {
  return risingBars(date, count).map(([day, , volume], i) => [
    day,
    base + 10 * Math.sin((i + phase) / 3),
    volume,
  ]);
}

function universe(date: string, count: number, symbolCount = 30, phase = 0): TestFile[] {
  return Array.from({ length: symbolCount }, (_, i) => ({
    symbol: `S${String(i).padStart(2, '0')}`,
    bars: wave(date, count, 100 + i, phase),
  }));
}

function actionsOf(symbol: string, splits: Split[], from: string, to: string): SymbolActions {
  return {
    symbol,
    splits,
    dividends: [],
    coverageFromDay: dayFromDate(from),
    coverageToDay: dayFromDate(to),
  };
}

describe('the first publish', () => {
  it('shows candles, weeks, months and indicators of every symbol', async () => {
    const paths = freshPaths();
    await loadAll(paths, segmentOf(universe('2025-11-03', 100, 3)));
    const made = { version: 1, kind: 'base', symbols: 3, compacted: undefined };
    expect(await run(paths)).toEqual(made);
    const version = published(paths);
    expect(version.symbols).toEqual(['S00', 'S01', 'S02']);
    const bars = version.bars('S01', '1d');
    expect([...bars.close]).toEqual(wave('2025-11-03', 100, 101).map(([, close]) => close));
    expect(version.bars('S01', '1w')).toEqual(resampleDaily(bars, '1w'));
    expect(version.bars('S01', '1M')).toEqual(resampleDaily(bars, '1M'));
    for (const interval of DAILY_INTERVALS) {
      const bars = version.bars('S01', interval);
      for (const { name, spec, params, output } of defaultColumns) {
        const [column] = version.indicators('S01', interval, [name]);
        expect(column, `${name} ${interval}`).toEqual(spec.compute(bars, params)[output]);
      }
    }
  });

  it('writes nothing where nothing was ever loaded', async () => {
    const paths = emptyPaths();
    const nothing = { version: 0, kind: 'none', symbols: 0, compacted: undefined };
    expect(await run(paths)).toEqual(nothing);
    await loadAll(paths);
    expect(await run(paths)).toEqual(nothing);
    expect(readManifest(paths.serving)).toBeUndefined();
  });

  it('reports freshness', async () => {
    const paths = freshPaths();
    const late = { symbol: 'LATE', bars: wave('2026-05-01', 27, 9) };
    await publishOf(paths, segmentOf([...universe('2026-05-01', 29, 2), late]));
    expect(readServingStatus(paths.serving)).toEqual({
      snapshotId: published(paths).id,
      version: 1,
      publishedAt: '2026-07-01T12:00:00.000Z',
      datasets: {
        candles: {
          symbols: 3,
          rows: { '1d': 85, '1w': 15, '1M': 3 },
          newestBarEnd: '2026-05-29T20:00:00.000Z',
          staleSymbols: 1,
        },
      },
    });
  });
});

describe('a later publish', () => {
  it('with nothing pending changes no file', async () => {
    const paths = freshPaths();
    await publishOf(paths, segmentOf(universe('2026-01-05', 30, 3)));
    const files = readdirSync(paths.serving);
    expect(await run(paths)).toMatchObject({ version: 1, kind: 'none' });
    await loadAll(paths, segmentOf(universe('2026-01-05', 30, 3)));
    expect(await run(paths)).toMatchObject({ version: 1, kind: 'none' });
    expect(readdirSync(paths.serving)).toEqual(files);
  });

  it('of new bars adds slices, and of a changed past patches that symbol only', async () => {
    const paths = await sixtyDays();
    const roles = () =>
      readManifest(paths.serving)!.layers.map(({ volumes }) => volumes.map(({ role }) => role));
    for (const count of [61, 70]) {
      await loadAll(paths, segmentOf(universe('2025-12-01', count)));
      expect(await run(paths)).toMatchObject({ kind: 'layer', symbols: 30 });
    }
    expect(roles().slice(1)).toEqual([['slices'], ['slices']]);
    const corrected = [{ symbol: 'S03', bars: wave('2025-11-20', 71, 50) }];
    await loadAll(paths, segmentOf(corrected, { asOf: '2026-06-01' }));
    expect(await run(paths)).toMatchObject({ kind: 'layer', symbols: 1, compacted: undefined });
    expect(roles().at(-1)).toEqual(['patches']);
    await expectAsFromScratch(paths, contentOf);
    // A new symbol is shown next to the others.
    await loadAll(paths, segmentOf([{ symbol: 'AAA', bars: wave('2026-01-05', 40, 7) }]));
    expect(await run(paths)).toMatchObject({ kind: 'layer', symbols: 1 });
    expect(published(paths).symbols[0]).toBe('AAA');
    await expectAsFromScratch(paths, contentOf);
  });

  long('of many changed symbols writes the base again', async () => {
    const paths = await sixtyDays();
    const vintage = universe('2025-12-01', 60, 20, 1);
    await loadAll(paths, segmentOf(vintage, { asOf: '2026-06-01' }));
    await loadAll(paths, segmentOf(universe('2025-12-01', 61).slice(20), { asOf: '2026-06-01' }));
    expect(await run(paths)).toMatchObject({ kind: 'base', symbols: 30 });
    expect(readManifest(paths.serving)!.layers).toHaveLength(1);
    await expectAsFromScratch(paths, contentOf);
  });

  long('of more new bars than a slice takes makes a patch', async () => {
    const paths = freshPaths();
    await publishOf(paths, segmentOf(universe('2025-01-01', 160)));
    const longer = [
      { symbol: 'S05', bars: wave('2025-01-01', 161 + limits.serving.deltaRowsMax, 105) },
    ];
    await publishOf(paths, segmentOf(longer));
    const [, layer] = readManifest(paths.serving)!.layers;
    expect(layer.volumes.map(({ role }) => role)).toEqual(['patches']);
    await expectAsFromScratch(paths, contentOf);
  });

  long('folds after enough slices, and over the turn of a year', async () => {
    const paths = freshPaths();
    await loadAll(paths, segmentOf(universe('2025-11-13', 50, 2)));
    await run(paths, Date.parse('2025-12-29T12:00:00Z'));
    const folds: string[] = [];
    for (let day = 1; day <= 5; day++) {
      await loadAll(paths, segmentOf(universe('2025-11-13', 50 + day, 2)));
      const nowMs = Date.parse(`${dateAfter('2025-12-29', day)}T12:00:00Z`);
      const { compacted, version } = await run(paths, nowMs);
      if (compacted) folds.push(`${day} ${compacted} ${version}`);
    }
    expect(folds).toEqual(['4 all 6']);
    expect(readManifest(paths.serving)!.layers).toHaveLength(2);
    await expectAsFromScratch(paths, contentOf);
  });

  it('starts from scratch when the market store is another one', async () => {
    const paths = freshPaths();
    await publishOf(paths, segmentOf(universe('2025-12-01', 60, 3)));
    const other = freshPaths();
    await loadAll(other, segmentOf(universe('2026-01-12', 20, 2)));
    renameSync(other.market, paths.market);
    expect(await run(paths)).toMatchObject({ kind: 'base', symbols: 2, version: 2 });
    expect(published(paths).symbols).toEqual(['S00', 'S01']);
    await expectAsFromScratch(paths, contentOf);
  });

  long('that is stopped leaves the published version, and the next one does its work', async () => {
    const paths = await sixtyDays();
    const before = contentOf(paths);
    await loadAll(paths, segmentOf(universe('2025-12-01', 61)));
    const stop = new AbortController();
    const stopped = publish(paths, {
      verb: 'test',
      nowMs: NOW_MS,
      signal: stop.signal,
      onProgress: (_step, done) => done > 5 && stop.abort(),
    });
    await expect(stopped).rejects.toThrow('aborted');
    expect(contentOf(paths)).toEqual(before);
    expect(await run(paths)).toMatchObject({ version: 2, kind: 'layer', symbols: 30 });
    await expectAsFromScratch(paths, contentOf);
  });
});

describe('raw candles', () => {
  const split = { exDay: dayFromDate('2026-02-10'), numerator: 4, denominator: 1 };
  const known = (splits: Split[], to: string) => ({
    basis: 'raw' as const,
    actions: [actionsOf('RAW', splits, '2020-01-01', to)],
  });

  it('stay raw by day; weeks, months and indicators are split-adjusted', async () => {
    const paths = freshPaths();
    const file = { symbol: 'RAW', bars: wave('2026-01-05', 60, 400) };
    await publishOf(paths, segmentOf([file], known([split], '2026-06-30')));
    const version = published(paths);
    const info = version.symbol('RAW')!;
    const bars = version.bars('RAW', '1d');
    expect(bars.close[0]).toBe(400);
    const adjusted = adjustBars(bars, info, 'split');
    expect(adjusted.close[0]).toBe(100);
    expect(version.bars('RAW', '1w')).toEqual(resampleDaily(adjusted, '1w'));
    const rsi = defaultColumns.find(({ name }) => name === 'rsi')!;
    const { rsi: expected } = rsi.spec.compute(adjusted, rsi.params);
    expect(version.indicators('RAW', '1d', ['rsi'])[0]).toEqual(expected);
  });

  it('with a new split get other weeks and indicators, days as before and a quote on its basis', async () => {
    const paths = freshPaths();
    const others = universe('2026-01-05', 36);
    const bars = wave('2026-01-05', 37, 400);
    await loadAll(paths, segmentOf(others));
    await publishOf(
      paths,
      segmentOf([{ symbol: 'RAW', bars: bars.slice(0, 36) }], known([], '2026-02-09')),
    );
    expect(published(paths).bars('RAW', '1w').close[0]).toBeGreaterThan(390);
    const afterSplit = { symbol: 'RAW', bars: [[bars[36][0], 99] as [string, number]] };
    await loadAll(paths, segmentOf([afterSplit], known([split], '2026-02-10')));
    expect(await run(paths)).toMatchObject({ kind: 'layer', symbols: 1 });
    const version = published(paths);
    expect(version.bars('RAW', '1d').close[35]).toBe(bars[35][1]);
    expect(version.bars('RAW', '1w').close[0]).toBeLessThan(105);
    const previousClose = bars[35][1] / 4;
    expect(version.quote('RAW')).toMatchObject({
      price: 99,
      previousClose,
      change: priceChange(99, previousClose),
      changePct: priceChangePct(priceChange(99, previousClose), previousClose),
      timestampMs: Date.parse('2026-02-10T21:00:00Z'),
    });
    await expectAsFromScratch(paths, contentOf);
  });

  long('with an old split go on with the bits of a full publish', async () => {
    const paths = freshPaths();
    const bars = wave('2026-01-05', 60, 400);
    const file = (count: number) => [{ symbol: 'RAW', bars: bars.slice(0, count) }];
    await loadAll(paths, segmentOf(universe('2026-01-05', 50)));
    await publishOf(paths, segmentOf(file(50), known([split], '2026-06-30')));
    for (const count of [51, 60]) {
      await loadAll(paths, segmentOf(file(count), { basis: 'raw' }));
      expect(await run(paths)).toMatchObject({ kind: 'layer', symbols: 1 });
      const [, ...layers] = readManifest(paths.serving)!.layers;
      expect(layers.at(-1)?.volumes.map(({ role }) => role)).toEqual(['slices']);
    }
    await expectAsFromScratch(paths, contentOf);
  });

  long('with a split announced ahead change when its day comes', async () => {
    const paths = freshPaths();
    const bars = wave('2026-01-05', 37, 400);
    const file = (count: number) => [{ symbol: 'RAW', bars: bars.slice(0, count) }];
    await loadAll(paths, segmentOf(universe('2026-01-05', 36)));
    await publishOf(
      paths,
      segmentOf(file(35), { ...known([split], '2026-06-30'), asOf: '2026-02-08' }),
    );
    expect(published(paths).bars('RAW', '1w').close[0]).toBeGreaterThan(390);
    await publishOf(paths, segmentOf(file(37), { basis: 'raw', asOf: '2026-02-10' }));
    expect(published(paths).bars('RAW', '1w').close[0]).toBeLessThan(105);
    await expectAsFromScratch(paths, contentOf);
  });
});
