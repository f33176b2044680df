/** What the manifest says of lists. */

import type { TableRef, VolumeFile } from '../format/manifest.ts';

/** What one publish added to the lists of a dataset, or several put together. */
export interface ListLayer {
  /** The file of rows; `LIST_TABLE`. */
  rows: VolumeFile;
  rowCount: number;
  index: TableRef;
  batches: TableRef;
  /** Undefined where rows are not looked up by id. */
  ids?: TableRef;
  /** Undefined where rows are not selected by kind. */
  selection?: { rows: TableRef; articles: TableRef; kinds: TableRef };
}

/** The lists of a version. */
export interface ListsManifest {
  /** Highest `row_changes.seq` of the market store that is included, and the load it is of. */
  seq: number;
  storeMark: string;
  /** By dataset; oldest layer first. */
  layers: Record<string, ListLayer[]>;
}

export function filesOfLists(lists: ListsManifest | undefined): string[] {
  return Object.values(lists?.layers ?? {})
    .flat()
    .flatMap(({ rows, index, batches, ids, selection = {} }) => [
      ...[rows, index, batches, ...(ids ? [ids] : [])],
      ...Object.values(selection),
    ])
    .map(({ name }) => name);
}
