/** Parses analysts' opinions and the next earnings date from Yahoo's quoteSummary. Pure. */

import { z } from 'zod';
import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import type { DatasetRow } from '../../../base/datasets/dataset.ts';
import type { REPORT_TIMES } from '../../../base/datasets/market.ts';
import { UnknownSymbolError } from '../../../base/errors.ts';
import { newYorkClockMs, newYorkDay } from '../../../base/time/calendar.ts';
import { checkedResponse, malformed } from '../../http/checked-response.ts';
import { countsOf, figure, gradeRow, ratingCounts, text } from '../../rows/fields.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';
import { itemRows } from '../shared/item-rows.ts';

export const YAHOO_MODULES = [
  'upgradeDowngradeHistory',
  'recommendationTrend',
  'financialData',
  'calendarEvents',
] as const;

const grade = z.looseObject({
  epochGradeDate: figure,
  firm: text,
  toGrade: text,
  fromGrade: text,
  action: text,
});

const counts = z.looseObject({ period: text, ...ratingCounts });

const parts = z.looseObject({
  upgradeDowngradeHistory: z.looseObject({ history: z.array(grade) }).optional(),
  recommendationTrend: z.looseObject({ trend: z.array(counts) }).optional(),
  financialData: z
    .looseObject({
      targetHighPrice: figure,
      targetLowPrice: figure,
      targetMeanPrice: figure,
      targetMedianPrice: figure,
    })
    .optional(),
  calendarEvents: z
    .looseObject({
      earnings: z
        .looseObject({
          earningsDate: z.array(figure).optional(),
          isEarningsDateEstimate: z.boolean().nullish(),
          earningsAverage: figure,
          revenueAverage: figure,
        })
        .optional(),
    })
    .optional(),
});

const answer = z.looseObject({
  quoteSummary: z.looseObject({
    result: z.array(parts).nullable(),
    error: z.looseObject({ description: text }).nullable(),
  }),
});

type Parts = z.infer<typeof parts>;

export interface YahooSummary {
  grades: UncheckedRow[];
  consensus: UncheckedRow[];
  earnings: UncheckedRow[];
}

/**
 * @throws {UnknownSymbolError} Yahoo does not know the symbol.
 * @throws {MalformedInputError} the body is not of the format; names the field.
 */
export function parseYahooSummary(body: string, symbol: string, asOfMs: number): YahooSummary {
  const title = `Yahoo's summary of ${symbol}`;
  const { result, error } = checkedResponse(body, answer, title).quoteSummary;
  const [summary] = result ?? [];
  if (!summary) {
    const said = error?.description ?? 'no result';
    if (error && !/not found|no fundamentals/i.test(said)) throw malformed(title, said);
    throw new UnknownSymbolError(symbol, `Yahoo does not know "${symbol}" (${said})`);
  }
  return {
    grades: itemRows(summary.upgradeDowngradeHistory?.history ?? [], (one) => {
      if (one.epochGradeDate === null) return 'epochGradeDate is missing';
      const row = gradeRow(symbol, one.epochGradeDate * 1000, one);
      return row ?? 'action is none of up, down, init, main, reit';
    }),
    consensus: consensusRow(summary, symbol, asOfMs).map((row) => ({ row })),
    earnings: earningsRow(summary, symbol, asOfMs).map((row) => ({ row })),
  };
}

/** Joins the counts of the running month with the targets of today; none without either. */
function consensusRow(
  { recommendationTrend, financialData }: Parts,
  symbol: string,
  asOf: number,
): DatasetRow[] {
  const now = recommendationTrend?.trend.find(({ period }) => period === '0m');
  const counted = countsOf(now);
  const targets = {
    targetHigh: financialData?.targetHighPrice ?? null,
    targetLow: financialData?.targetLowPrice ?? null,
    targetMean: financialData?.targetMeanPrice ?? null,
    targetMedian: financialData?.targetMedianPrice ?? null,
  };
  // For a company without analysts Yahoo counts zero of everything.
  const isFollowed = Object.values(counted).some((count) => count !== null && count > 0);
  const hasTargets = Object.values(targets).some((target) => target !== null);
  if (!isFollowed && !hasTargets) return [];
  return [{ symbol, asOf, ...counted, consensus: null, ...targets }];
}

function earningsRow({ calendarEvents }: Parts, symbol: string, asOf: number): DatasetRow[] {
  const next = calendarEvents?.earnings;
  const { earningsDate = [], isEarningsDateEstimate } = next ?? {};
  const [seconds] = earningsDate;
  if (!next || seconds === undefined || seconds === null) return [];
  const isOpen = isEarningsDateEstimate === true || earningsDate.length > 1;
  return [
    {
      symbol,
      companyName: null,
      date: newYorkDay(seconds * 1000),
      fiscalQuarter: null,
      time: isOpen ? 'unknown' : reportTime(seconds * 1000),
      epsEstimate: next.earningsAverage,
      revenueEstimate: next.revenueAverage,
      asOf,
    },
  ];
}

const OPEN_MS = 9.5 * 3_600_000;
const CLOSE_MS = 16 * 3_600_000;

/** Reads the time of day; midnight means a date without a time. */
function reportTime(ms: number): (typeof REPORT_TIMES)[number] {
  const clockMs = newYorkClockMs(ms) % MILLIS_PER_DAY;
  if (clockMs === 0 || ms % MILLIS_PER_DAY === 0) return 'unknown';
  if (clockMs < OPEN_MS) return 'before_market';
  return clockMs < CLOSE_MS ? 'during_market' : 'after_market';
}
