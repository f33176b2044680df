/** Price bases: which can be made from a stored series, and whole series on them. */

import {
  BASES,
  type BarColumns,
  type Basis,
  blankBars,
  type Dividend,
  isUsable,
  MICROS_PER_DAY,
  type Split,
} from '../../base/bars.ts';
import {
  type ActionCoverage,
  knowsDividends,
  knowsSplits,
} from '../../base/prices/action-coverage.ts';
import { newYorkDay } from '../../base/time/calendar.ts';
import {
  type AdjustmentStep,
  adjustmentSteps,
  type CloseBefore,
  firstRowOfDay,
  scaleBars,
} from './adjustment-steps.ts';

export interface AdjustmentSource {
  basis: Basis;
  splits: readonly Split[];
  dividends: readonly Dividend[];
  /**
   * Vintage: the time at which the vendor made the series. Events up to the later of this and the
   * last bar are in force; one with a later ex-date has changed no price yet.
   */
  asOfUs?: bigint;
}

export interface DerivableSource {
  basis: Basis;
  actionCoverage: ActionCoverage | undefined;
  /** Dividends in other currencies make `all` impossible; default none. */
  dividends?: readonly Dividend[];
  firstBarUs: bigint;
  lastBarUs: bigint;
  asOfUs: bigint | undefined;
}

/**
 * Returns the bases that a series can be given in: its own, and those whose splits, and for `all`
 * dividends, are known for long enough.
 */
export function derivableBases(source: DerivableSource): Basis[] {
  const { basis, actionCoverage: coverage, asOfUs } = source;
  if (basis === 'all' || !coverage || !knowsSplits(source)) return [basis];
  const isDerivable = {
    // A vendor's split basis has the splits up to its vintage. Undoing it needs all of them.
    raw: asOfUs === undefined || coverage.toDay >= dayFromVintage(asOfUs),
    split: true,
    all: knowsDividends(source) && unusableDividend(source) === undefined,
  };
  return BASES.filter((to) => to === basis || isDerivable[to]);
}

/** Returns the newest dividend in force whose effect on the prices is unknown. */
export function unusableDividend(source: DerivableSource): Dividend | undefined {
  const isFelt = isInForce(source);
  return source.dividends?.findLast((one) => isFelt(one) && !isUsable(one));
}

export function defaultBasis(source: DerivableSource): Basis {
  return derivableBases(source).includes('split') ? 'split' : source.basis;
}

/**
 * Brings a whole daily or regular-session series to another basis. Volume moves with splits alone.
 * Weekly and monthly bars are made from adjusted daily ones, as an event may fall inside of them.
 *
 * @param to One of `derivableBases`; undoing dividends is a programmer error.
 * @returns `bars` itself when nothing changes, else new columns that share its timestamps.
 */
export function adjustBars(bars: BarColumns, from: AdjustmentSource, to: Basis): BarColumns {
  const { timestampUs, close } = bars;
  if (from.basis === to || timestampUs.length === 0) return bars;
  const [firstBarUs, lastBarUs] = [timestampUs[0], timestampUs[timestampUs.length - 1]];
  const steps = seriesSteps({ ...from, firstBarUs, lastBarUs }, to, (day) => {
    const row = firstRowOfDay(timestampUs, day) - 1;
    return { close: close[row], day: dayFromMicros(timestampUs[row]) };
  });
  if (steps.length === 0) return bars;
  const adjusted = { ...blankBars(timestampUs.length), timestampUs };
  scaleBars(bars, steps, adjusted);
  return adjusted;
}

export interface StepSource extends AdjustmentSource {
  firstBarUs: bigint;
  lastBarUs: bigint;
}

/**
 * Returns the steps to another basis, for any rows of a series. A regular session lies within one
 * UTC date, so a split's day begins with that date for intraday bars too.
 *
 * @param closeBefore Called for days that have an earlier bar.
 */
export function seriesSteps(
  source: StepSource,
  to: Basis,
  closeBefore: CloseBefore,
): AdjustmentStep[] {
  const { basis, splits, dividends } = source;
  const isFelt = isInForce(source);
  const felt = dividends.filter((one) => isFelt(one) && isUsable(one));
  return adjustmentSteps(
    { basis, splits: splits.filter(isFelt), dividends: felt },
    to,
    closeBefore,
  );
}

/** Returns a test whether an ex-date is one of those that the prices of a series show. */
function isInForce({
  firstBarUs,
  lastBarUs,
  asOfUs,
}: Pick<DerivableSource, 'firstBarUs' | 'lastBarUs'> & { asOfUs?: bigint | undefined }) {
  const firstDay = dayFromMicros(firstBarUs);
  const lastDay = newestDayInForce(asOfUs, dayFromMicros(lastBarUs));
  return ({ exDay }: { exDay: number }): boolean => exDay > firstDay && exDay <= lastDay;
}

/** Returns the last day whose splits and dividends are in the prices of an adjusted series. */
export function newestDayInForce(asOfUs: bigint | undefined, lastBarDay: number): number {
  return asOfUs === undefined ? lastBarDay : Math.max(lastBarDay, dayFromVintage(asOfUs));
}

function dayFromMicros(timestampUs: bigint): number {
  const remainder = timestampUs % MICROS_PER_DAY;
  return Number((timestampUs - remainder) / MICROS_PER_DAY) - (remainder < 0n ? 1 : 0);
}

/** A vintage at midnight UTC is the date of a file's newest bar; any other is a moment. */
function dayFromVintage(asOfUs: bigint): number {
  if (asOfUs % MICROS_PER_DAY === 0n) return dayFromMicros(asOfUs);
  return newYorkDay(Number(asOfUs / 1000n));
}
