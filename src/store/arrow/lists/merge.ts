/** Compacts layers of a dataset's lists, as an LSM tree does, with new lists on top. */

import type { DatasetList } from '../../../base/datasets/dataset.ts';
import type { ListName } from '../../../base/datasets/datasets.ts';
import { limits } from '../../../base/limits.ts';
import type { OpenListLayer } from './layer.ts';
import type { ListLayerWriter } from './layer-writer.ts';
import { compareRows, LIST_SPECS, type WrittenRow } from './specs.ts';

/** New lists by key: a whole list, or for joined lists the rows that change it, in list order. */
export type NewLists = ReadonlyMap<string, readonly WrittenRow[]>;

/**
 * Returns how many of the oldest layers stay below a new one: each has clearly more rows than all
 * newer ones together, so a row is rewritten only when the number of rows has grown fourfold.
 *
 * @param rowCounts Rows of the layers, oldest first.
 */
export function layersKept(rowCounts: readonly number[], newRows: number): number {
  let newer = newRows;
  let kept = rowCounts.length;
  while (kept > 0 && newer >= limits.serving.listMergeShare * rowCounts[kept - 1]) {
    newer += rowCounts[--kept];
  }
  return kept;
}

/**
 * Writes the compaction of layers and new lists.
 *
 * @param merged Layers above those that are kept, oldest first.
 * @param isOldest True if none are kept: then removing rows have nothing left to remove.
 */
export async function mergeLists(
  writer: ListLayerWriter,
  name: ListName,
  { merged, isOldest }: { merged: readonly OpenListLayer[]; isOldest: boolean },
  newLists: NewLists,
): Promise<void> {
  const keys = new Set([...merged.flatMap((layer) => layer.lists), ...newLists.keys()]);
  const { order, isJoined } = LIST_SPECS[name];
  for (const key of [...keys].sort()) {
    const sources = [...merged.map((layer) => rowsOf(layer, key)), newLists.get(key)];
    const known = sources.filter((rows) => rows !== undefined).reverse();
    if (isJoined) addJoined(writer, key, joined(order, known), isOldest);
    else {
      const rows = [...known[0]];
      // An empty list says that the list of an older layer is gone.
      if (rows.length > 0 || !isOldest) writer.addList(key, rows);
    }
    await writer.settle();
  }
}

function addJoined(
  writer: ListLayerWriter,
  key: string,
  rows: Iterable<WrittenRow>,
  isOldest: boolean,
): void {
  let isBegun = false;
  for (const row of rows) {
    if (isOldest && row.adds < 0) continue;
    if (!isBegun) writer.begin(key);
    isBegun = true;
    writer.add(row);
  }
}

function rowsOf(layer: OpenListLayer, key: string): Iterable<WrittenRow> | undefined {
  const entry = layer.entry(key);
  return entry && layer.rows(entry);
}

/** Yields each row once, in order, as the newest source has it. Sources come newest first. */
function* joined(
  order: DatasetList['order'],
  sources: readonly Iterable<WrittenRow>[],
): Generator<WrittenRow> {
  const open = sources.map((rows) => {
    const iterator = rows[Symbol.iterator]();
    return { iterator, next: iterator.next() };
  });
  for (;;) {
    const left = open.filter(({ next }) => !next.done);
    if (left.length === 0) return;
    const first = left.reduce((best, one) =>
      compareRows(order, one.next.value, best.next.value) < 0 ? one : best,
    );
    const row: WrittenRow = first.next.value;
    let adds = 0;
    let replaced: string | undefined;
    for (const one of left) {
      if (compareRows(order, one.next.value, row) !== 0) continue;
      adds += one.next.value.adds;
      // The oldest comes last: the row that it replaces lies below all of these layers.
      replaced = one.next.value.replaced;
      one.next = one.iterator.next();
    }
    // A row that was added and removed within these layers leaves nothing.
    if (row.adds >= 0 || adds < 0) yield { ...row, adds, replaced };
  }
}
