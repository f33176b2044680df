/** The columns of a screener with their orders and groups, each made when first asked for. */

import { doneAtOnce, type Work } from '../../base/turns.ts';
import { type CodeGroups, codeGroups } from './code-groups.ts';
import {
  SCREENER_NUMBERS,
  SCREENER_TEXTS,
  type ScreenerColumns,
  type ScreenerNumber,
  type ScreenerText,
} from './columns.ts';
import { makingSortOrder, type SortOrder } from './sort-order.ts';

export interface ScreenerIndex {
  columns: ScreenerColumns;
  rowCount: number;
  order(column: ScreenerNumber): SortOrder;
  groups(column: ScreenerText): CodeGroups;
  /** Makes all that is not made yet. */
  completing(): Work<void>;
}

/** Gives what was made before of the same column, or makes it. */
export type KeepMade = <T extends SortOrder | CodeGroups>(
  column: ScreenerNumber | ScreenerText,
  make: () => Work<T>,
) => Work<T>;

const keepNothing: KeepMade = (_column, make) => make();

/** @param keep Default: every index makes its own. */
export function screenerIndex(
  columns: ScreenerColumns,
  keep: KeepMade = keepNothing,
): ScreenerIndex {
  const orders: Partial<Record<ScreenerNumber, SortOrder>> = {};
  const groups: Partial<Record<ScreenerText, CodeGroups>> = {};
  function* makingOrder(column: ScreenerNumber): Work<SortOrder> {
    orders[column] ??= yield* keep(column, () => makingSortOrder(columns[column]));
    return orders[column];
  }
  function* makingGroups(column: ScreenerText): Work<CodeGroups> {
    const make = function* () {
      yield;
      return codeGroups(columns[column]);
    };
    groups[column] ??= yield* keep(column, make);
    return groups[column];
  }
  return {
    columns,
    rowCount: columns.price.length,
    order: (column) => orders[column] ?? doneAtOnce(makingOrder(column)),
    groups: (column) => groups[column] ?? doneAtOnce(makingGroups(column)),
    *completing() {
      for (const column of SCREENER_NUMBERS) {
        yield* makingOrder(column);
        yield;
      }
      for (const column of SCREENER_TEXTS) {
        yield* makingGroups(column);
        yield;
      }
    },
  };
}
