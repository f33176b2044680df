/** Report dates and the estimates for them. */

import type { DatasetRow } from '../base/datasets/dataset.ts';
import { newYorkDay } from '../base/time/calendar.ts';
import { dilutedShares, perShare, quarterIncome } from './figures.ts';
import { type Company, newYorkMs, type Quarter, quarterAt } from './quarters.ts';
import { type SandboxSecurity, sharesOn } from './universe.ts';

/**
 * Returns what is expected of a quarter. A company beats its estimate when its price does better
 * than the market that day.
 */
export function estimateOf(security: SandboxSecurity, { number, surprise }: Quarter) {
  const { netIncome, revenue } = quarterIncome(security, number);
  const size = Math.max(Math.abs(netIncome), 0.01 * revenue);
  return {
    netIncome: netIncome - 0.06 * surprise * size,
    revenue: revenue * (1 - 0.012 * surprise),
  };
}

/** Returns a row for each quarter, announced half a year ahead or at the listing. */
export function earningsRows({ security, quarters }: Company): DatasetRow[] {
  const listedMs = newYorkMs(security.firstDay, 7, 45);
  return quarters.map((quarter) => {
    const asOf = Math.max(listedMs, quarterAt(security, quarter.number - 2).reportMs);
    const { netIncome, revenue } = estimateOf(security, quarter);
    const shares = sharesOn(security, newYorkDay(asOf));
    return {
      symbol: security.symbol,
      companyName: security.companyName,
      date: quarter.reportDay,
      fiscalQuarter: `${quarter.fiscalYear}-Q${quarter.fiscalQuarter}`,
      time: quarter.time,
      epsEstimate: perShare(netIncome, dilutedShares(security, shares, netIncome)),
      revenueEstimate: Number(revenue.toPrecision(4)),
      asOf,
    };
  });
}
