/** The columns of a screener with their orders and groups, each made when first asked for. */

import { type CodeGroups, codeGroups } from './code-groups.ts';
import type { ScreenerColumns, ScreenerNumber, ScreenerText } from './screener-columns.ts';
import { type SortOrder, sortOrder } from './sort-order.ts';

export interface ScreenerIndex {
  columns: ScreenerColumns;
  rowCount: number;
  order(column: ScreenerNumber): SortOrder;
  groups(column: ScreenerText): CodeGroups;
}

/** Gives what was made before of the same column, or makes it. */
export type KeepMade = <T extends SortOrder | CodeGroups>(
  column: ScreenerNumber | ScreenerText,
  make: () => T,
) => T;

const keepNothing: KeepMade = (_column, make) => make();

/** @param keep Default: every index makes its own. */
export function screenerIndex(
  columns: ScreenerColumns,
  keep: KeepMade = keepNothing,
): ScreenerIndex {
  const orders: Partial<Record<ScreenerNumber, SortOrder>> = {};
  const groups: Partial<Record<ScreenerText, CodeGroups>> = {};
  return {
    columns,
    rowCount: columns.price.length,
    order: (column) => (orders[column] ??= keep(column, () => sortOrder(columns[column]))),
    groups: (column) => (groups[column] ??= keep(column, () => codeGroups(columns[column]))),
  };
}

const NUMBERS = [
  'price',
  'changePct',
  'volume',
  'rsi14',
  'marketCap',
  'peRatio',
  'dividendYield',
] as const satisfies readonly ScreenerNumber[];

const TEXTS = [
  'sector',
  'industry',
  'country',
  'exchange',
] as const satisfies readonly ScreenerText[];

/** Makes every order and group, one a step: some 2 ms each for 10,000 rows. */
export function* indexSteps(index: ScreenerIndex): Generator<void> {
  for (const column of NUMBERS) {
    index.order(column);
    yield;
  }
  for (const column of TEXTS) {
    index.groups(column);
    yield;
  }
}
