/** How much is loaded and not published yet. */

import type { MarketDb } from '../connection/open.ts';
import { selectRow } from '../connection/sql-rows.ts';

export interface PendingCounts {
  /** Series of bars. */
  series: number;
  /** Lists of other rows: one for each dataset and symbol, or article. */
  lists: number;
}

/** @param published What the manifest says that a publish has reached; 0 where there is none. */
export async function countPending(
  { connection }: MarketDb,
  published: { seq: number; listsSeq: number },
): Promise<PendingCounts> {
  return selectRow<PendingCounts>(
    connection,
    `SELECT
       (SELECT count(DISTINCT (symbol, interval))::INTEGER FROM changes WHERE seq > $1) AS series,
       (SELECT count(DISTINCT (dataset, list_key))::INTEGER FROM row_changes WHERE seq > $2)
         AS lists`,
    [BigInt(published.seq), BigInt(published.listsSeq)],
  );
}
