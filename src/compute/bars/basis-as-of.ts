import type { Basis, Dividend, Split } from '../../base/bars.ts';
import {
  type ActionCoverage,
  type DaySpan,
  dividendDays,
} from '../../base/prices/action-coverage.ts';
import { newestDayInForce } from './adjust.ts';
import { productOfRatios, type Ratio } from './ratio.ts';

/** A stored series, as its prices of a past day depend on it. */
export interface DatedSeries {
  basis: Basis;
  splits: readonly Split[];
  dividends: readonly Dividend[];
  actionCoverage: ActionCoverage | undefined;
  /** Vintage; undefined for raw series. */
  asOfUs: bigint | undefined;
  lastBarDay: number;
}

export interface BasisAsOf {
  /** Ratio that undoes the known splits after the day. */
  ratio: Ratio;
  /** `raw` if prices times the ratio are those of the day; else the basis that is left. */
  basis: Basis;
  /** False if later splits may be unknown, so that prices can't be compared with filings of then. */
  isOfDay: boolean;
}

const UNIT: Ratio = { numerator: 1, denominator: 1 };

/** Returns how stored prices up to a past day become those that were shown on the day. */
export function basisAsOf(series: DatedSeries, day: number): BasisAsOf {
  const { basis, splits, dividends, actionCoverage: coverage } = series;
  const inForceDay = newestDayInForce(series.asOfUs, series.lastBarDay);
  if (basis === 'raw' || inForceDay <= day) return { ratio: UNIT, basis: 'raw', isOfDay: true };
  const isLater = ({ exDay }: { exDay: number }) => exDay > day && exDay <= inForceDay;
  const ratio = splits.filter(isLater).reduce(productOfRatios, UNIT);
  const isKnown = (days: DaySpan | null) =>
    days !== null && days.fromDay <= day + 1 && days.toDay >= inForceDay;
  const isOfDay = coverage !== undefined && isKnown(coverage);
  const isLowered =
    basis === 'all' && (!isOfDay || !isKnown(dividendDays(coverage)) || dividends.some(isLater));
  return { ratio, basis: isOfDay && !isLowered ? 'raw' : basis, isOfDay };
}
