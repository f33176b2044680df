/** What kind of business a company of the sandbox has: its size, margins and means. */

import { SECTORS } from '../ingest/directory/sectors.ts';
import { logPriceAtYear } from './path.ts';
import { normalAt, uniformAt } from './random.ts';
import { companySeed } from './reporting.ts';
import { CAP_YEAR } from './traits.ts';
import type { SandboxModel, SandboxSecurity } from './universe.ts';

/** What stays the same over a company's life. */
export interface Business {
  /** Of what changes from quarter to quarter, too. */
  seed: number;
  /** Market value over a year's sales. */
  priceToSales: number;
  /** Net income over sales. */
  margin: number;
  /** Gross profit over sales, beyond operating income. */
  overhead: number;
  /** How much more the best quarter sells than a usual one. */
  season: number;
  assetsToSales: number;
  equityShare: number;
  cashShare: number;
  /** Of what it owes. */
  debtShare: number;
  /** Amounts are multiples of this. */
  unit: number;
}

const AT = {
  loses: 1,
  margin: 2,
  priceToEarnings: 3,
  overhead: 4,
  season: 5,
  assets: 6,
  equity: 7,
  cash: 8,
  debt: 9,
} as const;

const LARGE_CAP = 1e10;

/** Market value at the start of `CAP_YEAR`, by which things are sized. */
export function typicalCap({ model }: SandboxSecurity): number {
  return model.sharesAtListing * Math.exp(logPriceAtYear(model.path, CAP_YEAR));
}

const businesses = new WeakMap<SandboxModel, Business>();

/** Worked out once a company: every figure of every quarter needs it. */
export function businessOf(security: SandboxSecurity): Business {
  const known = businesses.get(security.model);
  if (known) return known;
  const business = createBusiness(security);
  businesses.set(security.model, business);
  return business;
}

function createBusiness(security: SandboxSecurity): Business {
  const seed = companySeed(security, 'fundamentals');
  const { path, yearlyYield } = security.model;
  const at = (position: number) => uniformAt(seed, position);
  const losesMoney = at(AT.loses) < (yearlyYield > 0 ? 0.04 : 0.45);
  const margin = losesMoney
    ? -(0.02 + 0.5 * at(AT.margin) ** 2)
    : 0.03 + 0.22 * at(AT.margin) ** 1.5;
  // What is paid out has to be earned.
  const highest = yearlyYield > 0 ? Math.min(60, 0.85 / yearlyYield) : 90;
  const priceToEarnings = Math.min(
    highest,
    19 * Math.exp(0.4 * normalAt(seed, AT.priceToEarnings)),
  );
  const isBank = path.sector === SECTORS.indexOf('Financial Services');
  const isHeavy = ['Real Estate', 'Utilities', 'Energy'].includes(SECTORS[path.sector ?? 0]);
  return {
    seed,
    priceToSales: losesMoney ? 1 + 7 * at(AT.priceToEarnings) : priceToEarnings * margin,
    margin,
    overhead: 0.05 + 0.4 * at(AT.overhead),
    season: 0.12 * at(AT.season),
    assetsToSales: (isBank ? 5 : isHeavy ? 2 : 0.7) * (1 + 1.2 * at(AT.assets)),
    equityShare: isBank
      ? 0.07 + 0.06 * at(AT.equity)
      : at(AT.equity) < 0.03
        ? -0.1
        : 0.2 + 0.55 * at(AT.equity),
    cashShare: 0.02 + 0.25 * at(AT.cash) ** 2,
    debtShare: 0.75 * at(AT.debt),
    unit: typicalCap(security) > LARGE_CAP ? 1e6 : 1e3,
  };
}
