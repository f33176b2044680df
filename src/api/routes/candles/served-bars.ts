/** Symbols, price bases and rows that a request names, as stored. */

import type { Basis } from '../../../base/bars.ts';
import { ParameterError } from '../../../base/errors.ts';
import { knowsDividends, knowsSplits } from '../../../base/prices/action-coverage.ts';
import { dateFromDay, dayFromMillis } from '../../../base/time/dates.ts';
import type { DailyInterval } from '../../../base/time/intervals.ts';
import { defaultBasis, derivableBases, unusableDividend } from '../../../compute/bars/adjust.ts';
import type { BarsSnapshot, RowRange, SymbolInfo } from '../../../store/arrow/snapshot/snapshot.ts';
import type { TimeWindow } from '../../http/query-fields.ts';

/** Returns the facts about a symbol's bars: daily ones, else the longest intraday ones. */
export function barInfo(snapshot: BarsSnapshot, symbol: string): SymbolInfo | undefined {
  return (
    snapshot.symbol(symbol) ?? snapshot.intraday(symbol, '5m') ?? snapshot.intraday(symbol, '1m')
  );
}

/**
 * Chooses the basis of a response.
 *
 * @param info Facts about the stored bars; undefined without bars, when every basis is possible.
 * @throws {ParameterError} `adjustment`: the requested basis can't be derived.
 */
export function responseBasis(info: SymbolInfo | undefined, requested: Basis | undefined): Basis {
  if (!info) return requested ?? 'split';
  if (requested === undefined) return defaultBasis(info);
  const bases = derivableBases(info);
  if (bases.includes(requested)) return requested;
  const { symbol, basis } = info;
  throw new ParameterError(
    'adjustment',
    `adjustment must be ${bases.join(' or ')} for ${symbol}, whose stored basis is ${basis}` +
      `${reasonAgainst(requested, info)}, got "${requested}"`,
  );
}

/** Returns ` (its dividend of 2024-03-01 is in CAD)` if that is why a basis is missing, else ''. */
export function reasonAgainst(basis: Basis, info: SymbolInfo): string {
  // Dividends cannot be taken out of prices, whatever is known.
  if (info.basis === 'all') return '';
  const dates = [info.firstBarUs, info.lastBarUs].map((us) =>
    dateFromDay(dayFromMillis(Number(us / 1000n))),
  );
  const unknown = !knowsSplits(info) ? 'splits' : !knowsDividends(info) ? 'dividends' : undefined;
  if (unknown === 'splits' || (unknown !== undefined && basis === 'all')) {
    return ` (its ${unknown} are not known from ${dates.join(' to ')})`;
  }
  const paid = basis === 'all' ? unusableDividend(info) : undefined;
  if (!paid) return '';
  return ` (its dividend of ${dateFromDay(paid.exDay)} is in ${paid.currency})`;
}

/** Returns the rows of a window, at most `rowsMax` of the newest. */
export function rowsOfWindow(
  snapshot: BarsSnapshot,
  symbol: string,
  interval: DailyInterval,
  {
    fromUs,
    toUs,
    rowsMax = Number.POSITIVE_INFINITY,
  }: TimeWindow & { rowsMax?: number | undefined },
): RowRange {
  const end =
    toUs === undefined
      ? snapshot.rowCount(symbol, interval)
      : snapshot.rowAt(symbol, interval, toUs + 1n);
  const first = fromUs === undefined ? 0 : snapshot.rowAt(symbol, interval, fromUs);
  return { start: Math.min(Math.max(first, end - rowsMax), end), end };
}
