/** Published lists, layer by layer. */

import type { ListName } from '../../../../src/base/datasets/datasets.ts';
import { layersKept, mergeLists, type NewLists } from '../../../../src/store/arrow/lists/merge.ts';
import type { WrittenRow } from '../../../../src/store/arrow/lists/specs.ts';
import type { PublishedVersion } from '../../../../src/store/arrow/read/published-version.ts';
import { openPublished } from '../../../../src/store/arrow/read/reader.ts';
import { Publication } from '../../../../src/store/arrow/write/publication.ts';
import { LAYER_ADDED } from './published-fixture.ts';

export function row(ms: number, id: string, values: Partial<WrittenRow> = {}): WrittenRow {
  const json = JSON.stringify({ id, ms });
  return { timestampMs: ms, id, knownMs: null, kind: '', adds: 1, json, ...values };
}

/** Rows are given in their list's order; a layer lies over those that are clearly larger. */
export async function publishLists(
  dir: string,
  name: ListName,
  lists: Record<string, readonly WrittenRow[]>,
): Promise<PublishedVersion> {
  const layers = openPublished(dir)?.lists.layers(name) ?? [];
  const newLists: NewLists = new Map(Object.entries(lists));
  const newRows = Object.values(lists).flat().length;
  const kept = layersKept(
    layers.map(({ layer }) => layer.rowCount),
    newRows,
  );
  const publication = new Publication(dir, { indicatorColumns: [] });
  try {
    const merged = { merged: layers.slice(kept), isOldest: kept === 0 };
    await mergeLists(publication.openList(name), name, merged, newLists);
    await publication.commit({
      ...LAYER_ADDED,
      lists: { seq: 1, storeMark: 'a', layersKept: { [name]: kept } },
    });
  } finally {
    await publication.abandon();
  }
  return openPublished(dir) as PublishedVersion;
}
