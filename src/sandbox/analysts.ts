/** Targets, ratings and the consensus of the sandbox's analysts. */

import type {
  analystConsensus,
  analystTargets,
  upgradesDowngrades,
} from '../base/datasets/analysts.ts';
import type { RowOf } from '../base/datasets/datasets.ts';
import { newYorkDay } from '../base/time/calendar.ts';
import { sandboxCloses } from './closes.ts';
import { sharesMultiplier } from './events.ts';
import { sandboxFactors } from './factors.ts';
import { roundToTick } from './prices.ts';
import {
  answeringSession,
  isWithin,
  newYorkMs,
  quartersAround,
  type SandboxSpan,
} from './reporting.ts';
import { analystsOf, latestReview, listingNumber, type Review, reviewOf } from './reviews.ts';
import type { SandboxSecurity } from './universe.ts';

type ConsensusRow = RowOf<typeof analystConsensus>;

export function sandboxTargets(
  security: SandboxSecurity,
  span: SandboxSpan,
): RowOf<typeof analystTargets>[] {
  return sandboxReviews(security, span).map(
    ({ firm, analystName, target, grade, publishedAt }) => ({
      symbol: security.symbol,
      firm,
      analystName,
      target,
      rating: grade,
      publishedAt,
    }),
  );
}

export function sandboxRatings(
  security: SandboxSecurity,
  span: SandboxSpan,
): RowOf<typeof upgradesDowngrades>[] {
  return sandboxReviews(security, span).map((review) => ({
    symbol: security.symbol,
    firm: review.firm,
    analystName: review.analystName,
    action: review.action,
    fromGrade: review.fromGrade ?? null,
    toGrade: review.grade,
    publishedAt: review.publishedAt,
  }));
}

/** Three sessions after each report: what the latest review of every analyst adds up to. */
export function sandboxConsensus(security: SandboxSecurity, span: SandboxSpan): ConsensusRow[] {
  const close = sandboxCloses(security);
  const analysts = analystsOf(security);
  const rows: ConsensusRow[] = [];
  for (const number of reviewedQuarters(security, span)) {
    const asOf = consensusMs(security, number);
    if (asOf === undefined || !isKnown(security, asOf, span)) continue;
    const reviews = analysts.flatMap(
      (analyst) => latestReview(security, analyst, number, close) ?? [],
    );
    if (reviews.length > 0) rows.push(consensusRow(security, asOf, reviews));
  }
  return rows;
}

/** What was published in a span, oldest first; nothing of a fund. */
export function sandboxReviews(security: SandboxSecurity, span: SandboxSpan): Review[] {
  const close = sandboxCloses(security);
  const analysts = analystsOf(security);
  return reviewedQuarters(security, span)
    .flatMap((number) =>
      analysts.flatMap((analyst) => reviewOf(security, analyst, number, close) ?? []),
    )
    .filter(({ publishedAt }) => isKnown(security, publishedAt, span))
    .sort((a, b) => a.publishedAt - b.publishedAt);
}

/** Those whose reviews may lie in a span; with the listing. */
function reviewedQuarters(security: SandboxSecurity, span: SandboxSpan): number[] {
  if (security.type === 'etf') return [];
  const quarters = quartersAround(security, span, { before: 2, after: 0 });
  return [listingNumber(security), ...quarters.map(({ number }) => number)];
}

function isKnown({ model }: SandboxSecurity, ms: number, span: SandboxSpan): boolean {
  return isWithin(ms, span) && newYorkDay(ms) <= (model.lastDay ?? Number.POSITIVE_INFINITY);
}

function consensusMs(security: SandboxSecurity, number: number): number | undefined {
  if (number === listingNumber(security)) return newYorkMs(security.firstDay, 7, 20);
  const session = answeringSession(security, number);
  const day = session === undefined ? undefined : sandboxFactors().days[session + 3];
  return day === undefined ? undefined : newYorkMs(day, 17, 0);
}

function consensusRow(
  { symbol, model }: SandboxSecurity,
  asOf: number,
  reviews: readonly Review[],
): ConsensusRow {
  const shares = sharesMultiplier(model.splits, newYorkDay(asOf));
  const targets = reviews
    .map(({ target, day }) => roundToTick((target * sharesMultiplier(model.splits, day)) / shares))
    .sort((a, b) => a - b);
  const count = (rating: number) => reviews.filter((review) => review.rating === rating).length;
  const sum = targets.reduce((total, target) => total + target, 0);
  const half = targets.length / 2;
  return {
    symbol,
    asOf,
    strongBuy: count(4),
    buy: count(3),
    hold: count(2),
    sell: count(1),
    strongSell: count(0),
    consensus: null,
    targetHigh: targets[targets.length - 1],
    targetLow: targets[0],
    targetMean: roundToTick(sum / targets.length),
    targetMedian: roundToTick((targets[Math.ceil(half) - 1] + targets[Math.floor(half)]) / 2),
  };
}
