/** Makes records of symbols from the rows of corporate-actions files. Pure. */

import type { Dividend, Split } from '../../base/bars.ts';
import { dateFromDay } from '../../base/time/dates.ts';
import type { ActionType, SymbolActions } from '../../store/duckdb/connection/candle-segment.ts';

/** A good row. A split has a numerator and a denominator, all others an amount. */
export interface ActionRow {
  symbol: string;
  type: 'split' | 'dividend' | 'spin-off' | 'cancelled split' | 'cancelled dividend';
  exDay: number;
  /** Null in a cancelled split without a ratio. */
  numerator: number | null;
  denominator: number | null;
  amount: number | null;
  /** Null for that of the prices. */
  currency: string | null;
}

export interface Coverage {
  fromDay: number;
  toDay: number;
}

/** Returns the type whose list an action belongs to. A spin-off counts like a dividend. */
export function coveredType(type: unknown): ActionType | undefined {
  if (type === 'split' || type === 'cancelled split') return 'split';
  const isPaid = type === 'dividend' || type === 'cancelled dividend' || type === 'spin-off';
  return isPaid ? 'dividend' : undefined;
}

/**
 * Makes the records of all symbols, by symbol.
 *
 * @param rows Rows of the types that are complete.
 * @param types By symbol, the types that its record states in full; symbols without any have none.
 */
export function actionRecords(
  rows: readonly ActionRow[],
  types: ReadonlyMap<string, ReadonlySet<ActionType>>,
  { fromDay, toDay }: Coverage,
): SymbolActions[] {
  const bySymbol = Map.groupBy(rows, ({ symbol }) => symbol);
  return [...types]
    .filter(([, known]) => known.size > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([symbol, known]) => {
      const of = bySymbol.get(symbol) ?? [];
      return {
        symbol,
        splits: splitsOfRows(of),
        dividends: dividendsOfRows(of),
        ...(known.size === 1 && { covers: [...known][0] }),
        coverageFromDay: fromDay,
        coverageToDay: toDay,
      };
    });
}

/** Finds a day with splits of different ratios: neither can be taken. */
export function contradiction(rows: readonly ActionRow[]): string | undefined {
  const days = Map.groupBy(takenSplits(rows), ({ exDay }) => exDay);
  for (const [exDay, splits] of days) {
    const ratios = splits.map(({ numerator, denominator }) => `${numerator}:${denominator}`);
    if (ratios.length > 1) {
      return `it has two splits on ${dateFromDay(exDay)}, ${ratios.join(' and ')}`;
    }
  }
  return undefined;
}

/** Returns the splits that no row withdraws. */
function takenSplits(rows: readonly ActionRow[]): ActionRow[] {
  const cancelled = rows.filter(({ type }) => type === 'cancelled split');
  const isCancelled = (split: ActionRow) =>
    cancelled.some(
      ({ exDay, numerator, denominator }) =>
        exDay === split.exDay &&
        (numerator === null ||
          (numerator === split.numerator && denominator === split.denominator)),
    );
  return rows.filter((row) => row.type === 'split' && !isCancelled(row));
}

function splitsOfRows(rows: readonly ActionRow[]): Split[] {
  return takenSplits(rows)
    .map(({ exDay, numerator, denominator }) => ({
      exDay,
      numerator: numerator!,
      denominator: denominator!,
    }))
    .sort(byDay);
}

/** Adds up the dividends of a day and currency, each amount of which is there once. */
function dividendsOfRows(rows: readonly ActionRow[]): Dividend[] {
  const cancelled = rows.filter(({ type }) => type === 'cancelled dividend');
  const isCancelled = ({ exDay, amount }: ActionRow) =>
    cancelled.some((one) => one.exDay === exDay && (one.amount ?? amount) === amount);
  const paid = rows.filter(
    (row) => (row.type === 'dividend' || row.type === 'spin-off') && !isCancelled(row),
  );
  const byKind = Map.groupBy(paid, ({ type, exDay, currency }) => `${type} ${exDay} ${currency}`);
  return [...byKind.values()]
    .map((group) => {
      const [{ type, exDay, currency }] = group;
      const amount = group.reduce((sum, one) => sum + one.amount!, 0);
      return {
        exDay,
        amount,
        ...(currency !== null && { currency }),
        ...(type === 'spin-off' && { isSpinOff: true }),
      };
    })
    .sort(byDay);
}

function byDay(a: { exDay: number }, b: { exDay: number }): number {
  return a.exDay - b.exDay;
}
