/** Rows, states and values that screens keep count in a later version as far as bars are the same. */

import { expect, it } from 'vitest';
import { barRows } from '../../../src/base/bars.ts';
import { DAILY_INTERVALS, type DailyInterval } from '../../../src/base/time/intervals.ts';
import { adjustBars, defaultBasis } from '../../../src/compute/bars/adjust.ts';
import { resampleDaily } from '../../../src/compute/bars/resample-daily.ts';
import {
  defaultColumns,
  defaultParams,
  indicatorCatalogue,
} from '../../../src/compute/indicators/catalogue.ts';
import { ScreenMemory } from '../../../src/screens/run/screen-memory.ts';
import type { PublishedVersion } from '../../../src/store/arrow/read/published-version.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import { Publication } from '../../../src/store/arrow/write/publication.ts';
import {
  type FixtureSymbol,
  indicatorColumns,
  infoOf,
  LAST_DAY,
  NOW_MS,
  publishMarket,
  quoteOf,
} from '../../api/support/market-fixture.ts';
import { freshFolder } from '../../support/folders.ts';
import { someOf } from '../../support/store-runs.ts';
import { marketUpTo, runAll, screenMarket } from './market.ts';
import { finished } from './support/finished.ts';

const columns = indicatorCatalogue.flatMap((spec) => spec.expressions(defaultParams(spec)));
const bars = DAILY_INTERVALS.map((interval) => ({ interval, columns }));

/** Bars of an interval as they are stored, with published columns. */
function storedRows(symbol: FixtureSymbol, interval: DailyInterval) {
  const info = infoOf(symbol);
  const adjusted = adjustBars(symbol.bars, info, defaultBasis(info));
  const onDefault = interval === '1d' ? adjusted : resampleDaily(adjusted, interval);
  const stored = interval === '1d' ? symbol.bars : onDefault;
  return { firstRow: 0, bars: stored, indicators: indicatorColumns(onDefault) };
}

/**
 * Publishes the market of a later day: whole series where a split or a correction changed them, else
 * the rows from the newest one of before on, which may have run then.
 */
async function publishNext(
  folder: string,
  before: readonly FixtureSymbol[],
  after: readonly FixtureSymbol[],
): Promise<void> {
  const publication = new Publication(folder, {
    indicatorColumns: defaultColumns.map(({ name }) => name),
  });
  for (const [number, symbol] of after.entries()) {
    const old = before[number];
    const isChanged = old.splits.length < symbol.splits.length || symbol.symbol === CORRECTED;
    for (const interval of DAILY_INTERVALS) {
      const rows = storedRows(symbol, interval);
      const firstRow = storedRows(old, interval).bars.close.length - 1;
      if (isChanged) publication.layer.addBatch(number, interval, 'patches', rows);
      else {
        publication.layer.addToSlice(number, interval, {
          firstRow,
          bars: barRows(rows.bars, firstRow),
          indicators: rows.indicators.map((column) => column.subarray(firstRow)),
        });
      }
    }
  }
  await publication.commit({
    seq: 2,
    storeMark: 'next',
    createdMs: NOW_MS + 1,
    replacesLayers: false,
    currentYear: 2026,
    symbols: after.map(infoOf),
    quotes: after.map(quoteOf),
  });
}

const CORRECTED = 'S10';
const SPLIT_LATER = 'S12';

/** The market at its end: one symbol has split since, one has another close in its history. */
function laterMarket(): FixtureSymbol[] {
  return screenMarket().map((symbol) => {
    const close = symbol.bars.close.slice();
    if (symbol.symbol === CORRECTED) close[30] *= 1.5;
    const split = { exDay: LAST_DAY - 3, numerator: 3, denominator: 1 };
    const splits = symbol.symbol === SPLIT_LATER ? [...symbol.splits, split] : symbol.splits;
    return { ...symbol, splits, bars: { ...symbol.bars, close } };
  });
}

const open = (folder: string, before?: PublishedVersion) =>
  openPublished(folder, before) as PublishedVersion;

it.each(
  someOf(
    [
      ['all columns in memory', 1e8],
      ['little memory', 200_000],
      ['states alone', 60_000],
    ],
    3,
  ),
)('a later version has the values of one without a past, with %s', async (_, bytes) => {
  const folder = freshFolder();
  const before = marketUpTo(screenMarket(), LAST_DAY - 8);
  const names = before.map(({ symbol }) => symbol);
  const after = laterMarket().filter(({ symbol }) => names.includes(symbol));
  await publishMarket(folder, before);
  const first = open(folder);
  const memory = new ScreenMemory(bytes);
  const old = runAll(first, bars, memory);
  // The second run keeps states of windows.
  memory.dropValues();
  expect(runAll(first, bars, memory)).toEqual(old);
  await publishNext(folder, before, after);
  const next = open(folder, first);
  const seen = runAll(next, bars, memory);
  expect(seen).toEqual(runAll(next, bars, new ScreenMemory(1e8)));
  expect(seen).not.toEqual(old);
  // The older version is still screened by walks that began in it.
  expect(runAll(first, bars, memory)).toEqual(old);
});

it('takes states over only where the history is the same', async () => {
  const folder = freshFolder();
  const before = marketUpTo(screenMarket(), LAST_DAY - 8);
  const names = before.map(({ symbol }) => symbol);
  const after = laterMarket().filter(({ symbol }) => names.includes(symbol));
  await publishMarket(folder, before);
  const first = open(folder);
  const memory = new ScreenMemory(1e8);
  const series = finished(memory.series(first, '1d'));
  await publishNext(folder, before, after);
  const next = finished(new ScreenMemory(1e8).series(open(folder, first), '1d'));
  const common = finished(next.commonRows(series.index));
  const changed = names.filter((_, number) => common.ends[number] === 0);
  expect(changed).toEqual([CORRECTED, SPLIT_LATER]);
  for (const [number, name] of names.entries()) {
    if (changed.includes(name)) continue;
    expect([name, common.ends[number]]).toEqual([name, series.ends[number] - 1]);
  }
});
