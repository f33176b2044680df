/** Facts about tickers, as commands state them. */

import type { MarketDb } from '../../src/store/duckdb/connection/open.ts';
import {
  type SecurityChange,
  stateFact,
} from '../../src/store/duckdb/securities/change-securities.ts';

interface Rename {
  from: string;
  to: string;
  /** First day under the new ticker. */
  day: number;
  nowMs: number;
}

export function renameSecurity(
  market: MarketDb,
  { from: ticker, to: other, day, nowMs }: Rename,
): Promise<SecurityChange> {
  return stateFact(market, { fact: { kind: 'rename', ticker, day, other }, nowMs });
}

export function delistSecurity(
  market: MarketDb,
  { symbol: ticker, day, nowMs }: { symbol: string; day: number; nowMs: number },
): Promise<SecurityChange> {
  return stateFact(market, { fact: { kind: 'delist', ticker, day }, nowMs });
}
