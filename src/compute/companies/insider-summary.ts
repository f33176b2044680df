import type { RowOf } from '../../base/datasets/dataset.ts';
import type { insider } from '../../base/datasets/filings.ts';
import { filingDay } from '../../base/datasets/insider-filing.ts';

export type InsiderRow = RowOf<typeof insider>;

/** Buys less sells; 0 if there were none. */
export interface InsiderSummary {
  netShares30d: number;
  netValue30d: number;
  netShares90d: number;
  netValue90d: number;
  buyCount90d: number;
  sellCount90d: number;
  mostRecentTransaction: InsiderRow | null;
}

/**
 * Sums buys and sells (codes P and S) of shares by the day of their filing. Options are left out: a
 * contract is no share. A transaction without a price counts with its shares and no value.
 *
 * @param rows One symbol's, without those that an amendment replaced, in any order.
 * @param day The latest trading day, the last of the 30 days. Later filings count from the next
 *   trading day on.
 */
export function insiderSummary(rows: readonly InsiderRow[], day: number): InsiderSummary {
  const summary: InsiderSummary = {
    netShares30d: 0,
    netValue30d: 0,
    netShares90d: 0,
    netValue90d: 0,
    buyCount90d: 0,
    sellCount90d: 0,
    mostRecentTransaction: null,
  };
  for (const row of rows) {
    const newest = summary.mostRecentTransaction;
    if (!newest || comesBefore(row, newest)) summary.mostRecentTransaction = row;
    if (row.isDerivative === 'true') continue;
    if (row.transactionType !== 'buy' && row.transactionType !== 'sell') continue;
    const age = day - filingDay(row.filedAt);
    if (age < 0 || age >= 90) continue;
    const isBuy = row.transactionType === 'buy';
    const shares = (isBuy ? 1 : -1) * (row.shares ?? 0);
    const value = (isBuy ? 1 : -1) * (row.totalValue ?? 0);
    summary.netShares90d += shares;
    summary.netValue90d += value;
    if (isBuy) summary.buyCount90d++;
    else summary.sellCount90d++;
    if (age >= 30) continue;
    summary.netShares30d += shares;
    summary.netValue30d += value;
  }
  return summary;
}

function comesBefore(a: InsiderRow, b: InsiderRow): boolean {
  if (a.filedAt !== b.filedAt) return a.filedAt > b.filedAt;
  if (a.accession !== b.accession) return a.accession > b.accession;
  return a.line < b.line;
}
