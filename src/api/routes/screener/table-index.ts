/** The index of a screener's table: sorted columns, which all threads share. */

import type { Work } from '../../../base/turns.ts';
import type { CodeGroups } from '../../../compute/screener/code-groups.ts';
import { type ScreenerIndex, screenerIndex } from '../../../compute/screener/index.ts';
import type { SortOrder } from '../../../compute/screener/sort-order.ts';
import {
  contentKey,
  sharedColumns,
  type TypedArray,
} from '../../../store/arrow/format/shared-columns.ts';
import type { ScreenerTable } from '../../../store/arrow/snapshot/snapshot.ts';

/** By column: versions have columns in common. */
const known = new WeakMap<TypedArray, SortOrder | CodeGroups>();

export function indexOfTable({ id, columns }: ScreenerTable): ScreenerIndex {
  return screenerIndex(columns, function* <
    T extends SortOrder | CodeGroups,
  >(name: keyof typeof columns, make: () => Work<T>) {
    const column = columns[name];
    const key = `${name} ${id} ${contentKey([column])}`;
    const made = yield* sharedColumns(key, function* () {
      return (known.get(column) as T | undefined) ?? (yield* make());
    });
    known.set(column, made);
    return made;
  });
}
