/** Whether a compaction of the store would give back enough to be worth its time. */

import { existsSync } from 'node:fs';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits/limits.ts';
import { openMarketForReading } from '../../src/store/duckdb/connection/open.ts';
import { selectRow } from '../../src/store/duckdb/connection/sql-rows.ts';

/** @throws {StoreBusyError} a load has the store. */
export async function isWorthCompacting(paths: ModePaths): Promise<boolean> {
  if (!existsSync(paths.market)) return false;
  const market = await openMarketForReading(paths);
  try {
    const { free, total, block } = await selectRow<Record<'free' | 'total' | 'block', number>>(
      market.connection,
      `SELECT free_blocks::DOUBLE AS free, total_blocks::DOUBLE AS total,
         block_size::DOUBLE AS block FROM pragma_database_size()`,
    );
    const { freeShareMin, freeBytesMin } = limits.compaction;
    return free * block >= freeBytesMin && free >= freeShareMin * total;
  } finally {
    market.close();
  }
}
