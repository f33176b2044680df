/** What analysts of the sandbox think of a company, and when they say so: after its reports. */

import type { RATING_ACTIONS } from '../base/datasets/analysts.ts';
import { typicalCap } from './business.ts';
import { sandboxFactors } from './factors.ts';
import { analystFirmName, personName } from './names.ts';
import { roundToTick } from './prices.ts';
import { integerAt, normalAt, seedAt, uniformAt } from './random.ts';
import { answeringSession, companySeed, firstReportAfter, newYorkMs } from './reporting.ts';
import type { SandboxSecurity } from './universe.ts';

export interface Review {
  firm: string;
  analystName: string;
  /** 0, the worst, to 4. */
  rating: number;
  grade: string;
  /** Before it; undefined for the first one. */
  fromGrade: string | undefined;
  action: (typeof RATING_ACTIONS)[number];
  /** On the split basis of `day`. */
  target: number;
  /** Of publication: a session. */
  day: number;
  publishedAt: number;
}

/** An analyst of a firm who covers a company. */
interface Analyst {
  /** Place among those of the company. */
  place: number;
  firm: number;
  seed: number;
  /** Views hold for so many quarters, counted from this one on. */
  phase: number;
  /** The quarter of the first review. */
  since: number;
}

const FIRMS = 17;
const VIEW_QUARTERS = 5;
/** Of other quarters, how many bring a new target. */
const TARGET_ODDS = 0.12;
/** Cover a company from its first day on. */
const AT_LISTING = 2;
const ANALYSTS_MAX = 16;

/** From 0 to 4, in the words of one firm or another. */
const GRADES = [
  ['Strong Sell', 'Sell', 'Hold', 'Buy', 'Strong Buy'],
  ['Sell', 'Underperform', 'Neutral', 'Outperform', 'Top Pick'],
  ['Avoid', 'Underweight', 'Equal Weight', 'Overweight', 'Conviction Buy'],
] as const;
/** What a target is above the price, by rating. */
const UPSIDE = [-0.25, -0.1, 0.04, 0.16, 0.3] as const;

const AT = { firm: 1, step: 2, phase: 3, view: 4, target: 5, when: 6, upside: 7 } as const;

/** Quarter that stands for a company's listing, when the first analysts begin. */
export function listingNumber(security: SandboxSecurity): number {
  return firstReportAfter(security, security.firstDay) - 1;
}

/** Two at the smallest, sixteen at giants. */
export function analystsOf(security: SandboxSecurity): Analyst[] {
  const seed = companySeed(security, 'analysts');
  const size = Math.round(2 + 3 * Math.log10(typicalCap(security) / 1e8));
  const listed = listingNumber(security);
  const first = integerAt(seed, AT.firm, FIRMS);
  const step = 1 + integerAt(seed, AT.step, FIRMS - 1);
  return Array.from({ length: Math.min(Math.max(size, AT_LISTING), ANALYSTS_MAX) }, (_, place) => {
    const firm = (first + place * step) % FIRMS;
    const own = seedAt(seed, 100 + firm);
    const phase = integerAt(own, AT.phase, VIEW_QUARTERS);
    const nextView = (Math.floor((listed + phase) / VIEW_QUARTERS) + 1) * VIEW_QUARTERS - phase;
    return { place, firm, seed: own, phase, since: place < AT_LISTING ? listed : nextView };
  });
}

/**
 * What an analyst says after the report of a quarter.
 *
 * @param close From `sandboxCloses`.
 * @returns undefined for a quarter in which nothing is said.
 */
export function reviewOf(
  security: SandboxSecurity,
  analyst: Analyst,
  number: number,
  close: (day: number) => number,
): Review | undefined {
  const { place, firm, seed, phase, since } = analyst;
  const isFirst = number === since;
  const isView = (number + phase) % VIEW_QUARTERS === 0;
  const hasTarget = uniformAt(seedAt(seed, AT.target), number) < TARGET_ODDS;
  if (number < since || !(isFirst || isView || hasTarget)) return undefined;
  const when = publication(security, analyst, number);
  if (!when) return undefined;
  const rating = ratingOf(analyst, number);
  const before = isFirst ? undefined : ratingOf(analyst, number - 1);
  const grades = GRADES[firm % GRADES.length];
  const noise = 0.08 * normalAt(seedAt(seed, AT.upside), number);
  return {
    firm: analystFirmName(firm),
    analystName: personName(seedAt(seed, place)),
    rating,
    grade: grades[rating],
    fromGrade: before === undefined ? undefined : grades[before],
    action: actionOf(before, rating, isView),
    target: roundTarget(close(when.priceDay) * Math.exp(UPSIDE[rating] + noise)),
    day: when.day,
    publishedAt: when.publishedAt,
  };
}

/** The last thing an analyst said up to a quarter; undefined before the first. */
export function latestReview(
  security: SandboxSecurity,
  analyst: Analyst,
  number: number,
  close: (day: number) => number,
): Review | undefined {
  for (let one = number; one >= Math.max(analyst.since, number - VIEW_QUARTERS); one--) {
    const review = reviewOf(security, analyst, one, close);
    if (review) return review;
  }
  return undefined;
}

/** A morning or two after the session that answered the report. */
function publication(
  security: SandboxSecurity,
  { place, seed, since }: Analyst,
  number: number,
): { day: number; priceDay: number; publishedAt: number } | undefined {
  const { firstDay } = security;
  if (number === since && place < AT_LISTING) {
    return { day: firstDay, priceDay: firstDay, publishedAt: newYorkMs(firstDay, 7, 10 + place) };
  }
  const session = answeringSession(security, number);
  if (session === undefined) return undefined;
  const { days } = sandboxFactors();
  const bits = seedAt(seedAt(seed, AT.when), number);
  const day = days[session + 1 + integerAt(bits, 0, 2)];
  if (day === undefined) return undefined;
  const publishedAt = newYorkMs(day, 6, 0) + integerAt(bits, 1, 180) * 60_000;
  return { day, priceDay: days[session], publishedAt };
}

function ratingOf({ seed, phase }: Analyst, number: number): number {
  const view = Math.floor((number + phase) / VIEW_QUARTERS);
  const mood = normalAt(seedAt(seed, AT.view), view);
  return Math.min(4, Math.max(0, Math.round(2.6 + 0.95 * mood)));
}

function actionOf(before: number | undefined, rating: number, isView: boolean): Review['action'] {
  if (before === undefined) return 'initiate';
  if (rating !== before) return rating > before ? 'upgrade' : 'downgrade';
  return isView ? 'reiterate' : 'maintain';
}

/** As analysts like them: whole dollars, less coarse where shares are cheap. */
function roundTarget(price: number): number {
  if (price >= 20) return Math.round(price);
  return price >= 5 ? Math.round(price * 2) / 2 : roundToTick(price);
}
