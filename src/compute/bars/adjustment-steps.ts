/**
 * Steps from one price basis to another: the scale of the bars from each day on.
 *
 * Splits are integer ratios, and a price is scaled by all of them with one correct rounding. A
 * dividend lowers earlier prices by its share of the close before its ex-date, as Yahoo and CRSP
 * do; dividends of one day are added first.
 */

import {
  BAR_FIELDS,
  type BarColumns,
  type Basis,
  barRows,
  type Dividend,
  MICROS_PER_DAY,
  type Split,
} from '../../base/bars.ts';
import { assert } from '../../base/errors.ts';
import { rowOfTimestamp } from '../../base/search-sorted.ts';
import { inverse, productOfRatios, type Ratio, scaleColumn } from './ratio.ts';

/**
 * Scale of bars from `fromDay` up to the next step: both numbers apply to prices, and the inverse
 * of the ratio to volumes. A dividend makes no share more.
 */
export interface AdjustmentStep {
  /** Days since the epoch; the first step's is −Infinity. */
  fromDay: number;
  ratio: Ratio;
  factor: number;
}

export interface SeriesEvents {
  basis: Basis;
  splits: readonly Split[];
  dividends: readonly Dividend[];
}

export type CloseBefore = (day: number) => { close: number; day: number };

const UNIT: Ratio = { numerator: 1, denominator: 1 };

/**
 * Returns the steps from the stored basis to another, oldest first; none if nothing changes.
 *
 * @param closeBefore Called for ex-dates of dividends only.
 */
export function adjustmentSteps(
  { basis, splits, dividends }: SeriesEvents,
  to: Basis,
  closeBefore: CloseBefore,
): AdjustmentStep[] {
  if (basis === to) return [];
  assert(basis !== 'all', `bars on basis "all" cannot be brought to "${to}"`);
  const toSplitBasis = splitRatios(splits);
  const stored = (day: number) => (basis === 'raw' ? toSplitBasis(day) : UNIT);
  const factors = to === 'all' ? dividendFactors(dividends, closeBefore, stored, toSplitBasis) : [];
  const days = new Set([...splits, ...factors].map(({ exDay }) => exDay));
  const steps = [Number.NEGATIVE_INFINITY, ...days]
    .sort((a, b) => a - b)
    .map((fromDay): AdjustmentStep => {
      const ratio = toSplitBasis(fromDay);
      let factor = 1;
      for (const dividend of factors) if (dividend.exDay > fromDay) factor *= dividend.factor;
      return {
        fromDay,
        ratio: basis === 'raw' ? ratio : to === 'raw' ? inverse(ratio) : UNIT,
        factor,
      };
    });
  return steps.every(({ ratio, factor }) => isUnit(ratio) && factor === 1) ? [] : steps;
}

function isUnit({ numerator, denominator }: Ratio): boolean {
  return numerator === denominator;
}

function splitRatios(splits: readonly Split[]): (day: number) => Ratio {
  const newestFirst = splits.toSorted((a, b) => b.exDay - a.exDay);
  const ratios = [UNIT];
  for (const { numerator, denominator } of newestFirst) {
    ratios.push(productOfRatios(ratios[ratios.length - 1], inverse({ numerator, denominator })));
  }
  return (day) => {
    const later = newestFirst.findIndex(({ exDay }) => exDay <= day);
    return ratios[later === -1 ? newestFirst.length : later];
  };
}

/**
 * Returns the factor of each ex-date on the prices before it: 1 − amount ÷ the close before, or the
 * factor that the vendor states. Amounts that reach the close are left out.
 *
 * @param stored By day, the ratio between the stored basis and the split basis.
 */
function dividendFactors(
  dividends: readonly Dividend[],
  closeBefore: CloseBefore,
  stored: (day: number) => Ratio,
  toSplitBasis: (day: number) => Ratio,
): { exDay: number; factor: number }[] {
  const byDay = Map.groupBy(dividends, ({ exDay }) => exDay);
  const factors: { exDay: number; factor: number }[] = [];
  for (const [exDay, paid] of byDay) {
    const stated = paid.reduce((product, { factor = 1 }) => product * factor, 1);
    const amount = paid.reduce((sum, one) => sum + (one.factor === undefined ? one.amount : 0), 0);
    const before = closeBefore(exDay);
    const ratio = productOfRatios(stored(before.day), inverse(toSplitBasis(exDay)));
    const [previousClose] = scaleColumn(Float64Array.of(before.close), ratio);
    if (amount < previousClose) {
      factors.push({ exDay, factor: stated * (1 - amount / previousClose) });
    }
  }
  return factors;
}

/**
 * Scales some or all rows of a series.
 *
 * @param out Receives prices and volume, not the timestamps; may be `bars` itself.
 */
export function scaleBars(
  bars: BarColumns,
  steps: readonly AdjustmentStep[],
  out: BarColumns,
): void {
  for (const [i, { fromDay, ratio, factor }] of steps.entries()) {
    const start = firstRowOfDay(bars.timestampUs, fromDay);
    const end =
      i + 1 < steps.length ? firstRowOfDay(bars.timestampUs, steps[i + 1].fromDay) : undefined;
    const source = barRows(bars, start, end);
    const target = barRows(out, start, end);
    for (const name of BAR_FIELDS)
      scaleColumnBy(source[name], name, { ratio, factor }, target[name]);
  }
}

/**
 * Scales values of one column by one step.
 *
 * @param out Receives the result; may be `column` itself.
 */
export function scaleColumnBy(
  column: Float64Array,
  name: (typeof BAR_FIELDS)[number],
  { ratio, factor }: Pick<AdjustmentStep, 'ratio' | 'factor'>,
  out: Float64Array,
): void {
  const isVolume = name === 'volume';
  scaleColumn(column, isVolume ? inverse(ratio) : ratio, out);
  if (factor !== 1 && !isVolume) multiply(out, factor);
}

function multiply(column: Float64Array, factor: number): void {
  for (let i = 0; i < column.length; i++) column[i] *= factor;
}

export function firstRowOfDay(timestampUs: BigInt64Array, day: number): number {
  if (day === Number.NEGATIVE_INFINITY) return 0;
  return rowOfTimestamp(timestampUs, BigInt(day) * MICROS_PER_DAY);
}
