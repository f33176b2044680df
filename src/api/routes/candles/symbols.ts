/** Symbols of a bulk request, found and checked in short event-loop ticks. */

import type { Basis } from '../../../base/bars.ts';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import {
  type Interval,
  isDailyInterval,
  type SessionChoice,
} from '../../../base/time/intervals.ts';
import { monotonicMs, nextTick } from '../../../base/world/clock.ts';
import { derivableBases } from '../../../compute/bars/adjust.ts';
import type { BarsSnapshot, SymbolInfo } from '../../../store/arrow/snapshot/snapshot.ts';
import { reasonAgainst } from './served-bars.ts';
import { seriesInfos, sharedBasis } from './session-series.ts';

/**
 * Checks that the bars of all symbols are available on the basis of the window, or on any common one
 * where it has none and the bars are of several stored series.
 *
 * @param symbols Symbols of the snapshot.
 * @throws {ParameterError} `adjustment` or `session`: names the first symbols that are not.
 */
export async function checkDerivable(
  snapshot: BarsSnapshot,
  symbols: readonly string[],
  {
    interval,
    session = 'regular',
    adjustment: basis,
  }: SeriesChoice & { adjustment: Basis | undefined },
): Promise<void> {
  if (basis === undefined && session === 'regular') return;
  const infosOf = (symbol: string) => storedInfos(snapshot, symbol, { interval, session });
  const isUnfit = (infos: readonly SymbolInfo[]) =>
    basis === undefined
      ? infos.length > 0 && sharedBasis(infos) === undefined
      : infos.some((info) => !derivableBases(info).includes(basis));
  const unfit = await symbolsWhere(symbols, (symbol) => isUnfit(infosOf(symbol)));
  if (unfit.length === 0) return;
  if (basis === undefined) {
    throw new ParameterError(
      'session',
      `session must be regular for ${firstNames(unfit)}, whose bars of other hours have another ` +
        `price basis, got "${session}"`,
    );
  }
  const [first] = unfit;
  const info = infosOf(first).find((one) => !derivableBases(one).includes(basis))!;
  const reason = reasonAgainst(basis, info);
  throw new ParameterError(
    'adjustment',
    'adjustment must be available for all symbols (omit it for the default of each), ' +
      `got "${basis}", which ${firstNames(unfit)} lack${reason && `: ${first}${reason}`}`,
  );
}

export interface SeriesChoice {
  interval: Interval;
  session?: SessionChoice | undefined;
}

/** Returns all symbols with bars of an interval, ascending. */
export async function symbolsWithBars(
  snapshot: BarsSnapshot,
  choice: SeriesChoice,
): Promise<readonly string[]> {
  if (isDailyInterval(choice.interval)) return snapshot.symbols;
  return symbolsWhere(
    snapshot.listings.symbol,
    (symbol) => storedInfos(snapshot, symbol, choice).length > 0,
  );
}

/** Returns the facts about the stored bars behind a symbol's bars. */
function storedInfos(
  snapshot: BarsSnapshot,
  symbol: string,
  { interval, session }: SeriesChoice,
): SymbolInfo[] {
  if (!isDailyInterval(interval)) return seriesInfos(snapshot, symbol, interval, session);
  const info = snapshot.symbol(symbol);
  return info ? [info] : [];
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
