/** The vintages of adjusted series that are served. Raw ones have none: their prices never change. */

import type { StoredInterval } from '../../../base/time/intervals.ts';
import type { MarketDb } from '../connection/open.ts';
import { exists, selectColumn, selectRows } from '../connection/sql-rows.ts';

/** Reads the as-of, in microseconds, of the best series that is not raw, by symbol. */
export async function readVintages(
  { connection }: MarketDb,
  interval: StoredInterval,
  symbols: readonly string[],
): Promise<Map<string, bigint>> {
  // A store of traded prices alone has none.
  if (!(await exists(connection, "FROM series WHERE basis <> 'raw'"))) return new Map();
  const rows = await selectRows<{ symbol: string; asOfUs: bigint }>(
    connection,
    `SELECT symbol, epoch_us(first(s.as_of ORDER BY p.priority, s.as_of DESC, s.modified DESC, s.sha256 DESC))
       AS "asOfUs"
     FROM winners w JOIN series s USING (series_id, symbol)
     JOIN source_priority p ON p.source = s.source
     SEMI JOIN (SELECT unnest(from_json($1, '["VARCHAR"]')) AS symbol) a USING (symbol)
     WHERE w.interval = '${interval}' AND s.basis <> 'raw' GROUP BY symbol`,
    [JSON.stringify(symbols)],
  );
  return new Map(rows.map(({ symbol, asOfUs }) => [symbol, asOfUs]));
}

/** Returns symbols with days served from an adjusted file of a load after `afterSeq`. */
export async function readRevintaged(
  { connection }: MarketDb,
  afterSeq: number,
): Promise<string[]> {
  // Most evenings bring raw bars only: the ledger, which is small, says so.
  const adjusted = `FROM segments WHERE seq > ${afterSeq} AND basis <> 'raw'`;
  if (!(await exists(connection, adjusted))) return [];
  return selectColumn<string>(
    connection,
    `SELECT DISTINCT w.symbol FROM winners w JOIN series s USING (series_id)
     WHERE w.interval = '1d' AND s.basis <> 'raw'
       AND s.sha256 IN (SELECT sha256 FROM segment_files WHERE segment_seq > $1)`,
    [afterSeq],
  );
}
