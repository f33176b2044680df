/** The index of a screener's table: sorted columns, which all threads share. */

import { type ScreenerIndex, screenerIndex } from '../compute/screener-index.ts';
import { contentKey, sharedColumns } from '../store/serving/shared-columns.ts';
import type { ScreenerTable } from '../store/serving/snapshot.ts';

export function indexOfTable({ id, columns }: ScreenerTable): ScreenerIndex {
  return screenerIndex(columns, (name, make) =>
    sharedColumns(`${name} ${id} ${contentKey([columns[name]])}`, make),
  );
}
