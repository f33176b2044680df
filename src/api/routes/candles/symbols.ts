/** Which symbols a bulk request is about, and whether it can be met. Lets others through meanwhile. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Basis } from '../../../base/bars.ts';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits/limits.ts';
import type { Interval } from '../../../base/time/intervals.ts';
import { derivableBases } from '../../../compute/bars/adjust.ts';
import type { Snapshot, SymbolInfo } from '../../../store/arrow/snapshot/snapshot.ts';
import { intradayBase } from './intraday-series.ts';
import { isDailyInterval } from './served-bars.ts';

/**
 * Makes sure that all symbols can be given on a basis.
 *
 * @param symbols Symbols of the snapshot.
 * @throws {ParameterError} `adjustment`: some can't; the message names the first of them.
 */
export async function checkDerivable(
  snapshot: Snapshot,
  symbols: readonly string[],
  interval: Interval,
  basis: Basis,
): Promise<void> {
  const unfit = await symbolsWhere(symbols, (symbol) => {
    const info = seriesInfo(snapshot, symbol, interval);
    return info !== undefined && !derivableBases(info).includes(basis);
  });
  if (unfit.length === 0) return;
  throw new ParameterError(
    'adjustment',
    'adjustment must be one that every symbol can be given in (without it each has its own ' +
      `default), got "${basis}", which ${firstNames(unfit)} can't`,
  );
}

/** All symbols with bars of an interval, ascending. */
export async function symbolsWithBars(
  snapshot: Snapshot,
  interval: Interval,
): Promise<readonly string[]> {
  if (isDailyInterval(interval)) return snapshot.symbols;
  return symbolsWhere(
    snapshot.listings.symbol,
    (symbol) => seriesInfo(snapshot, symbol, interval) !== undefined,
  );
}

/** What is known of the stored bars that a symbol's are made of. */
function seriesInfo(
  snapshot: Snapshot,
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
  let turnEndMs = performance.now() + limits.bulk.turnMs;
  for (const symbol of symbols) {
    if (isWanted(symbol)) wanted.push(symbol);
    if (performance.now() < turnEndMs) continue;
    await nextTurn();
    turnEndMs = performance.now() + limits.bulk.turnMs;
  }
  return wanted;
}

/** `A, B and 7 more`. */
export function firstNames(names: readonly string[]): string {
  const { namedMax } = limits.bulk;
  const named = names.slice(0, namedMax).join(', ');
  return names.length > namedMax ? `${named} and ${names.length - namedMax} more` : named;
}
