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

export function screenerIndex(columns: ScreenerColumns): ScreenerIndex {
  const orders: Partial<Record<ScreenerNumber, SortOrder>> = {};
  const groups: Partial<Record<ScreenerText, CodeGroups>> = {};
  return {
    columns,
    rowCount: columns.price.length,
    order: (column) => (orders[column] ??= sortOrder(columns[column])),
    groups: (column) => (groups[column] ??= codeGroups(columns[column])),
  };
}
