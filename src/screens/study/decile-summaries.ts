/** Summary of a factor's tenths over months. */

import { lowerBound } from '../../base/search-sorted.ts';
import type { Decile } from './run-deciles.ts';
import { clusteredT, mean } from './statistics.ts';
import { byMarketDay, type StudyMarket } from './study-market.ts';

type MarketDays = Pick<StudyMarket, 'sessions' | 'marketDays'>;

/**
 * A tenth at a horizon; means over the months that have the number, NaN without any. Those from `ic` on
 * are the same for all tenths of a horizon.
 */
export interface DecileSummary {
  horizon: number;
  decile: number;
  /** Months in which the tenth has a return. */
  months: number;
  mean: number;
  median: number;
  turnover: number;
  /** Mean rank correlation of factor and return. */
  ic: number;
  /** Clustered t value of the mean `ic`: overlapping horizons are allowed for. */
  tIc: number;
  /** Mean return of the last tenth less that of the first. */
  spread: number;
  tSpread: number;
}

/** @param deciles By month, horizon and tenth. */
export function decileSummaries(deciles: readonly Decile[], market: MarketDays): DecileSummary[] {
  return [...Map.groupBy(deciles, ({ horizon }) => horizon)].flatMap(([horizon, rows]) => {
    const tenths = [...Map.groupBy(rows, ({ decile }) => decile).values()];
    const [first, last] = [tenths[0], tenths.at(-1)!];
    const ofMonths = (values: readonly number[]) =>
      meanOfMonths(
        first.map(({ day }, i) => ({ day, value: values[i] })),
        market,
        horizon,
      );
    const ic = ofMonths(first.map((one) => one.ic));
    const spread = ofMonths(first.map((one, month) => last[month].mean - one.mean));
    return tenths.map((months) => ({
      ...{ horizon, decile: months[0].decile },
      months: months.filter((one) => !Number.isNaN(one.mean)).length,
      mean: knownMean(months.map((one) => one.mean)),
      median: knownMean(months.map((one) => one.median)),
      turnover: knownMean(months.map((one) => one.turnover)),
      ...{ ic: ic.mean, tIc: ic.t, spread: spread.mean, tSpread: spread.t },
    }));
  });
}

function knownMean(values: readonly number[]): number {
  return mean(Float64Array.from(values).filter((value) => !Number.isNaN(value)));
}

function meanOfMonths(
  months: readonly { day: number; value: number }[],
  market: MarketDays,
  horizon: number,
): { mean: number; t: number } {
  const known = months.filter(({ value }) => !Number.isNaN(value));
  const center = knownMean(known.map(({ value }) => value));
  const { sessions } = market;
  const bySession = new Float64Array(sessions.length);
  for (const { day, value } of known) bySession[lowerBound(sessions, day)] = value - center;
  const size = known.reduce((sum, { value }) => sum + Math.abs(value), 0);
  const spread = { center, count: known.length, size };
  return { mean: center, t: clusteredT(byMarketDay(market, bySession), spread, horizon) };
}
