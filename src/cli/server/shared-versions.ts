/**
 * What threads share of published versions: the columns of small tables, indexes among them, and
 * of the screener. They are read and made once, here, and handed to every thread.
 */

import { indexOfTable } from '../../api/routes/screener/table-index.ts';
import { MODES, modePaths } from '../../base/config/data-dir.ts';
import { limits } from '../../base/limits/limits.ts';
import { doneAtOnce } from '../../base/turns.ts';
import { manifestStamp, readManifest } from '../../store/arrow/format/manifest.ts';
import {
  type ColumnsByKey,
  columnsUsedBy,
  giveColumns,
} from '../../store/arrow/format/shared-columns.ts';
import { readVersionTables } from '../../store/arrow/read/version-tables.ts';

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
