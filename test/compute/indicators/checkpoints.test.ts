import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BarColumns,
  barRows,
  blankBars,
  joinedBars,
  microsFromMillis,
} from '../../../src/base/bars.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { DAILY_INTERVALS, type DailyInterval } from '../../../src/base/time/intervals.ts';
import { resampleDaily } from '../../../src/compute/bars/resample-daily.ts';
import { defaultColumns } from '../../../src/compute/indicators/catalogue.ts';
import { CHECKPOINT_FIELDS, Checkpoints } from '../../../src/compute/indicators/checkpoints.ts';
import { scaled } from '../../faults/scale.ts';
import { randomWalk } from '../support/hostile-series.ts';

const MONDAY = dayFromDate('2026-03-02');
const MILLIS_PER_DAY = 86_400_000;

/** One bar a day from a day on, without those that `isMissing`. */
function daysOf(count: number, seed: number, isMissing: (day: number) => boolean): BarColumns {
  const days = Array.from({ length: count }, (_, i) => MONDAY + i).filter((d) => !isMissing(d));
  const close = randomWalk(days.length, seed);
  return {
    timestampUs: microsFromMillis(days.map((day) => day * MILLIS_PER_DAY)),
    open: close.map((value) => value * 0.99),
    high: close.map((value) => value * 1.02),
    low: close.map((value) => value * 0.98),
    close,
    volume: close.map((value) => Math.floor(value * 100) / 7),
  };
}

function seriesOf(bars: BarColumns) {
  return { '1d': bars, '1w': resampleDaily(bars, '1w'), '1M': resampleDaily(bars, '1M') };
}

function columnsFor({ close }: BarColumns): Float64Array[] {
  return defaultColumns.map(() => new Float64Array(close.length));
}

/** Checkpoints of whole series; a symbol without bars has none. */
function derived(series: readonly BarColumns[]): Checkpoints {
  const checkpoints = new Checkpoints(new Float64Array(series.length * CHECKPOINT_FIELDS));
  series.forEach((bars, symbol) => {
    if (bars.close.length === 0) return;
    const whole = seriesOf(bars);
    const columns = {
      '1d': columnsFor(whole['1d']),
      '1w': columnsFor(whole['1w']),
      '1M': columnsFor(whole['1M']),
    };
    checkpoints.derive(symbol, whole, columns);
    for (const interval of DAILY_INTERVALS) {
      expect(columns[interval]).toEqual(expectedRows(bars, interval, 0).indicators);
    }
  });
  return checkpoints;
}

/** Copies all bars. */
const joined = (parts: readonly BarColumns[]) => parts.reduce(joinedBars, blankBars(0));

/** The rows after each split, as one call takes them. */
function newDays(series: readonly BarColumns[], splits: readonly number[]) {
  const parts = series.map((bars, symbol) => barRows(bars, splits[symbol]));
  const symbols = parts.flatMap(({ close }, symbol) => Array(close.length).fill(symbol));
  return { symbols: Int32Array.from(symbols), bars: joined(parts) };
}

function expectedRows(bars: BarColumns, interval: DailyInterval, firstRow: number) {
  const whole = interval === '1d' ? bars : resampleDaily(bars, interval);
  const indicators = defaultColumns.map(({ spec, params, output }) =>
    spec.compute(whole, params)[output].slice(firstRow),
  );
  return { bars: joined([barRows(whole, firstRow)]), indicators };
}

describe('Checkpoints', () => {
  it('gives the rows that deriving everything gives, over weeks, months and missing days', () => {
    const length = fc.integer({ min: 3, max: 400 });
    const gap = fc.integer({ min: 2, max: 9 });
    const one = fc.record({ length, gap, added: fc.integer({ min: 1, max: 60 }) });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 4 }), (specs) => {
        const series = specs.map((spec, seed) =>
          daysOf(spec.length + spec.added, seed + 1, (day) => day % spec.gap === 1),
        );
        const splits = series.map(({ close }, i) => Math.max(1, close.length - specs[i].added));
        const checkpoints = derived(series.map((bars, i) => barRows(bars, 0, splits[i])));
        const rows = checkpoints.advance(newDays(series, splits));
        for (const interval of DAILY_INTERVALS) {
          const { symbols, starts, firstRows, bars, indicators } = rows[interval];
          symbols.forEach((symbol, i) => {
            const [start, end] = [starts[i], starts[i + 1] ?? bars.close.length];
            const expected = expectedRows(series[symbol], interval, firstRows[i]);
            expect(joined([barRows(bars, start, end)])).toEqual(expected.bars);
            expect(indicators.map((column) => column.slice(start, end))).toEqual(
              expected.indicators,
            );
          });
        }
        expect(checkpoints.rows).toEqual(derived(series).rows);
      }),
      { seed: 17, numRuns: scaled(20, 60) },
    );
  });

  it('comes to the same rows by replaying, in as many steps as there were', () => {
    const series = [daysOf(300, 1, () => false), daysOf(280, 2, (day) => day % 5 === 0)];
    const checkpoints = derived(series.map((bars) => barRows(bars, 0, 100)));
    for (let row = 100; row < 200; row += 25) {
      const upTo = series.map((bars) => barRows(bars, 0, row + 25));
      checkpoints.replay([newDays(upTo, [row, row])]);
    }
    expect(checkpoints.rows).toEqual(derived(series.map((bars) => barRows(bars, 0, 200))).rows);
  });

  it('knows first and last bar, counts and last close', () => {
    const bars = daysOf(40, 3, () => false);
    const checkpoints = derived([daysOf(0, 1, () => false), bars]);
    expect(DAILY_INTERVALS.map((interval) => checkpoints.rowCount(1, interval))).toEqual([
      40, 6, 2,
    ]);
    expect(checkpoints.firstBarMs(1)).toBe(MONDAY * MILLIS_PER_DAY);
    expect(checkpoints.lastBarMs(1)).toBe((MONDAY + 39) * MILLIS_PER_DAY);
    expect(checkpoints.lastClose(1)).toBe(bars.close[39]);
    expect(checkpoints.rowCount(0, '1d')).toBe(0);
    expect(checkpoints.rowCount(2, '1d')).toBe(0);
  });

  it('previews the RSI of one more close, and stays as it is', () => {
    for (const count of [0, 1, 13, 14, 15, 200]) {
      const bars = daysOf(count + 1, 5, () => false);
      const checkpoints = derived([barRows(bars, 0, count)]);
      const before = checkpoints.rows.slice();
      const { bars: whole, indicators } = expectedRows(bars, '1d', 0);
      expect(checkpoints.previewRsi(0, whole.close[count])).toBe(indicators[2][count]);
      expect(checkpoints.rows).toEqual(before);
    }
  });
});
