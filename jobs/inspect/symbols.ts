import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { UnknownSymbolError } from '../../src/base/errors.ts';
import { existsSync } from '../../src/base/world/files.ts';
import { missingStore } from '../../src/store/duckdb/connection/missing-store.ts';
import {
  type MarketDb,
  openMarketForReading,
  openMarketForWriting,
} from '../../src/store/duckdb/connection/open.ts';
import {
  type SecurityChange,
  type StatedFacts,
  stateFacts,
} from '../../src/store/duckdb/securities/change-securities.ts';
import type { NamedFact } from '../../src/store/duckdb/securities/named-facts.ts';
import {
  currentSymbol,
  readHistory,
  readSecurity,
  type SecurityHistory,
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

/**
 * Reads all that is stated of the tickers of a symbol.
 *
 * @throws {UnknownSymbolError} no security has or had it, and no fact names it.
 */
export async function showHistory(
  paths: ModePaths,
  name: string,
  onWaiting?: (holder: string) => void,
): Promise<SecurityHistory & { symbol: string }> {
  using market = await openMarketForReading(paths, { onWaiting });
  const symbol = (await currentSymbol(market, name)) ?? name;
  const history = await readHistory(market, name);
  if (history.places.length > 0) return { symbol, ...history };
  throw new UnknownSymbolError(name, `No security has or had the symbol "${name}" in this mode`);
}

const NOT_DELISTED = { delistedDay: null, delistedReason: null, lastClose: null };

export interface SymbolChange extends SecurityTickers {
  changed: boolean;
  warnings: readonly string[];
  publishedVersion: number;
}

/**
 * States a fact about tickers, then publishes. Repeated after an interruption, it publishes what is left.
 *
 * @throws {StoreMissingError} nothing was ever loaded into the sandbox.
 * @throws as `change`; the store is then as before.
 */
export async function changeSymbol(
  paths: ModePaths,
  change: (market: MarketDb) => Promise<SecurityChange>,
  deps: RunDeps,
): Promise<SymbolChange> {
  // The sandbox begins with its own tickers.
  if (paths.mode === 'sandbox' && !existsSync(paths.market)) throw missingStore(paths);
  const market = await openMarketForWriting(paths, deps);
  let changed: boolean;
  let warnings: readonly string[];
  let security: SecurityTickers;
  try {
    const done = await change(market);
    changed = done.changed;
    const { securityId, symbol } = done;
    warnings = done.warnings ?? [];
    security = securityId
      ? await readSecurity(market, symbol)
      : { securityId, symbol, tickers: [], ...NOT_DELISTED };
  } finally {
    market.close();
  }
  const { version } = await publish(paths, deps);
  return { ...security, changed, warnings, publishedVersion: version };
}

/** States facts of files, then publishes. */
export async function loadFacts(
  paths: ModePaths,
  facts: readonly NamedFact[],
  deps: RunDeps,
): Promise<StatedFacts & { publishedVersion: number }> {
  const market = await openMarketForWriting(paths, deps);
  let done: StatedFacts;
  try {
    done = await stateFacts(market, facts, deps.clock?.() ?? deps.nowMs);
  } finally {
    market.close();
  }
  const { version } = await publish(paths, deps);
  return { ...done, publishedVersion: version };
}
