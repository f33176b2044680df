/** The factor between a vintage and the served bars that it shares. Pure. */

import { limits } from '../../../base/limits.ts';
import type { ComparedBars } from './agreement.ts';
import { sectionsOf } from './sections.ts';
import { splitFactorOf } from './split-factor.ts';

export interface VintageBars {
  timestampUs: Float64Array;
  prices: readonly [Float64Array, Float64Array, Float64Array, Float64Array];
  volume?: Float64Array;
}

const PRICE_NAMES = ['open', 'high', 'low', 'close'] as const;
export type PriceName = (typeof PRICE_NAMES)[number];

/** A splice of a vintage to the older ones. */
export interface Splice {
  seriesId: number;
  /** Older series that it was compared with, or continues. */
  olderIds: number[];
  /** Factor that brings the older ones to its basis; of several sections that of the first. */
  factor: number;
  /** Factors from a time on, if an action lies among the common bars. */
  sections?: readonly Section[];
  /** Divides their volumes; default `factor`. */
  splitFactor?: number;
  /**
   * `even`: one factor fits all common bars, or nearly all of many; `uneven`: none does; `apart`:
   * there is no common bar.
   */
  kind: 'even' | 'uneven' | 'apart';
  /** Number of common bars, and of those that the factor fits. */
  commonCount: number;
  agreeingCount: number;
  /** `uneven`: a price of the first common bar that the factor does not fit. */
  differing?: { timestampUs: number; price: PriceName; older: number; newer: number };
  /** `apart`: the last bar before the gap and the first one after it, microseconds. */
  gap?: { fromUs: number; toUs: number; olderIsFirst: boolean };
}

/** Served bars from a time on, and the factors that bring them to the basis of a vintage. */
export interface Section extends Factors {
  fromUs: number;
}

interface Factors {
  factor: number;
  /** Divides volumes; default `factor`. */
  splitFactor?: number;
}

/** Vendors compute with floats. */
const FLOAT_NOISE = 1e-6;

/**
 * A vendor that rounds its adjusted prices again at each dividend is off by up to 0.05 % after some
 * years.
 */
const VENDOR_NOISE = 0.001;

/** Number of common bars from which a few may differ: these are corrections. */
const MANY_BARS = 20;
const CORRECTED_SHARE_MAX = 0.05;

export interface ServedVintage {
  seriesId: number;
  /** Factor that brings its prices to the basis of the newest vintage so far. */
  factor: number;
  /** Divides its volumes; default `factor`. */
  splitFactor?: number;
  bars: VintageBars | undefined;
}

/** A bar of a vintage and the bar that is served at its time. */
export interface CommonBar {
  newerRow: number;
  older: ServedVintage;
  olderRow: number;
}

/**
 * Returns the splice of a vintage that shares served bars: the factor brings these to its basis.
 *
 * @param aheadUs Time by which the vintage ends after the served bars; 0 or less if it only
 *   corrects.
 */
export function overlapSplice(
  common: readonly CommonBar[],
  newer: VintageBars,
  aheadUs: number,
): Omit<Splice, 'seriesId'> {
  const ratios = ratiosOf(common, newer);
  const bringsNewerDay = aheadUs > 0;
  const isCorrection = !bringsNewerDay && isOfSameBasis(ratios, aheadUs === 0);
  const sectioned = isCorrection ? undefined : sectionedSplice(common, newer, ratios);
  if (sectioned) return sectioned;
  // One past day proves the same basis only if its prices are equal.
  const isLone = !bringsNewerDay && common.length === 1;
  const agreeingWith = (factor: number) =>
    ratios.map((bar) => bar.every(({ ratio }) => fits(ratio, factor)));
  const commonCount = common.length;
  const differingMax = differingBarsMax(commonCount);
  const isEvenWith = (factor: number) =>
    agreeingWith(factor).filter((agrees) => !agrees).length <= differingMax;
  const estimate = isCorrection || isLone ? 1 : factorOf(ratios.flat().map(({ ratio }) => ratio));
  // If it is accepted though no factor fits, it corrects its own days and moves no others.
  const factor = bringsNewerDay || isEvenWith(estimate) ? estimate : 1;
  const isEven = isCorrection || isEvenWith(factor);
  const agreeing = agreeingWith(factor);
  const agreeingCount = agreeing.filter(Boolean).length;
  const olderIds = [...new Set(common.map(({ older }) => older.seriesId))];
  const kind = isEven ? 'even' : 'uneven';
  const factors = withVolumes(factor, common, newer);
  const splice = { olderIds, ...factors, kind, commonCount, agreeingCount } as const;
  if (isEven) return splice;
  const at = agreeing.indexOf(false);
  const { newerRow, older, olderRow } = common[at];
  // The close if it differs, since people know a bar by its close.
  const { column } = ratios[at].findLast(({ ratio }) => !fits(ratio, factor))!;
  const differing = {
    timestampUs: newer.timestampUs[newerRow],
    price: PRICE_NAMES[column],
    older: older.bars!.prices[column][olderRow] * older.factor,
    newer: newer.prices[column][newerRow],
  };
  return { ...splice, differing };
}

/** Returns a splice of several factors, if the common bars have some. */
function sectionedSplice(
  common: readonly CommonBar[],
  newer: VintageBars,
  ratios: readonly ColumnRatio[][],
): Omit<Splice, 'seriesId'> | undefined {
  if (common.length < 2) return undefined;
  const bars = comparedBars(common, newer);
  const runs = sectionsOf(bars, VENDOR_NOISE);
  if (!runs) return undefined;
  const sections = runs.map(({ start, end }) => {
    const own = ratios.slice(start, end);
    const factor = factorOf(own.flat().map(({ ratio }) => ratio));
    return {
      fromUs: bars.timestampUs[start],
      ...withVolumes(factor, common.slice(start, end), newer),
      agreeing: own.filter((bar) => bar.every(({ ratio }) => fits(ratio, factor))).length,
    };
  });
  const agreeingCount = sections.reduce((sum, { agreeing }) => sum + agreeing, 0);
  const commonCount = common.length;
  if (commonCount - agreeingCount > differingBarsMax(commonCount)) return undefined;
  const olderIds = [...new Set(common.map(({ older }) => older.seriesId))];
  const [{ factor, splitFactor }] = sections;
  const first = splitFactor === undefined ? { factor } : { factor, splitFactor };
  return { olderIds, ...first, sections, kind: 'even', commonCount, agreeingCount };
}

function differingBarsMax(commonCount: number): number {
  return commonCount >= MANY_BARS ? commonCount * CORRECTED_SHARE_MAX : 0;
}

function comparedBars(common: readonly CommonBar[], newer: VintageBars): ComparedBars {
  const columns = [0, 1, 2, 3] as const;
  const older = columns.map((column) =>
    Float64Array.from(common, ({ older: { bars, factor }, olderRow }) => {
      return bars!.prices[column][olderRow] * factor;
    }),
  );
  const rows = columns.map((column) =>
    Float64Array.from(common, ({ newerRow }) => newer.prices[column][newerRow]),
  );
  const newerUnit = roundingUnit(newer);
  const olderUnits = unitsOf(common);
  const slack = Float64Array.from(common, ({ older: side, olderRow, newerRow }) => {
    const olderSlack = olderUnits.get(side)! / 2 / side.bars!.prices[3][olderRow];
    return olderSlack + newerUnit / 2 / newer.prices[3][newerRow];
  });
  const timestampUs = Float64Array.from(common, ({ newerRow }) => newer.timestampUs[newerRow]);
  type Four = ComparedBars['older'];
  return { timestampUs, older: older as unknown as Four, newer: rows as unknown as Four, slack };
}

/** Returns the rounding of the older series. */
function unitsOf(common: readonly CommonBar[]): Map<ServedVintage, number> {
  const units = new Map<ServedVintage, number>();
  for (const { older } of common) {
    if (!units.has(older)) units.set(older, roundingUnit(older.bars!));
  }
  return units;
}

/** Adds the factor that the volumes of the common bars show, if it is another one. */
function withVolumes(factor: number, common: readonly CommonBar[], newer: VintageBars): Factors {
  const splitFactor = splitFactorOf(factor, volumeRatios(common, newer));
  return splitFactor === factor ? { factor } : { factor, splitFactor };
}

/** Returns older ÷ newer volume of the common bars. */
function volumeRatios(common: readonly CommonBar[], { volume }: VintageBars): number[] {
  return common.map(({ newerRow, older, olderRow }) => {
    const served = (older.bars!.volume?.[olderRow] ?? 0) / (older.splitFactor ?? older.factor);
    return served / (volume?.[newerRow] ?? 0);
  });
}

function fits({ low, high }: Interval, factor: number): boolean {
  return low <= factor * (1 + VENDOR_NOISE) && high >= factor * (1 - VENDOR_NOISE);
}

/**
 * Returns true if the common bars show that a vintage without a newer day has the basis of the
 * served bars: most prices are equal, also those of the first common bar, next to the older bars.
 * The last served day alone proves it if none of its prices halves or doubles.
 */
function isOfSameBasis(ratios: readonly ColumnRatio[][], endsTogether: boolean): boolean {
  const isMostlyEqual = (prices: readonly ColumnRatio[]) =>
    prices.filter(({ ratio }) => fits(ratio, 1)).length * 2 > prices.length;
  if (isMostlyEqual(ratios[0]) && isMostlyEqual(ratios.flat())) return true;
  const isNear = ({ ratio: { ratio } }: ColumnRatio) =>
    Math.min(ratio, 1 / ratio) > 1 - limits.sanity.movedMin;
  return endsTogether && ratios.length === 1 && ratios[0].every(isNear);
}

interface Ratio extends Interval {
  ratio: number;
}

interface ColumnRatio {
  /** Index of the price in `PRICE_NAMES`. */
  column: number;
  ratio: Ratio;
}

/** Returns the ratios of each bar's four prices; skips prices of 0. */
function ratiosOf(common: readonly CommonBar[], newer: VintageBars): ColumnRatio[][] {
  const newerUnit = roundingUnit(newer);
  const olderUnits = unitsOf(common);
  return common.map(({ newerRow, older, olderRow }) =>
    newer.prices.flatMap((prices, column) => {
      const value = older.bars!.prices[column][olderRow];
      if (!(value > 0) || !(prices[newerRow] > 0)) return [];
      const stored = { value, unit: olderUnits.get(older)! };
      const ratio = ratioOf({ value: prices[newerRow], unit: newerUnit }, stored, older.factor);
      return { column, ratio };
    }),
  );
}

/** Returns the factor that fits the rounding of most prices; the median if it fits less than half. */
function factorOf(ratios: readonly Ratio[]): number {
  const agreed = mostAgreed(ratios);
  if (!agreed) return 1;
  const fitting = ratios.filter(({ low, high }) => low <= agreed.high && agreed.low <= high);
  const { ratio } = median(fitting);
  return fitting.length * 2 >= ratios.length ? roundFactor(agreed, ratio) : median(ratios).ratio;
}

function median(ratios: readonly Ratio[]): Ratio {
  return ratios.toSorted((a, b) => a.ratio - b.ratio)[ratios.length >> 1];
}

interface Rounded {
  value: number;
  unit: number;
}

/** A price has at least the decimals of its unit, so slack is below its own size. */
function ratioOf(newer: Rounded, older: Rounded, olderFactor: number): Ratio {
  const newerSlack = newer.unit / 2 + newer.value * FLOAT_NOISE;
  const olderSlack = older.unit / 2 + older.value * FLOAT_NOISE;
  return {
    ratio: newer.value / (older.value * olderFactor),
    low: (newer.value - newerSlack) / ((older.value + olderSlack) * olderFactor),
    high: (newer.value + newerSlack) / ((older.value - olderSlack) * olderFactor),
  };
}

const DECIMALS_MAX = 8;

/** Returns the unit of the last decimal that any price has; 0 if there are more than eight. */
export function roundingUnit({ prices }: VintageBars): number {
  let decimals = 0;
  for (const column of prices) {
    for (const price of column) {
      while (decimals <= DECIMALS_MAX && !hasDecimals(price, decimals)) decimals++;
      if (decimals > DECIMALS_MAX) return 0;
    }
  }
  return 10 ** -decimals;
}

function hasDecimals(price: number, decimals: number): boolean {
  const scaled = price * 10 ** decimals;
  return Math.abs(scaled - Math.round(scaled)) <= Math.abs(scaled) * 1e-12;
}

/** A closed interval of factors: the ratio of two rounded prices. */
interface Interval {
  low: number;
  high: number;
}

/** Returns the interval that most of the given ones contain; of several the one nearest to 1. */
export function mostAgreed(intervals: readonly Interval[]): Interval | undefined {
  const ends = intervals
    .flatMap(({ low, high }) => [
      { at: low, isLow: true },
      { at: high, isLow: false },
    ])
    .sort((a, b) => a.at - b.at || Number(b.isLow) - Number(a.isLow));
  let depth = 0;
  let deepest = 0;
  let best: Interval | undefined;
  for (const [i, { at, isLow }] of ends.entries()) {
    depth += isLow ? 1 : -1;
    if (!isLow) continue;
    const found = { low: at, high: ends[i + 1].at };
    const isNearer = depth === deepest && distanceFrom1(found) < distanceFrom1(best!);
    if (depth > deepest || isNearer) best = found;
    deepest = Math.max(deepest, depth);
  }
  return best;
}

function distanceFrom1({ low, high }: Interval): number {
  if (low > 1) return Math.log(low);
  return high < 1 ? -Math.log(high) : 0;
}

/** Splits have one small term: 4:1, 3:2, 1:50. */
const SPLIT_TERM_MAX = 10;

/** Returns 1 or the ratio of a split if rounding hides the difference, else the estimate. */
export function roundFactor({ low, high }: Interval, estimate: number): number {
  const near = Math.min(Math.max(estimate, low), high);
  const slack = (high - low) / 4;
  for (let term = 1; term <= SPLIT_TERM_MAX; term++) {
    for (const ratio of [Math.round(near * term) / term, term / Math.round(term / near)]) {
      if (ratio > 0 && Math.abs(ratio - near) <= slack) return ratio;
    }
  }
  return near;
}
