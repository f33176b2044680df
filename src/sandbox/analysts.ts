/**
 * Analysts: a firm reviews a company after the report of every third quarter. Price targets,
 * rating changes and the consensus follow from the reviews.
 */

import type { DatasetRow } from '../base/datasets/dataset.ts';
import { sharesMultiplier } from './actions.ts';
import { SESSIONS } from './levels.ts';
import { firmName, personName } from './names.ts';
import { roundToTick } from './prices.ts';
import { type Company, newYorkMs, recordSeed, reportPlace } from './quarters.ts';
import { integerAt, normalAt, seedAt } from './random.ts';
import type { SandboxSecurity } from './universe.ts';

const FIRMS = 17;
const REVIEW_QUARTERS = 3;
const GRADES = ['Sell', 'Underperform', 'Neutral', 'Outperform', 'Top Pick'];
/** Log distance of a target from the price, by rating. */
const UPSIDE = [-0.25, -0.1, 0.04, 0.16, 0.3];

/** Returns the reviews of a company, with the columns of price targets and of rating changes. */
export function reviewRows(company: Company): DatasetRow[] {
  return company.quarters.flatMap(({ number }) =>
    firmsOf(company.security)
      .filter((firm) => quartersSinceReview(firm, number) === 0)
      .flatMap((firm) => reviewOf(company, firm, number) ?? []),
  );
}

/** Returns the latest reviews of all firms, added up three sessions after each report. */
export function consensusRows(company: Company): DatasetRow[] {
  const { security } = company;
  return company.quarters.flatMap(({ number, place }) => {
    const day = SESSIONS[place + 3];
    const reviews = firmsOf(security).flatMap(
      (firm) => reviewOf(company, firm, number - quartersSinceReview(firm, number)) ?? [],
    );
    if (reviews.length === 0) return [];
    const shares = (on: number) => sharesMultiplier(security.splits, on);
    const targets = reviews
      .map((review) => roundToTick((review.target * shares(review.day)) / shares(day)))
      .sort((a, b) => a - b);
    const count = (score: number) => reviews.filter((review) => review.score === score).length;
    const half = targets.length / 2;
    return {
      symbol: security.symbol,
      asOf: newYorkMs(day, 17, 0),
      strongBuy: count(4),
      buy: count(3),
      hold: count(2),
      sell: count(1),
      strongSell: count(0),
      targetHigh: targets[targets.length - 1],
      targetLow: targets[0],
      targetMean: roundToTick(targets.reduce((sum, target) => sum + target, 0) / targets.length),
      targetMedian: roundToTick((targets[Math.ceil(half) - 1] + targets[Math.floor(half)]) / 2),
    };
  });
}

/** Returns two firms for the smallest company, sixteen for a giant. */
function firmsOf(security: SandboxSecurity): number[] {
  const size = Math.round(2 + 3 * Math.log10(security.typicalCap / 1e8));
  const first = integerAt(recordSeed(security, 4), 1, FIRMS);
  const count = Math.min(Math.max(size, 2), FIRMS - 1);
  return Array.from({ length: count }, (_, i) => (first + i) % FIRMS);
}

function quartersSinceReview(firm: number, number: number): number {
  return (number + firm) % REVIEW_QUARTERS;
}

/** Returns the review of a firm in a quarter; undefined before the listing. */
function reviewOf({ security, close }: Company, firm: number, number: number) {
  const isListed = (quarter: number) =>
    SESSIONS[reportPlace(security, quarter)] > security.firstDay;
  if (!isListed(number)) return undefined;
  const seed = seedAt(recordSeed(security, 4), 100 + firm);
  const place = reportPlace(security, number);
  const day = SESSIONS[place + 1];
  const score = scoreOf(seed, number);
  const isFirst = !isListed(number - REVIEW_QUARTERS);
  const scoreBefore = scoreOf(seed, number - REVIEW_QUARTERS);
  const change = score > scoreBefore ? 'upgrade' : score < scoreBefore ? 'downgrade' : undefined;
  const noise = 0.08 * normalAt(seedAt(seed, 7), number);
  return {
    symbol: security.symbol,
    firm: firmName(firm),
    analystName: personName(seed),
    score,
    action: isFirst ? 'initiate' : (change ?? (number % 2 === 0 ? 'reiterate' : 'maintain')),
    fromGrade: isFirst ? null : GRADES[scoreBefore],
    toGrade: GRADES[score],
    rating: GRADES[score],
    /** On the split basis of `day`. */
    target: roundToTick(close(place) * Math.exp(UPSIDE[score] + noise)),
    day,
    publishedAt: newYorkMs(day, 6, 10 * firm),
  };
}

function scoreOf(seed: number, number: number): number {
  const mood = normalAt(seedAt(seed, 4), Math.floor(number / (2 * REVIEW_QUARTERS)));
  return Math.min(4, Math.max(0, Math.round(2.6 + 0.95 * mood)));
}
