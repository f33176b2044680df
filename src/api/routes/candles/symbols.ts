/** Symbols of a bulk request, found and checked in short event-loop ticks. */

import type { Basis } from '../../../base/bars.ts';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { type Interval, isDailyInterval } from '../../../base/time/intervals.ts';
import { monotonicMs, nextTick } from '../../../base/world/clock.ts';
import { derivableBases } from '../../../compute/bars/adjust.ts';
import type { BarsSnapshot, SymbolInfo } from '../../../store/arrow/snapshot/snapshot.ts';
import { intradayBase } from './intraday-series.ts';
import { reasonAgainst } from './served-bars.ts';

/**
 * Checks that all symbols are available on a basis.
 *
 * @param symbols Symbols of the snapshot.
 * @throws {ParameterError} `adjustment`: names the first symbols that are not.
 */
export async function checkDerivable(
  snapshot: BarsSnapshot,
  symbols: readonly string[],
  interval: Interval,
  basis: Basis,
): Promise<void> {
  const unfit = await symbolsWhere(symbols, (symbol) => {
    const info = seriesInfo(snapshot, symbol, interval);
    return info !== undefined && !derivableBases(info).includes(basis);
  });
  if (unfit.length === 0) return;
  const [first] = unfit;
  const info = seriesInfo(snapshot, first, interval)!;
  const reason = reasonAgainst(basis, info);
  throw new ParameterError(
    'adjustment',
    'adjustment must be available for all symbols (omit it for the default of each), ' +
      `got "${basis}", which ${firstNames(unfit)} lack${reason && `: ${first}${reason}`}`,
  );
}

/** Returns all symbols with bars of an interval, ascending. */
export async function symbolsWithBars(
  snapshot: BarsSnapshot,
  interval: Interval,
): Promise<readonly string[]> {
  if (isDailyInterval(interval)) return snapshot.symbols;
  return symbolsWhere(
    snapshot.listings.symbol,
    (symbol) => seriesInfo(snapshot, symbol, interval) !== undefined,
  );
}

/** Returns the facts about the stored bars behind a symbol's bars. */
function seriesInfo(
  snapshot: BarsSnapshot,
  symbol: string,
  interval: Interval,
): SymbolInfo | undefined {
  if (isDailyInterval(interval)) return snapshot.symbol(symbol);
  return intradayBase(snapshot, symbol, interval)?.info;
}

async function symbolsWhere(
  symbols: readonly string[],
  isWanted: (symbol: string) => boolean,
): Promise<string[]> {
  const wanted: string[] = [];
  let tickEndMs = monotonicMs() + limits.bulk.tickBudgetMs;
  for (const symbol of symbols) {
    if (isWanted(symbol)) wanted.push(symbol);
    if (monotonicMs() < tickEndMs) continue;
    await nextTick();
    tickEndMs = monotonicMs() + limits.bulk.tickBudgetMs;
  }
  return wanted;
}

/** Formats a list as `A, B and 7 more`. */
export function firstNames(names: readonly string[]): string {
  const { namedMax } = limits.bulk;
  const named = names.slice(0, namedMax).join(', ');
  return names.length > namedMax ? `${named} and ${names.length - namedMax} more` : named;
}
