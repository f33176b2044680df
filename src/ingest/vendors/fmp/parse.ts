/** Parses FMP's bodies. Pure. @throws {MalformedInputError} names the field. */

import { z } from 'zod';
import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import { RATINGS } from '../../../base/datasets/analysts.ts';
import type { DatasetRow } from '../../../base/datasets/dataset.ts';
import { checkedResponse } from '../../http/checked-response.ts';
import {
  countsOf,
  dayOfText,
  figure,
  gradeRow,
  millisOfText,
  ratingCounts,
  text,
  wordsOrNull,
} from '../../rows/fields.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';
import { earningsRows, itemRows } from '../shared/item-rows.ts';

const counts = z.array(z.looseObject({ ...ratingCounts, consensus: text }));

const consensusTargets = z.array(
  z.looseObject({
    targetHigh: figure,
    targetLow: figure,
    targetConsensus: figure,
    targetMedian: figure,
  }),
);

const grades = z.array(
  z.looseObject({
    date: text,
    gradingCompany: text,
    previousGrade: text,
    newGrade: text,
    action: text,
  }),
);

const targets = z.array(
  z.looseObject({
    publishedDate: text,
    analystName: text,
    analystCompany: text,
    priceTarget: figure,
  }),
);

const calendar = z.array(
  z.looseObject({ symbol: text, date: text, epsEstimated: figure, revenueEstimated: figure }),
);

/** Makes the row of `analyst-consensus` from two bodies; either may be empty. */
export function parseFmpConsensus(
  { countsBody, targetsBody }: { countsBody: string; targetsBody: string },
  symbol: string,
  asOfMs: number,
): UncheckedRow[] {
  const [counted] = checkedResponse(countsBody, counts, `FMP's grades of ${symbol}`);
  const [aimed] = checkedResponse(
    targetsBody,
    consensusTargets,
    `FMP's price targets of ${symbol}`,
  );
  if (!counted && !aimed) return [];
  const words = counted?.consensus?.toLowerCase();
  const row: DatasetRow = {
    symbol,
    asOf: asOfMs,
    ...countsOf(counted),
    consensus: RATINGS.find((rating) => rating.toLowerCase() === words) ?? null,
    targetHigh: aimed?.targetHigh || null,
    targetLow: aimed?.targetLow || null,
    targetMean: aimed?.targetConsensus || null,
    targetMedian: aimed?.targetMedian || null,
  };
  return [{ row }];
}

/** Makes rows of `upgrades-downgrades`, stamped with their day at midnight. */
export function parseFmpGrades(body: string, symbol: string): UncheckedRow[] {
  return itemRows(checkedResponse(body, grades, `FMP's grades of ${symbol}`), (one) => {
    const day = dayOfText(one.date);
    if (day === undefined) return 'date is not a date';
    const { action, gradingCompany: firm, previousGrade: fromGrade, newGrade: toGrade } = one;
    const row = gradeRow(symbol, day * MILLIS_PER_DAY, { action, firm, fromGrade, toGrade });
    return row ?? 'action is none that FMP is known to use';
  });
}

/** Makes rows of `analyst-targets`. */
export function parseFmpTargets(body: string, symbol: string): UncheckedRow[] {
  return itemRows(checkedResponse(body, targets, `FMP's price targets of ${symbol}`), (one) => {
    const publishedAt = millisOfText(one.publishedDate);
    if (publishedAt === undefined) return 'publishedDate is not a date';
    const [firm, analystName] = [one.analystCompany, one.analystName].map(wordsOrNull);
    return { symbol, firm, analystName, target: one.priceTarget, publishedAt };
  });
}

/** Makes rows of `earnings-calendar`; FMP names neither quarter nor time of day. */
export function parseFmpEarnings(body: string, asOfMs: number): UncheckedRow[] {
  const rows = checkedResponse(body, calendar, "FMP's earnings calendar");
  return earningsRows(rows, asOfMs, (one) => {
    return { epsEstimate: one.epsEstimated, revenueEstimate: one.revenueEstimated };
  });
}
