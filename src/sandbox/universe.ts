/** Who is traded in the sandbox: companies and funds, their listing, size, splits and dividends. */

import type { Dividend, Split } from '../base/bars.ts';
import { SECTORS } from '../ingest/directory/sectors.ts';
import { dividendsBetween, sharesMultiplier, splitSchedule } from './events.ts';
import { SANDBOX_SEED, yearFromDay } from './factors.ts';
import { companyName, fundName, industryName, rootFromIndex } from './names.ts';
import { createPath, logPriceAtYear, type PricePath } from './path.ts';
import { seedAt } from './random.ts';
import { CAP_YEAR, fundTraits, noiseSeed, stockTraits, type Traits } from './traits.ts';

export interface SandboxSecurity {
  /** Canonical spelling. */
  symbol: string;
  companyName: string;
  exchange: 'NYSE' | 'NASDAQ' | 'AMEX';
  type: 'stock' | 'etf';
  /** One of `SECTORS`; null for a fund, like `industry`. */
  sector: string | null;
  industry: string | null;
  /** On the last day of the universe. */
  sharesOutstanding: number;
  /** First and, where it has been delisted by then, last day with a bar. */
  firstDay: number;
  lastDay?: number;
  /** Those with ex-dates in the universe's days, oldest first. */
  splits: Split[];
  dividends: Dividend[];
  /** What `sandboxBars` makes prices from. */
  model: SandboxModel;
}

export interface SandboxModel {
  path: PricePath;
  /** Tells the two classes of one company apart within a day. */
  noiseSeed: number;
  /** Every split from listing to 2035, known in advance only here. */
  splits: Split[];
  sharesAtListing: number;
  /** Part of the shares that changes hands on a usual day. */
  turnover: number;
  /** Dividends a year as a fraction of the price; 0 for those that pay none. */
  yearlyYield: number;
  /** Where it is ever delisted: its last day, known in advance only here. */
  lastDay: number | undefined;
}

export interface UniverseOptions {
  /** Both included. */
  fromDay: number;
  toDay: number;
  /** Companies that exist at some time between 1985 and 2035; funds come on top, one for seven. */
  stocks?: number;
}

export const SANDBOX_STOCKS = 580;
/** Every so many companies one has two classes of shares. */
const CLASSES_EVERY = 40;

/**
 * All that were listed on some day between `fromDay` and `toDay`.
 *
 * A security is the same in every universe that holds it, but for events and shares, which are
 * those of the days asked; a larger `stocks` adds others.
 */
export function sandboxUniverse(options: UniverseOptions): SandboxSecurity[] {
  const stocks = options.stocks ?? SANDBOX_STOCKS;
  const funds = Math.round(stocks / 7);
  const securities: SandboxSecurity[] = [];
  for (let i = 0; i < stocks; i++) securities.push(createStock(i, options));
  for (let i = 0; i < funds; i++) securities.push(createFund(i, options));
  return securities.filter(
    ({ firstDay, lastDay }) =>
      firstDay <= options.toDay && (lastDay === undefined || lastDay >= options.fromDay),
  );
}

function createStock(index: number, options: UniverseOptions): SandboxSecurity {
  // The company after one with two classes is its second class: same path, other ticker.
  const isFirstClass = index % CLASSES_EVERY === 6;
  const isSecondClass = index % CLASSES_EVERY === 7;
  const company = isSecondClass ? index - 1 : index;
  const seed = seedAt(seedAt(SANDBOX_SEED, 3), company);
  const traits = stockTraits(seed, company);
  const sector = traits.path.sector!;
  const root = rootFromIndex(company * 2);
  const identity = {
    symbol: isFirstClass ? `${root}.A` : isSecondClass ? `${root}.B` : root,
    companyName: companyName(company),
    type: 'stock',
    sector: SECTORS[sector],
    industry: industryName(sector, company),
  } as const;
  return createSecurity(identity, traits, noiseSeed(seed, isSecondClass), options);
}

function createFund(index: number, options: UniverseOptions): SandboxSecurity {
  const seed = seedAt(seedAt(SANDBOX_SEED, 4), index);
  const identity = {
    symbol: rootFromIndex(index * 2 + 1),
    companyName: fundName(index),
    type: 'etf',
    sector: null,
    industry: null,
  } as const;
  return createSecurity(identity, fundTraits(seed), noiseSeed(seed, false), options);
}

function createSecurity(
  identity: Pick<SandboxSecurity, 'symbol' | 'companyName' | 'type' | 'sector' | 'industry'>,
  { exchange, firstDay, lastDay, firstPrice, cap, turnover, habits, ...traits }: Traits,
  noise: number,
  { fromDay, toDay }: UniverseOptions,
): SandboxSecurity {
  const path = createPath(traits.path, yearFromDay(firstDay), firstPrice);
  const schedule = splitSchedule(path, habits, firstDay);
  const sharesAtListing = cap / Math.exp(logPriceAtYear(path, CAP_YEAR));
  const eventsFrom = Math.max(fromDay, firstDay + 1);
  const eventsTo = Math.min(toDay, lastDay ?? toDay);
  return {
    ...identity,
    exchange,
    sharesOutstanding: Math.round(sharesAtListing * sharesMultiplier(schedule, toDay)),
    firstDay,
    ...(lastDay !== undefined && lastDay <= toDay && { lastDay }),
    splits: schedule.filter(({ exDay }) => exDay >= eventsFrom && exDay <= eventsTo),
    dividends: dividendsBetween(path, habits, schedule, eventsFrom, eventsTo),
    model: {
      path,
      noiseSeed: noise,
      splits: schedule,
      sharesAtListing,
      turnover,
      yearlyYield: habits.yearlyYield,
      lastDay,
    },
  };
}
