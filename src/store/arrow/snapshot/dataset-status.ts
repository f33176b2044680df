/**
 * Row counts and publish times of datasets other than bars, from the manifest and file times alone.
 */

import { join } from 'node:path';
import { statSync } from '../../../base/world/files.ts';
import type { ListLayer, Manifest } from '../format/manifest-types.ts';
import { LIST_NAMES } from '../lists/specs.ts';

export interface DatasetStatus {
  /** Rows in published files. A changed row counts again until its files are compacted. */
  rows: number;
  /** Time of the last publish that changed the dataset, in milliseconds. */
  changedMs: number;
}

/**
 * Returns the status of each dataset with published rows. ENOENT if a newer version has replaced a
 * file meanwhile.
 */
export function datasetStatuses(folder: string, manifest: Manifest): Map<string, DatasetStatus> {
  // Files are written once, and a publish writes only those of changed datasets.
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
