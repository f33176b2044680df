import { describe, expect, it } from 'vitest';
import type { BarColumns } from '../../src/base/bars.ts';
import { sessionsBetween } from '../../src/base/time/calendar.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import { adjustBars } from '../../src/compute/bars/adjust.ts';
import { sandboxBars } from '../../src/sandbox/prices.ts';
import { sandboxUniverse } from '../../src/sandbox/universe.ts';
import { FROM_DAY as fromDay, TO_DAY as toDay } from './market.ts';

const universe = sandboxUniverse({ fromDay, toDay });
const all = universe.map((security) => sandboxBars(security, fromDay, toDay));
const bySymbol = (symbol: string) => universe.findIndex((security) => security.symbol === symbol);

/** Every value of a column, over all securities. */
const every = (column: Exclude<keyof BarColumns, 'timestampUs'>) =>
  all.flatMap((bars) => [...bars[column]]);

function returnsOf({ close }: BarColumns): number[] {
  return Array.from(close.subarray(1), (price, i) => price / close[i] - 1);
}

function correlation(a: number[], b: number[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  const covariance = mean(a.map((value, i) => (value - meanA) * (b[i] - meanB)));
  const spread = (values: number[], middle: number) =>
    Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
  return covariance / (spread(a, meanA) * spread(b, meanB));
}

describe('sandboxBars', () => {
  it('is the same bar whatever days are requested', () => {
    for (const index of [0, 6, 7, 300, 560]) {
      const whole = all[index];
      const part = sandboxBars(universe[index], toDay - 400, toDay - 100);
      const start = whole.timestampUs.indexOf(part.timestampUs[0]);
      expect(start).toBeGreaterThan(0);
      for (const column of ['open', 'high', 'low', 'close', 'volume'] as const) {
        expect(part[column]).toEqual(whole[column].slice(start, start + part.close.length));
      }
    }
  });

  it('is the same bar in a universe of other days', () => {
    const other = sandboxUniverse({ fromDay: toDay - 3, toDay: toDay + 300, stocks: 900 });
    const twin = other.find(({ symbol }) => symbol === universe[40].symbol)!;
    expect(sandboxBars(twin, toDay - 30, toDay)).toEqual(
      sandboxBars(universe[40], toDay - 30, toDay),
    );
  });

  it('is pinned: other bars would not continue a stored sandbox', () => {
    const { open, high, low, close, volume } = sandboxBars(universe[0], toDay, toDay);
    expect([universe[0].symbol, open[0], high[0], low[0], close[0], volume[0]]).toEqual([
      'QXAA',
      143.59,
      146.92,
      143.03,
      145.1,
      11_329,
    ]);
  });

  it('has a bar for each session between listing and delisting', () => {
    universe.forEach(({ firstDay, lastDay }, i) => {
      const sessions = sessionsBetween(Math.max(firstDay, fromDay), Math.min(lastDay, toDay));
      expect(all[i].close.length).toBe(sessions.length);
      expect(all[i].timestampUs[0]).toBe(BigInt(sessions[0]) * 86_400_000_000n);
    });
    expect(
      sandboxBars(universe[0], dayFromDate('2026-11-21'), dayFromDate('2026-11-22')).close.length,
    ).toBe(0);
  });

  it('keeps low ≤ open, close ≤ high, prices in cents, volumes whole and positive', () => {
    for (const { open, high, low, close, volume } of all) {
      for (let i = 0; i < close.length; i++) {
        const ok =
          low[i] > 0 &&
          low[i] <= Math.min(open[i], close[i]) &&
          high[i] >= Math.max(open[i], close[i]) &&
          Number.isInteger(volume[i]) &&
          volume[i] > 0;
        if (!ok) expect.fail(`row ${i}: ${[open[i], high[i], low[i], close[i], volume[i]]}`);
      }
    }
    const scaled = every('close').map((price) => (price >= 1 ? price * 100 : price * 10_000));
    expect(scaled.filter((ticks) => Math.abs(ticks - Math.round(ticks)) > 1e-6)).toEqual([]);
  });

  it('costs from pennies to four digits', () => {
    const closes = every('close');
    const lowest = closes.reduce((a, b) => Math.min(a, b));
    const highest = closes.reduce((a, b) => Math.max(a, b));
    expect(lowest).toBeLessThan(0.2);
    expect(highest).toBeGreaterThan(1000);
    expect(highest).toBeLessThan(10_000);
  });

  it('jumps by the ratio on the ex-date of a split, and by no more once adjusted', () => {
    let seen = 0;
    universe.forEach(({ splits }, i) => {
      const adjusted = adjustBars(all[i], { basis: 'raw', splits, dividends: [] }, 'split');
      for (const { exDay, numerator, denominator } of splits) {
        const row = all[i].timestampUs.indexOf(BigInt(exDay) * 86_400_000_000n);
        if (row < 1) continue;
        const move = adjusted.close[row] / adjusted.close[row - 1];
        const rawMove = all[i].close[row] / all[i].close[row - 1];
        expect(Math.abs(move - 1)).toBeLessThan(0.3);
        expect(rawMove).toBeCloseTo((move * denominator) / numerator, 6);
        seen++;
      }
    });
    expect(seen).toBeGreaterThan(100);
  });

  it('moves with the market, two classes of a company almost alike', () => {
    const funds = universe.flatMap(({ type }, i) => (type === 'etf' ? [i] : []));
    const [one, two] = funds.filter((i) => universe[i].path.beta > 0.8);
    expect(correlation(returnsOf(all[one]), returnsOf(all[two]))).toBeGreaterThan(0.7);
    const first = universe.findIndex(({ symbol }) => symbol.endsWith('.A'));
    const second = bySymbol(universe[first].symbol.replace('.A', '.B'));
    expect(correlation(returnsOf(all[first]), returnsOf(all[second]))).toBeGreaterThan(0.99);
    expect(all[first].high).not.toEqual(all[second].high);
  });
});
