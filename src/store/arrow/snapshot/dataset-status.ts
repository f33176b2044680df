/** How many rows of each dataset beside bars are published, and since when: from file names alone. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ListLayer, Manifest } from '../format/manifest-types.ts';
import { LIST_NAMES } from '../lists/specs.ts';

export interface DatasetStatus {
  /** Rows in published files; a row that has changed counts again until its files are merged. */
  rows: number;
  /** Milliseconds: when rows of the dataset were last published that were new or different. */
  changedMs: number;
}

/**
 * By dataset; those without published rows are absent.
 *
 * @throws ENOENT where a newer version has replaced a file meanwhile.
 */
export function datasetStatuses(folder: string, manifest: Manifest): Map<string, DatasetStatus> {
  // Files are written once, and a publish writes only those of datasets that have changed.
  const writtenMs = (name: string) => Math.round(statSync(join(folder, name)).mtimeMs);
  const statuses = new Map<string, DatasetStatus>();
  for (const [dataset, table] of [
    ['symbols', manifest.directory],
    ['corporate-actions', manifest.actions],
  ] as const) {
    if (table.rowCount > 0) {
      statuses.set(dataset, { rows: table.rowCount, changedMs: writtenMs(table.name) });
    }
  }
  for (const dataset of LIST_NAMES) {
    const layers: readonly ListLayer[] = manifest.lists?.layers[dataset] ?? [];
    const rows = layers.reduce((sum, { rowCount }) => sum + rowCount, 0);
    const newest = layers.at(-1);
    if (newest && rows > 0) {
      statuses.set(dataset, { rows, changedMs: writtenMs(newest.rows.name) });
    }
  }
  return statuses;
}
