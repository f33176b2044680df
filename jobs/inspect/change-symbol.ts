/**
 * A rename or a delisting to the end: the store's part in one transaction, then a publish.
 *
 * Resumable as a load is: what the store has is pending until some publish shows it, and the same
 * command again changes nothing and publishes what is left.
 */

import { existsSync } from 'node:fs';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { type MarketDb, openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import { missingStore } from '../../src/store/duckdb/schema/missing-store.ts';
import type { SecurityChange } from '../../src/store/duckdb/securities/change-securities.ts';
import {
  readSecurity,
  type SecurityTickers,
} from '../../src/store/duckdb/securities/read-security.ts';
import type { RunDeps } from '../contract/reports.ts';
import { publish } from '../publish/publish.ts';

export interface SymbolChange extends SecurityTickers {
  /** False where all was so already. */
  changed: boolean;
  /** The version that is published now. */
  publishedVersion: number;
}

/**
 * @throws {StoreMissingError} nothing was ever loaded.
 * @throws as `change`; the store is then as before.
 */
export async function changeSymbol(
  paths: ModePaths,
  change: (market: MarketDb) => Promise<SecurityChange>,
  deps: RunDeps,
): Promise<SymbolChange> {
  if (!existsSync(paths.market)) throw missingStore(paths);
  const market = await openMarketForWriting(paths, deps);
  let changed: boolean;
  let security: SecurityTickers;
  try {
    const done = await change(market);
    changed = done.changed;
    security = await readSecurity(market, done.symbol);
  } finally {
    market.close();
  }
  const { version } = await publish(paths, deps);
  return { ...security, changed, publishedVersion: version };
}
