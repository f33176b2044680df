/** Gross profit, which is revenue less its cost. Pure. */

import { decimalSum } from '../../../../base/prices/decimals.ts';
import { FLOW_CONCEPTS } from '../concepts/concepts.ts';
import type { Candidate } from '../concepts/sales.ts';
import { LESS } from './evidence.ts';

type GrossFigures = Record<'revenue' | 'costOfRevenue' | 'grossProfit', number | null>;

/**
 * Adds gross profit, which is revenue less its cost. A cost below zero has its sign turned. A cost
 * that does not fit the stated gross profit is one of several lines, and left out.
 */
export function withGrossProfit(
  revenue: number | null,
  givenCost: number | null,
  givenProfit: number | null,
): GrossFigures {
  if (revenue === null) return { revenue, costOfRevenue: givenCost, grossProfit: givenProfit };
  const isGain = givenCost !== null && givenProfit === revenue - givenCost;
  const isTurned = givenCost !== null && givenCost < 0 && revenue > 0 && !isGain;
  const cost = isTurned
    ? -givenCost
    : (givenCost ?? (givenProfit === null ? null : decimalSum([revenue, -givenProfit])));
  const isWhole = fits({ revenue, costOfRevenue: cost, grossProfit: givenProfit });
  const costOfRevenue = isWhole ? cost : null;
  const grossProfit =
    givenProfit ?? (costOfRevenue === null ? null : decimalSum([revenue, -costOfRevenue]));
  return { revenue, costOfRevenue, grossProfit };
}

/** Largest gap, as a share of revenue, between revenue and cost + gross profit by rounding. */
const SALES_ROUNDING_SHARE = 0.002;

/** Returns true if revenue is cost plus gross profit, or one of them is unknown. */
export function fits({ revenue, costOfRevenue, grossProfit }: GrossFigures): boolean {
  if (revenue === null || costOfRevenue === null || grossProfit === null) return true;
  const gap = Math.abs(revenue - costOfRevenue - grossProfit);
  return gap <= SALES_ROUNDING_SHARE * Math.abs(revenue);
}

/** Returns stated gross profit, and those that revenues less costs would be. */
export function grossProfits(
  grossProfit: number | undefined,
  sales: readonly Candidate[],
  spent: readonly Candidate[],
): Candidate[] {
  const [concept] = FLOW_CONCEPTS.grossProfit;
  const stated = grossProfit === undefined ? [] : [{ basis: concept, value: grossProfit }];
  const left = sales.flatMap((one) =>
    spent.map(({ basis, value }) => ({
      basis: `${one.basis}${LESS}${basis}`,
      value: decimalSum([one.value, -value]),
    })),
  );
  return [...stated, ...left];
}
