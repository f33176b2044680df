/** Joins a vintage to the served bars that it shares: the factor between the two. Pure. */

import { limits } from '../../../base/limits/limits.ts';
import { type Interval, mostAgreed, roundFactor } from './factor-interval.ts';

/** Prices of one vintage between two times, in order of time. Length n each. */
export interface VintageBars {
  timestampUs: Float64Array;
  /** Open, high, low, close. */
  prices: readonly [Float64Array, Float64Array, Float64Array, Float64Array];
}

/** In the order of the columns of `VintageBars`. */
const PRICE_NAMES = ['open', 'high', 'low', 'close'] as const;
export type PriceName = (typeof PRICE_NAMES)[number];

/** How a vintage was joined to the older ones. */
export interface Joint {
  seriesId: number;
  /** The older ones that it was compared with or goes on from. */
  olderIds: number[];
  /** Brings the older ones to its basis. */
  factor: number;
  /**
   * `even`: one factor fits all common bars, or nearly all of many; `uneven`: none does;
   * `apart`: there is no common bar.
   */
  kind: 'even' | 'uneven' | 'apart';
  /** Common bars, and those that the factor fits. */
  commonCount: number;
  agreeingCount: number;
  /** `uneven`: a price of the first common bar that the factor does not fit. */
  differing?: { timestampUs: number; price: PriceName; older: number; newer: number };
  /** `apart`: the last bar before the gap and the first one after it, microseconds. */
  gap?: { fromUs: number; toUs: number; olderIsFirst: boolean };
}

/** Vendors compute with floats. */
const FLOAT_NOISE = 1e-6;

/**
 * A vendor that rounds its adjusted prices again at each dividend is off by up to 0.05 % after some
 * years: measured between two bulk files of one vendor, nine years apart.
 */
const VENDOR_NOISE = 0.001;

/** Of so many common bars a few may differ: these are corrections, and leave the factor certain. */
const MANY_BARS = 20;
const CORRECTED_SHARE_MAX = 0.05;

/** What serves a common bar. */
export interface ServedVintage {
  seriesId: number;
  /** Brings its prices to the basis of the newest vintage so far. */
  factor: number;
  bars: VintageBars | undefined;
}

/** A bar of a vintage and the one that is served at its time. */
export interface CommonBar {
  newerRow: number;
  older: ServedVintage;
  olderRow: number;
}

/**
 * The factor that brings the served bars to the basis of a vintage that shares some of them.
 *
 * @param aheadUs How far the vintage ends behind the served bars; 0 or less if it only corrects.
 */
export function overlapJoint(
  common: readonly CommonBar[],
  newer: VintageBars,
  aheadUs: number,
): Omit<Joint, 'seriesId'> {
  const ratios = ratiosOf(common, newer);
  const bringsNewerDay = aheadUs > 0;
  const isCorrection = !bringsNewerDay && isOfSameBasis(ratios, aheadUs === 0);
  // One day of the past tells a correction from another basis only where its prices are equal.
  const isLone = !bringsNewerDay && common.length === 1;
  const agreeingWith = (factor: number) =>
    ratios.map((bar) => bar.every(({ ratio }) => fits(ratio, factor)));
  const commonCount = common.length;
  const differingMax = commonCount >= MANY_BARS ? commonCount * CORRECTED_SHARE_MAX : 0;
  const isEvenWith = (factor: number) =>
    agreeingWith(factor).filter((agrees) => !agrees).length <= differingMax;
  const estimate = isCorrection || isLone ? 1 : factorOf(ratios.flat().map(({ ratio }) => ratio));
  // Where it is accepted though nothing fits, it corrects its own days and moves no other.
  const factor = bringsNewerDay || isEvenWith(estimate) ? estimate : 1;
  const isEven = isCorrection || isEvenWith(factor);
  const agreeing = agreeingWith(factor);
  const agreeingCount = agreeing.filter(Boolean).length;
  const olderIds = [...new Set(common.map(({ older }) => older.seriesId))];
  const kind = isEven ? 'even' : 'uneven';
  const joint = { olderIds, factor, kind, commonCount, agreeingCount } as const;
  if (isEven) return joint;
  const at = agreeing.indexOf(false);
  const { newerRow, older, olderRow } = common[at];
  // The close where it differs: people know a bar by it.
  const { column } = ratios[at].findLast(({ ratio }) => !fits(ratio, factor))!;
  const differing = {
    timestampUs: newer.timestampUs[newerRow],
    price: PRICE_NAMES[column],
    older: older.bars!.prices[column][olderRow] * older.factor,
    newer: newer.prices[column][newerRow],
  };
  return { ...joint, differing };
}

function fits({ low, high }: Interval, factor: number): boolean {
  return low <= factor * (1 + VENDOR_NOISE) && high >= factor * (1 - VENDOR_NOISE);
}

/**
 * True if the common bars show that a vintage without a newer day is on the basis of the served
 * bars, so that all that differs is a correction: most prices are equal, also those of the first
 * common bar, which the older bars lie beside. The last served day alone is on its own basis, if
 * none of its prices halves or doubles.
 */
function isOfSameBasis(ratios: readonly ColumnRatio[][], endsTogether: boolean): boolean {
  const isMostlyEqual = (prices: readonly ColumnRatio[]) =>
    prices.filter(({ ratio }) => fits(ratio, 1)).length * 2 > prices.length;
  if (isMostlyEqual(ratios[0]) && isMostlyEqual(ratios.flat())) return true;
  const isNear = ({ ratio: { ratio } }: ColumnRatio) =>
    Math.min(ratio, 1 / ratio) > 1 - limits.doubt.movedMin;
  return endsTogether && ratios.length === 1 && ratios[0].every(isNear);
}

/** What a newer price is to the older one, and the bounds that their rounding sets. */
interface Ratio extends Interval {
  ratio: number;
}

interface ColumnRatio {
  /** Index of the price in `PRICE_NAMES`. */
  column: number;
  ratio: Ratio;
}

/** By bar those of its four prices; prices of 0 say nothing. */
function ratiosOf(common: readonly CommonBar[], newer: VintageBars): ColumnRatio[][] {
  const newerUnit = roundingUnit(newer);
  const olderUnits = new Map<ServedVintage, number>();
  for (const { older } of common) {
    if (!olderUnits.has(older)) olderUnits.set(older, roundingUnit(older.bars!));
  }
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

/** The factor that fits the rounding of most prices; where it does not fit half, the median. */
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
  /** What the vendor rounded to; 0 where it did not. */
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

/** The unit of the last decimal that any price has; 0 where they have more than eight. */
function roundingUnit({ prices }: VintageBars): number {
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
