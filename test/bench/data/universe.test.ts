/** Bars that a bench runs over. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { loadUniverse, syntheticUniverse } from '../../../bench/command/data/universe.ts';
import { type BarColumns, MICROS_PER_DAY } from '../../../src/base/bars.ts';
import { sessionsBetween } from '../../../src/base/time/calendar.ts';

const folder = mkdtempSync(join(tmpdir(), 'tapeworks-'));
afterAll(() => rmSync(folder, { recursive: true }));

const options = { symbols: undefined, bars: undefined, defaults: { symbols: 2, bars: 7 } };

function writeArrow(name: string, columns: Record<string, Float64Array | string[]>): string {
  const path = join(folder, name);
  writeFileSync(path, tableToIPC(tableFromArrays(columns), 'file'));
  return path;
}

const column = (...values: number[]) => Float64Array.from(values);

const daysOf = ({ timestampUs }: BarColumns) =>
  Array.from(timestampUs, (us) => Number(us / MICROS_PER_DAY));

describe('synthetic bars', () => {
  it('are the same on every run, and named as synthetic', async () => {
    const universe = await loadUniverse({ ...options, symbols: 3, isEven: true });
    expect(universe.bars).toEqual(syntheticUniverse(3, 7).bars);
    expect(universe.description).toBe('synthetic daily bars (random walks): 21 bars of 3 symbols');
    expect(universe.isSynthetic).toBe(true);
  });
});

it('synthetic bars are of sessions, as a load refuses rows of other days', () => {
  const days = daysOf(syntheticUniverse(1, 3000).bars[0]);
  expect(days).toEqual([...sessionsBetween(days[0], days[2999])]);
});

it('synthetic bars have the lengths of a market by default', async () => {
  const size = { symbols: 1000, bars: 500 };
  const { bars, description } = await loadUniverse({ ...options, ...size });
  const lengths = bars.map(({ close }) => close.length);
  expect(lengths.filter((length) => length === 500).length).toBeGreaterThan(400);
  expect(lengths.filter((length) => length < 14).length).toBeGreaterThan(5);
  expect(Math.min(...lengths)).toBeGreaterThan(0);
  // Every tenth symbol lacks days.
  const missingOf = (place: number) => {
    const days = daysOf(bars[place]);
    return sessionsBetween(days[0], days[days.length - 1]).length - days.length;
  };
  const halted = lengths.findIndex((length, place) => place % 10 === 9 && length > 100);
  expect(missingOf(halted)).toBeGreaterThan(0);
  expect(missingOf(halted - 1)).toBe(0);
  expect(description).toMatch(
    /young and halted symbols among them\): [\d,]+ bars of 1,000 symbols/,
  );
});

describe('an Arrow file', () => {
  const prices = {
    open: column(1, 2, 3, 4, 5),
    high: column(2, 3, 4, 5, 6),
    low: column(1, 1, 1, 1, 1),
    close: column(1.5, 2.5, 3.5, 4.5, 5.5),
    volume: column(10, 20, 30, 40, 50),
  };

  it('has series by symbol, of which the newest bars are taken', async () => {
    const data = writeArrow('two.arrow', { symbol: ['B', 'A', 'B', 'A', 'B'], ...prices });
    const universe = await loadUniverse({ ...options, data, bars: 2 });
    expect(universe.symbols).toEqual(['B', 'A']);
    expect(universe.bars.map(({ close }) => Array.from(close))).toEqual([
      [3.5, 5.5],
      [2.5, 4.5],
    ]);
    expect(universe.isSynthetic).toBe(false);
  });

  it('is one series without symbols', async () => {
    const universe = await loadUniverse({ ...options, data: writeArrow('one.arrow', prices) });
    expect(universe.bars.map(({ volume }) => Array.from(volume))).toEqual([[10, 20, 30, 40, 50]]);
  });

  it('leaves out series with gaps', async () => {
    const gap = { ...prices, close: column(1, Number.NaN, 3, 4, 5) };
    const data = writeArrow('gap.arrow', { symbol: ['B', 'A', 'B', 'A', 'B'], ...gap });
    expect((await loadUniverse({ ...options, data })).symbols).toEqual(['B']);
    const only = writeArrow('only.arrow', gap);
    await expect(loadUniverse({ ...options, data: only })).rejects.toThrow(
      'has no series without gaps',
    );
  });

  it('is refused without a column, or if it is none', async () => {
    const { volume: _, ...rest } = prices;
    const data = writeArrow('less.arrow', rest);
    await expect(loadUniverse({ ...options, data })).rejects.toThrow('has no column "volume"');
    const other = join(folder, 'other.arrow');
    writeFileSync(other, 'close\n1\n');
    await expect(loadUniverse({ ...options, data: other })).rejects.toThrow(
      'must be an Arrow IPC file or stream without compression',
    );
  });
});
