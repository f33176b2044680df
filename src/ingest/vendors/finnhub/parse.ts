/** Parses Finnhub's bodies. Pure. @throws {MalformedInputError} names the field. */

import { z } from 'zod';
import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import type { DatasetRow } from '../../../base/datasets/dataset.ts';
import type { REPORT_TIMES } from '../../../base/datasets/market.ts';
import { checkedResponse } from '../../http/checked-response.ts';
import { countsOf, dayOfText, figure, gradeRow, ratingCounts, text } from '../../rows/fields.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';
import { earningsRows, itemRows } from '../shared/item-rows.ts';

const recommendations = z.array(z.looseObject({ period: text, ...ratingCounts }));

const targets = z.looseObject({
  targetHigh: figure,
  targetLow: figure,
  targetMean: figure,
  targetMedian: figure,
});

const grades = z.array(
  z.looseObject({
    gradeTime: figure,
    company: text,
    fromGrade: text,
    toGrade: text,
    action: text,
  }),
);

const calendar = z.looseObject({
  earningsCalendar: z.array(
    z.looseObject({
      date: text,
      epsEstimate: figure,
      hour: text,
      quarter: figure,
      revenueEstimate: figure,
      symbol: text,
      year: figure,
    }),
  ),
});

const HOURS: Record<string, (typeof REPORT_TIMES)[number]> = {
  bmo: 'before_market',
  amc: 'after_market',
  dmh: 'during_market',
};

/** Price targets of a symbol; undefined where there are none. */
export type Targets = Pick<DatasetRow, 'targetHigh' | 'targetLow' | 'targetMean' | 'targetMedian'>;

export function parseFinnhubTargets(body: string, symbol: string): Targets | undefined {
  const answer = checkedResponse(body, targets, `Finnhub's price target of ${symbol}`);
  const { targetHigh, targetLow, targetMean, targetMedian } = answer;
  // Zeros mean that no analyst has a target.
  const known = [targetHigh, targetLow, targetMean, targetMedian].map((value) => value || null);
  if (known.every((value) => value === null)) return undefined;
  const [high, low, mean, median] = known;
  return { targetHigh: high, targetLow: low, targetMean: mean, targetMedian: median };
}

/**
 * Makes rows of `analyst-consensus`: the newest month as of now, with the targets; earlier months
 * as of their first day.
 */
export function parseFinnhubRecommendations(
  body: string,
  symbol: string,
  now: { asOfMs: number; targets: Targets | undefined },
): UncheckedRow[] {
  const months = checkedResponse(body, recommendations, `Finnhub's recommendations of ${symbol}`);
  const dated = months.map((month) => ({ ...month, day: dayOfText(month.period) }));
  const newest = Math.max(...dated.map(({ day }) => day ?? -Infinity));
  const rows: UncheckedRow[] = dated.map(({ day, ...month }, i) => {
    if (day === undefined) return { reason: 'period is not a date', line: i + 1 };
    const isNewest = day === newest;
    const asOf = isNewest ? now.asOfMs : day * MILLIS_PER_DAY;
    return { row: { symbol, asOf, ...countsOf(month), ...(isNewest && now.targets) }, line: i + 1 };
  });
  if (rows.length > 0 || now.targets === undefined) return rows;
  return [{ row: { symbol, asOf: now.asOfMs, ...now.targets } }];
}

/** Makes rows of `upgrades-downgrades`. */
export function parseFinnhubGrades(body: string, symbol: string): UncheckedRow[] {
  const all = checkedResponse(body, grades, `Finnhub's upgrades of ${symbol}`);
  return itemRows(all, ({ gradeTime, company: firm, ...grade }) => {
    if (gradeTime === null) return 'gradeTime is missing';
    const row = gradeRow(symbol, gradeTime * 1000, { ...grade, firm });
    return row ?? 'action is none of up, down, init, main, reit';
  });
}

/** Makes rows of `earnings-calendar`, whose quarters are the companies' own. */
export function parseFinnhubEarnings(body: string, asOfMs: number): UncheckedRow[] {
  const { earningsCalendar } = checkedResponse(body, calendar, "Finnhub's earnings calendar");
  return earningsRows(earningsCalendar, asOfMs, (one) => {
    const { hour, quarter, year, epsEstimate, revenueEstimate } = one;
    const fiscalQuarter = quarter && year ? `${year}-Q${quarter}` : null;
    return { fiscalQuarter, time: HOURS[hour ?? ''] ?? 'unknown', epsEstimate, revenueEstimate };
  });
}
