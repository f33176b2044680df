import { existsSync } from 'node:fs';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { UnknownSymbolError } from '../../src/base/errors.ts';
import { missingStore } from '../../src/store/duckdb/connection/missing-store.ts';
import {
  type MarketDb,
  openMarketForReading,
  openMarketForWriting,
} from '../../src/store/duckdb/connection/open.ts';
import type { SecurityChange } from '../../src/store/duckdb/securities/change-securities.ts';
import {
  currentSymbol,
  readSecurity,
  type SecurityTickers,
} from '../../src/store/duckdb/securities/read-security.ts';
import type { RunDeps } from '../contract/reports.ts';
import { publish } from '../publish/publish.ts';

/**
 * Reads the security that has, or last had, a symbol.
 *
 * @throws {UnknownSymbolError} none has or had it.
 */
export async function showSymbol(
  paths: ModePaths,
  name: string,
  onWaiting?: (holder: string) => void,
): Promise<SecurityTickers> {
  using market = await openMarketForReading(paths, { onWaiting });
  const symbol = await currentSymbol(market, name);
  if (symbol !== undefined) return await readSecurity(market, symbol);
  throw new UnknownSymbolError(name, `No security has or had the symbol "${name}" in this mode`);
}

export interface SymbolChange extends SecurityTickers {
  changed: boolean;
  publishedVersion: number;
}

/**
 * Renames or delists, then publishes. Repeated after an interruption, it publishes what is left.
 *
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
