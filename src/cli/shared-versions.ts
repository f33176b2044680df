/**
 * What threads share of published versions: the columns of small tables, indexes among them, and
 * of the screener. They are read and made once, here, and handed to every thread.
 */

import { indexOfTable } from '../api/table-index.ts';
import { MODES, modePaths } from '../data-dir.ts';
import { limits } from '../limits.ts';
import { manifestStamp, readManifest } from '../store/serving/manifest.ts';
import { type ColumnsByKey, columnsUsedBy, giveColumns } from '../store/serving/shared-columns.ts';
import { readVersionTables } from '../store/serving/version-tables.ts';
import { doneAtOnce } from '../turns.ts';

/** Uses all columns of a version that are shared; those that are known are not read again. */
function useShared(dir: string): void {
  const manifest = readManifest(dir);
  if (!manifest) return;
  doneAtOnce(indexOfTable(readVersionTables(dir, manifest)).completing());
}

/**
 * @param give Takes the columns of the newest versions of both modes, and of newer ones when they
 *   come.
 * @returns what ends that.
 */
export function shareVersions(dataDir: string, give: (columns: ColumnsByKey) => void): () => void {
  const dirs = MODES.map((mode) => modePaths(dataDir, mode).serving);
  const stampOf = () => dirs.map(manifestStamp).join();
  let stamp: string | undefined;

  function share(): void {
    const newStamp = stampOf();
    if (newStamp === stamp) return;
    stamp = newStamp;
    const columns = columnsUsedBy(() => {
      for (const dir of dirs) {
        try {
          useShared(dir);
        } catch {
          // Every thread reads for itself what is missing, and reports damage.
        }
      }
    });
    giveColumns(columns);
    give(columns);
  }

  share();
  const timer = setInterval(share, limits.serving.pollMs).unref();
  return () => clearInterval(timer);
}
