/** Rows that were found in layers of lists and whose texts are not read yet. */

import type { OpenListLayer } from './layer.ts';
import type { ListRow } from './specs.ts';

export interface FoundRow {
  layer: OpenListLayer;
  row: number;
}

/**
 * Reads rows in their order; those that lie together at once.
 *
 * @throws {CorruptDataError} the file is damaged.
 */
export function readFoundRows(found: readonly FoundRow[]): ListRow[] {
  const rows: ListRow[] = [];
  for (let start = 0; start < found.length; ) {
    const { layer, row } = found[start];
    let end = start + 1;
    while (found[end]?.layer === layer && found[end].row === row + end - start) end++;
    layer.readRows(row, row + end - start, rows);
    start = end;
  }
  return rows;
}
