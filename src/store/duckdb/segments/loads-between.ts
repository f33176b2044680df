/** Loads and commands between two publishes, as far as they concern a symbol. */

import type { MarketDb } from '../connection/open.ts';
import { selectRows } from '../connection/sql-rows.ts';

export interface LoadBetween {
  seq: number;
  /** `drop`: a load that was removed since. `securities`: a command about a ticker. */
  kind: 'load' | 'drop' | 'securities' | 'repair';
  source: string | null;
  origin: string;
  loadedMs: number;
  /** Files with bars of the symbol, some of which others may have superseded since. */
  files: string[];
}

/**
 * Returns the loads with stored bars of a symbol, those that were removed since, and commands that
 * name it, in their order. By their times, which a rebuild keeps, as it doesn't their numbers.
 *
 * @param afterMs Time of the first publish: loads before it have none of its milliseconds.
 */
export async function loadsBetween(
  { connection }: MarketDb,
  symbol: string,
  [afterMs, untilMs]: readonly [number, number],
): Promise<LoadBetween[]> {
  const rows = await selectRows<Omit<LoadBetween, 'files'> & { files: string }>(
    connection,
    `WITH meant AS (
         FROM segments WHERE epoch_ms(loaded_at) > ${afterMs} AND epoch_ms(loaded_at) <= ${untilMs}),
       files AS (FROM segment_files WHERE segment_seq IN (SELECT seq FROM meant)),
       own AS (SELECT series_id FROM series WHERE symbol = $1),
       rows AS (
         SELECT DISTINCT file_id FROM (
           SELECT series_id, file_id FROM bars UNION ALL SELECT series_id, file_id FROM rival_bars
           UNION ALL SELECT series_id, file_id FROM intraday_bars
           UNION ALL SELECT series_id, file_id FROM intraday_rival_bars)
         WHERE series_id IN (FROM own) AND file_id IN (SELECT file_id FROM files))
     SELECT m.seq::INTEGER AS seq, CASE m.kind WHEN 'command' THEN m.dataset ELSE 'load' END AS kind,
       m.source, m.origin, epoch_ms(m.loaded_at)::DOUBLE AS "loadedMs",
       to_json(list(DISTINCT f.path ORDER BY f.path) FILTER (f.path IS NOT NULL)) AS files
     FROM meant m LEFT JOIN (FROM files SEMI JOIN rows USING (file_id)) f ON f.segment_seq = m.seq
     WHERE m.kind = 'command' OR f.path IS NOT NULL
     GROUP BY m.seq, m.kind, m.dataset, m.source, m.origin, m.loaded_at ORDER BY m.seq`,
    [symbol],
  );
  return rows
    .filter(({ kind, origin }) => kind !== 'securities' || origin.split(' ').includes(symbol))
    .map(({ files, ...load }) => ({ ...load, files: JSON.parse(files ?? '[]') ?? [] }));
}
