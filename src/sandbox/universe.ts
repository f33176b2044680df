/** Companies and funds of the sandbox: their listing, size, price path, splits and dividends. */

import { nextSession } from '../base/time/calendar.ts';
import { dayFromDate } from '../base/time/dates.ts';
import { SECTORS } from '../ingest/directory/sectors.ts';
import {
  type DividendPayer,
  type SplitPolicy,
  sharesMultiplier,
  splitSchedule,
} from './actions.ts';
import { createPath, logPriceAtYear, type PricePath, yearFromDay } from './levels.ts';
import { companyName, fundName, industryName, tickerAt } from './names.ts';
import { integerAt, normalAt, SANDBOX_SEED, seedAt, uniformAt } from './random.ts';

/** A security and its whole life up to 2035. Readers cut off what lies after their day. */
export interface SandboxSecurity extends DividendPayer {
  symbol: string;
  companyName: string;
  exchange: 'NYSE' | 'NASDAQ' | 'AMEX';
  type: 'stock' | 'etf';
  sector: string | null;
  industry: string | null;
  firstDay: number;
  /** Infinity for a security that is never delisted. */
  lastDay: number;
  /** Differs between the two share classes of one company. */
  noiseSeed: number;
  /** Market value at the start of `CAP_YEAR`. */
  typicalCap: number;
  sharesAtListing: number;
  /** Part of the shares that changes hands on a usual day. */
  turnover: number;
}

type Traits = Omit<
  SandboxSecurity,
  'firstDay' | 'lastDay' | 'splits' | 'path' | 'sharesAtListing' | 'turnover'
> & { seed: number; path: Omit<PricePath, 'seed' | 'base' | 'anchors'>; policy: SplitPolicy };

export interface UniverseOptions {
  fromDay: number;
  toDay: number;
  /** Companies that exist at some time from 1985 to 2035; one fund is added for every seven. */
  stocks?: number;
}

const DEFAULT_STOCKS = 580;
/** One in 40 companies has two share classes, which take two places. */
const CLASSES_EVERY = 40;
/** One in 110 companies is worth around a trillion. */
const GIANT_EVERY = 110;
const CAP_YEAR = 2025;
const EARLY = dayFromDate('1985-01-02');
const MODERN = dayFromDate('2000-01-03');
const LATE = dayFromDate('2035-06-29');

/**
 * Returns the securities that are listed on some day between `fromDay` and `toDay`. A security is
 * the same in every universe that holds it; a larger `stocks` adds others.
 */
export function sandboxUniverse(options: UniverseOptions): SandboxSecurity[] {
  const { fromDay, toDay, stocks = DEFAULT_STOCKS } = options;
  const traits = [
    ...Array.from({ length: stocks }, (_, place) => stockTraits(place)),
    ...Array.from({ length: Math.round(stocks / 7) }, (_, index) => fundTraits(index)),
  ];
  return traits
    .map(createSecurity)
    .filter(({ firstDay, lastDay }) => firstDay <= toDay && lastDay >= fromDay);
}

export function sharesOn({ sharesAtListing, splits }: SandboxSecurity, day: number): number {
  return Math.max(1, Math.round(sharesAtListing * sharesMultiplier(splits, day)));
}

function stockTraits(place: number): Traits {
  const shareClass = ['A', 'B'][(place % CLASSES_EVERY) - 6];
  const index = shareClass === 'B' ? place - 1 : place;
  const seed = seedAt(seedAt(SANDBOX_SEED, 3), index);
  const at = (position: number) => uniformAt(seed, position);
  const sector = Math.floor(at(1) * SECTORS.length);
  const root = tickerAt(index * 2);
  return {
    symbol: shareClass ? `${root}.${shareClass}` : root,
    companyName: companyName(index),
    exchange: (['NYSE', 'NYSE', 'NASDAQ', 'NASDAQ', 'AMEX'] as const)[integerAt(seed, 5, 5)],
    type: 'stock',
    sector: SECTORS[sector],
    industry: industryName(sector, index),
    seed,
    noiseSeed: seedAt(seed, shareClass === 'B' ? 7 : 6),
    path: {
      sector,
      beta: 0.4 + 1.2 * at(3),
      dailySpread: 0.008 + 0.025 * at(4) ** 2,
      // One in ten loses a quarter a year, until it consolidates its shares.
      trend: at(23) < 0.1 ? -0.25 : 0,
    },
    typicalCap:
      index % GIANT_EVERY === 3
        ? 6e11 + 2.4e12 * at(9)
        : Math.max(4e7, 1.5e9 * Math.exp(1.9 * normalAt(seed, 8))),
    policy: {
      splitAbove: at(10) < 0.05 ? 5000 : 70 + 330 * at(10) ** 2,
      likesThreeForTwo: at(11) < 0.3,
      consolidateBelow: at(12) < 0.3 ? 0.1 : 1,
    },
    yearlyYield: at(13) < 0.4 ? 0 : 0.005 + 0.045 * at(14),
    dividendsPerYear: 4,
  };
}

function fundTraits(index: number): Traits {
  const seed = seedAt(seedAt(SANDBOX_SEED, 4), index);
  const at = (position: number) => uniformAt(seed, position);
  return {
    symbol: tickerAt(index * 2 + 1),
    companyName: fundName(index),
    exchange: at(5) < 0.2 ? 'NASDAQ' : 'AMEX',
    type: 'etf',
    sector: null,
    industry: null,
    seed,
    noiseSeed: seedAt(seed, 6),
    path: {
      sector: undefined,
      beta: 0.2 + at(3),
      dailySpread: 0.002 + 0.003 * at(4),
      trend: 0,
    },
    typicalCap: 1e9 * Math.exp(1.6 * normalAt(seed, 8)),
    policy: { splitAbove: 400 + 400 * at(10), likesThreeForTwo: false, consolidateBelow: 5 },
    yearlyYield: at(13) < 0.2 ? 0 : 0.008 + 0.03 * at(14),
    dividendsPerYear: at(15) < 0.2 ? 12 : 4,
  };
}

function createSecurity({ seed, policy, ...traits }: Traits): SandboxSecurity {
  const { firstDay, lastDay } = listedDays(seed);
  const own = { ...traits.path, seed: seedAt(seed, 2) };
  const path = createPath(own, yearFromDay(firstDay), firstPrice(seed));
  return {
    ...traits,
    firstDay,
    lastDay,
    path,
    splits: splitSchedule(path, policy, firstDay),
    sharesAtListing: traits.typicalCap / Math.exp(logPriceAtYear(path, CAP_YEAR)),
    turnover: 0.0015 + 0.008 * uniformAt(seed, 16) ** 2,
  };
}

/** Lists most before 2000 and one in seven later; delists one in ten. */
function listedDays(seed: number): { firstDay: number; lastDay: number } {
  const [earliest, latest] = uniformAt(seed, 17) < 1 / 7 ? [MODERN, LATE] : [EARLY, MODERN];
  const firstDay = nextSession(earliest + integerAt(seed, 18, latest - earliest));
  if (uniformAt(seed, 19) > 0.1) return { firstDay, lastDay: Number.POSITIVE_INFINITY };
  const leavesFrom = Math.max(firstDay + 30, MODERN);
  const leavesAfter = integerAt(seed, 20, LATE + 60 - leavesFrom);
  return { firstDay, lastDay: nextSession(leavesFrom + leavesAfter) };
}

/** Returns mostly 6 to 40, some pennies, some hundreds. */
function firstPrice(seed: number): number {
  const kind = uniformAt(seed, 21);
  const size = uniformAt(seed, 22);
  if (kind < 0.08) return 0.15 + 2 * size;
  return kind < 0.95 ? 6 + 34 * size : 40 + 400 * size;
}
