/** The tickers that a security has had. */

import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { UnknownSymbolError } from '../../src/base/errors.ts';
import { openMarketForReading } from '../../src/store/duckdb/connection/open.ts';
import {
  currentSymbol,
  readSecurity,
  type SecurityTickers,
} from '../../src/store/duckdb/securities/read-security.ts';

/**
 * The security that has, or last had, a name.
 *
 * @throws {UnknownSymbolError} nobody has or had it; else as `openMarketForReading`.
 */
export async function showSymbol(
  paths: ModePaths,
  name: string,
  onWaiting?: (holder: string) => void,
): Promise<SecurityTickers> {
  const market = await openMarketForReading(paths, { onWaiting });
  try {
    const symbol = await currentSymbol(market, name);
    if (symbol !== undefined) return await readSecurity(market, symbol);
    throw new UnknownSymbolError(name, `Nobody has or had the symbol "${name}" in this mode`);
  } finally {
    market.close();
  }
}
