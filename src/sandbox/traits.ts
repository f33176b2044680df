/** What kind of company or fund a seed makes: how it moves, what it pays, how large it is. */

import { nextSession } from '../base/time/calendar.ts';
import { dayFromDate } from '../base/time/dates.ts';
import { SECTORS } from '../ingest/directory/sectors.ts';
import type { Habits } from './events.ts';
import type { PathTraits } from './path.ts';
import { integerAt, normalAt, seedAt, uniformAt } from './random.ts';

export interface Traits {
  exchange: 'NYSE' | 'NASDAQ' | 'AMEX';
  firstDay: number;
  /** Where it is delisted before the calendar ends. */
  lastDay: number | undefined;
  /** Before splits, at the start of the year of listing. */
  firstPrice: number;
  /** Market value at the start of `CAP_YEAR`. */
  cap: number;
  /** Part of the shares that changes hands on a usual day. */
  turnover: number;
  path: PathTraits;
  habits: Habits;
}

export const CAP_YEAR = 2025;

const EARLY = dayFromDate('1985-01-02');
const MODERN = dayFromDate('2000-01-03');
const LATE = dayFromDate('2035-06-29');

/** Each trait has a position of its own, so that adding one changes no other. */
const AT = {
  sector: 1,
  path: 2,
  beta: 3,
  spread: 4,
  exchange: 5,
  noise: 6,
  otherNoise: 7,
  cap: 8,
  giant: 9,
  splitAbove: 10,
  threeForTwo: 11,
  consolidates: 12,
  pays: 13,
  yield: 14,
  monthly: 15,
  turnover: 16,
  young: 17,
  firstDay: 18,
  leaves: 19,
  lastDay: 20,
  priceKind: 21,
  price: 22,
  fading: 23,
} as const;

/** @param company Its position decides only who is a giant. */
export function stockTraits(seed: number, company: number): Traits {
  const kind = uniformAt(seed, AT.splitAbove);
  return {
    exchange: (['NYSE', 'NYSE', 'NASDAQ', 'NASDAQ', 'AMEX'] as const)[
      integerAt(seed, AT.exchange, 5)
    ],
    ...commonTraits(seed),
    // A few giants around a trillion, the others from tens of millions to hundreds of billions.
    cap:
      company % 110 === 3
        ? 6e11 + 2.4e12 * uniformAt(seed, AT.giant)
        : Math.max(4e7, 1.5e9 * Math.exp(1.9 * normalAt(seed, AT.cap))),
    path: {
      seed: seedAt(seed, AT.path),
      sector: integerAt(seed, AT.sector, SECTORS.length),
      beta: 0.4 + 1.2 * uniformAt(seed, AT.beta),
      dailySpread: 0.008 + 0.025 * uniformAt(seed, AT.spread) ** 2,
      // One in ten loses a quarter a year, until it consolidates its shares.
      trend: uniformAt(seed, AT.fading) < 0.1 ? -0.25 : 0,
    },
    habits: {
      splitAbove: kind < 0.05 ? 5000 : 70 + 330 * kind ** 2,
      likesThreeForTwo: uniformAt(seed, AT.threeForTwo) < 0.3,
      consolidateBelow: uniformAt(seed, AT.consolidates) < 0.3 ? 0.1 : 1,
      yearlyYield: uniformAt(seed, AT.pays) < 0.4 ? 0 : 0.005 + 0.045 * uniformAt(seed, AT.yield),
      dividendsPerYear: 4,
    },
  };
}

export function fundTraits(seed: number): Traits {
  return {
    exchange: uniformAt(seed, AT.exchange) < 0.2 ? 'NASDAQ' : 'AMEX',
    ...commonTraits(seed),
    cap: 1e9 * Math.exp(1.6 * normalAt(seed, AT.cap)),
    path: {
      seed: seedAt(seed, AT.path),
      sector: undefined,
      beta: 0.2 + uniformAt(seed, AT.beta),
      dailySpread: 0.002 + 0.003 * uniformAt(seed, AT.spread),
      trend: 0,
    },
    habits: {
      splitAbove: 400 + 400 * uniformAt(seed, AT.splitAbove),
      likesThreeForTwo: false,
      consolidateBelow: 5,
      yearlyYield: uniformAt(seed, AT.pays) < 0.2 ? 0 : 0.008 + 0.03 * uniformAt(seed, AT.yield),
      dividendsPerYear: uniformAt(seed, AT.monthly) < 0.2 ? 12 : 4,
    },
  };
}

/** What tells the days of the two classes of one company apart. */
export function noiseSeed(seed: number, isSecondClass: boolean): number {
  return seedAt(seed, isSecondClass ? AT.otherNoise : AT.noise);
}

function commonTraits(
  seed: number,
): Pick<Traits, 'firstDay' | 'lastDay' | 'firstPrice' | 'turnover'> {
  return {
    ...listing(seed),
    firstPrice: firstPrice(seed),
    turnover: 0.0015 + 0.008 * uniformAt(seed, AT.turnover) ** 2,
  };
}

/** Most were listed before 2000, one in seven comes later; one in ten leaves in between. */
function listing(seed: number): Pick<Traits, 'firstDay' | 'lastDay'> {
  const [earliest, latest] = uniformAt(seed, AT.young) < 1 / 7 ? [MODERN, LATE] : [EARLY, MODERN];
  const firstDay = nextSession(earliest + integerAt(seed, AT.firstDay, latest - earliest));
  if (uniformAt(seed, AT.leaves) > 0.1) return { firstDay, lastDay: undefined };
  const leavesFrom = Math.max(firstDay + 30, MODERN);
  const leavesAfter = integerAt(seed, AT.lastDay, LATE + 60 - leavesFrom);
  return { firstDay, lastDay: nextSession(leavesFrom + leavesAfter) };
}

/** Mostly 6 to 40, some pennies, some in the hundreds. */
function firstPrice(seed: number): number {
  const kind = uniformAt(seed, AT.priceKind);
  const size = uniformAt(seed, AT.price);
  if (kind < 0.08) return 0.15 + 2 * size;
  return kind < 0.95 ? 6 + 34 * size : 40 + 400 * size;
}
