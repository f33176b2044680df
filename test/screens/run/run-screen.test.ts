/** Values of screens have the bits of the indicators of `/svc/technical`. */

import { beforeAll, describe, expect, it } from 'vitest';
import { DAILY_INTERVALS, type DailyInterval } from '../../../src/base/time/intervals.ts';
import { defaultBasis } from '../../../src/compute/bars/adjust.ts';
import { bar, type Column, mean } from '../../../src/compute/columns/column.ts';
import { defaultParams, indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import { dailyOnBasis } from '../../../src/screens/run/bars-on-basis.ts';
import { ScreenMemory } from '../../../src/screens/run/screen-memory.ts';
import type { Snapshot } from '../../../src/store/arrow/snapshot/snapshot.ts';
import { sharedFolder } from '../../support/folders.ts';
import { long, someOf } from '../../support/store-runs.ts';
import { published, runAll, screenMarket } from './market.ts';

const folder = sharedFolder();
let snapshot: Snapshot;

beforeAll(async () => {
  snapshot = await published(folder, screenMarket());
});

const MEMORY_BYTES = 64 * 1024 * 1024;

/** Columns of every entry of the catalogue, with other parameters where it has a period. */
const columns: readonly Column[] = indicatorCatalogue.flatMap((spec) => {
  const params = defaultParams(spec);
  const other = 'period' in params ? spec.expressions({ ...params, period: 37 }) : [];
  return [...spec.expressions(params), ...other];
});

/** Newest value of each column and symbol, by running the indicator over the whole series. */
function expected(interval: DailyInterval): number[][] {
  const bars = snapshot.symbols.map((symbol) => {
    const info = snapshot.symbol(symbol)!;
    return dailyOnBasis(snapshot, info, interval, defaultBasis(info));
  });
  return indicatorCatalogue.flatMap((spec) => {
    const params = defaultParams(spec);
    const all = [params, ...('period' in params ? [{ ...params, period: 37 }] : [])];
    return all.flatMap((one) => {
      const bySymbol = bars.map((of) => spec.compute(of, one));
      return spec.outputs.map((output) => bySymbol.map((out) => out[output].at(-1)!));
    });
  });
}

const plan = (interval: DailyInterval, some: readonly Column[] = columns) => [
  { interval, columns: some },
];

const lists = (values: readonly Float64Array[]) => values.map((column) => [...column]);

describe.each(DAILY_INTERVALS)('values of %s bars', (interval) => {
  it('are those of whole series, for every entry of the catalogue', () => {
    const memory = new ScreenMemory(MEMORY_BYTES);
    const values = runAll(snapshot, plan(interval), memory);
    expect(lists(values[0])).toEqual(expected(interval));
  });

  long('are the same from memory, without memory, and one column at a time', () => {
    const memory = new ScreenMemory(MEMORY_BYTES);
    const first = runAll(snapshot, plan(interval), memory);
    expect(runAll(snapshot, plan(interval), memory)).toEqual(first);
    expect(runAll(snapshot, plan(interval), new ScreenMemory(0))).toEqual(first);
    const single = columns.map((column) => {
      return runAll(snapshot, plan(interval, [column]), memory)[0][0];
    });
    expect(single).toEqual(first[0]);
  });

  it('are the same from states, of windows too', () => {
    const memory = new ScreenMemory(MEMORY_BYTES);
    const first = runAll(snapshot, plan(interval), memory);
    const before = memory.bytes;
    for (const _ of ['which are made by the second run', 'and kept for the third']) {
      memory.dropValues();
      expect(runAll(snapshot, plan(interval), memory)).toEqual(first);
    }
    expect(memory.bytes).toBeGreaterThan(before);
  });
});

it('has no value for a symbol without bars', () => {
  const memory = new ScreenMemory(MEMORY_BYTES);
  const series = ['S03', 'NONE', 'S00'];
  const values = runAll(snapshot, plan('1d', [bar.close, mean(bar.close, 7)]), memory, {
    series,
  });
  const close = snapshot.bars('S00', '1d').close.at(-1)!;
  expect(values[0][0][1]).toBeNaN();
  expect(values[0][0][2]).toBe(close);
  expect(values[0][1][2]).toBeNaN();
});

it('keeps at most the bytes that it is given', () => {
  for (const bytes of [0, 1000, 50_000, 400_000]) {
    const memory = new ScreenMemory(bytes);
    for (const column of someOf(columns, 4)) runAll(snapshot, plan('1d', [column]), memory);
    expect(memory.bytes).toBeLessThanOrEqual(bytes);
  }
});
