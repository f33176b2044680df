import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barRows, blankBars } from '../../../src/base/bars.ts';
import { adjustBars, seriesSteps } from '../../../src/compute/bars/adjust.ts';
import { adjustmentSteps, scaleBars } from '../../../src/compute/bars/adjustment-steps.ts';

const NONE = { splits: [], dividends: [] };
const noClose = () => expect.unreachable('no close is asked for');

describe('adjustmentSteps', () => {
  it('are none where nothing changes', () => {
    expect(adjustmentSteps({ basis: 'split', ...NONE }, 'split', noClose)).toEqual([]);
    expect(adjustmentSteps({ basis: 'raw', ...NONE }, 'all', noClose)).toEqual([]);
  });

  it('scale bars before a split by its ratio, and back', () => {
    const splits = [{ exDay: 10, numerator: 3, denominator: 1 }];
    expect(adjustmentSteps({ basis: 'raw', splits, dividends: [] }, 'split', noClose)).toEqual([
      { fromDay: Number.NEGATIVE_INFINITY, ratio: { numerator: 1, denominator: 3 }, factor: 1 },
      { fromDay: 10, ratio: { numerator: 1, denominator: 1 }, factor: 1 },
    ]);
    const [before] = adjustmentSteps({ basis: 'split', splits, dividends: [] }, 'raw', noClose);
    expect(before.ratio).toEqual({ numerator: 3, denominator: 1 });
  });

  it('use the close before each dividend, on the basis of the ex-date', () => {
    const splits = [{ exDay: 10, numerator: 2, denominator: 1 }];
    const dividends = [{ exDay: 10, amount: 1 }];
    const asked: number[] = [];
    const steps = adjustmentSteps({ basis: 'raw', splits, dividends }, 'all', (day) => {
      asked.push(day);
      return { close: 40, day: 9 };
    });
    expect(asked).toEqual([10]);
    expect(steps[0].factor).toBe(1 - 1 / 20);
    expect(steps[1].factor).toBe(1);
  });
});

describe('scaleBars', () => {
  it('gives any rows what the whole series has', () => {
    const count = 60;
    const day = fc.integer({ min: -2, max: count + 2 });
    const split = fc.record({
      exDay: day,
      numerator: fc.integer({ min: 1, max: 20 }),
      denominator: fc.integer({ min: 1, max: 20 }),
    });
    const dividend = fc.record({ exDay: day, amount: fc.double({ min: 0.01, max: 5 }) });
    const bars = blankBars(count);
    for (let row = 0; row < count; row++) {
      bars.timestampUs[row] = BigInt(row) * 86_400_000_000n + 52_200_000_000n;
      for (const name of ['open', 'high', 'low', 'close', 'volume'] as const) {
        bars[name][row] = 20 + row / 7 + name.length;
      }
    }
    const extent = { firstBarUs: bars.timestampUs[0], lastBarUs: bars.timestampUs[count - 1] };
    const closeBefore = (exDay: number) => ({ close: bars.close[exDay - 1], day: exDay - 1 });
    fc.assert(
      fc.property(
        fc.array(split, { maxLength: 3 }),
        fc.array(dividend, { maxLength: 3 }),
        fc.constantFrom('raw', 'split'),
        fc.constantFrom('raw', 'split', 'all'),
        fc.nat(count),
        fc.nat(count),
        (splits, dividends, basis, to, a, b) => {
          const source = { basis, splits, dividends, asOfUs: 0n, ...extent } as const;
          const whole = adjustBars(bars, source, to);
          const steps = seriesSteps(source, to, closeBefore);
          const [start, end] = [Math.min(a, b), Math.max(a, b)];
          const part = blankBars(end - start);
          scaleBars(barRows(bars, start, end), steps, part);
          if (steps.length === 0) expect(whole).toBe(bars);
          else expect(part.close).toEqual(whole.close.slice(start, end));
          if (steps.length > 0) expect(part.volume).toEqual(whole.volume.slice(start, end));
        },
      ),
      { seed: 22, numRuns: 300 },
    );
  });
});
