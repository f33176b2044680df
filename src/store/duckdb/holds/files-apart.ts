/** Check that the files of one load agree on the bars that several of them have. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { FILES_APART } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { barTable } from '../connection/bar-table.ts';
import { selectRows } from '../connection/sql-rows.ts';
import type { NewRows } from './replaced-bars.ts';
import { type SeriesHold, timeText } from './series-hold.ts';

/** Bars on each side with which the two are compared. */
const BESIDE_DAYS = 10;

interface FarBar {
  symbol: string;
  us: number;
  close: number;
  path: string;
  other: number;
  otherPath: string;
  hasLevel: boolean;
}

/**
 * Finds symbols for which a bar of the newest file is far from those beside it, and another's is not.
 * A bar of which two files say the same, or that one file has, shows the level; without one beside,
 * nothing tells which file is right.
 */
export async function holdForFilesApart(
  connection: DuckDBConnection,
  { interval, firstFileId, isMerged }: NewRows,
  known: ReadonlySet<string>,
): Promise<SeriesHold | undefined> {
  if (!isMerged) return undefined;
  const { bars } = barTable(interval);
  const far = (a: string, b: string) => `abs(ln(${a} / ${b}))`;
  const step = Math.log(limits.sanity.agreement.stepMin);
  const rows = await selectRows<FarBar>(
    connection,
    `WITH apart AS (
       SELECT n.series_id, n.ts, n.close, n.file_id, o.close AS other, o.file_id AS other_id
       FROM conflicts n JOIN conflicts o USING (series_id, ts)
       WHERE n.place = 1 AND o.place > 1 AND least(n.file_id, o.file_id) >= ${firstFileId}
         AND ${far('n.close', 'o.close')} >= ${step}),
     agreed AS (
       SELECT series_id, ts, close FROM ${bars}
         SEMI JOIN apart USING (series_id) ANTI JOIN apart USING (series_id, ts)),
     leveled AS (
       SELECT a.*, (SELECT median(b.close) FROM agreed b WHERE b.series_id = a.series_id
           AND abs(epoch(b.ts) - epoch(a.ts)) <= ${BESIDE_DAYS * 86_400}) AS level
       FROM apart a)
     SELECT s.symbol, epoch_us(l.ts)::DOUBLE AS us, l.close, x.path, l.other,
       y.path AS "otherPath", level IS NOT NULL AS "hasLevel"
     FROM leveled l JOIN series s USING (series_id)
     JOIN segment_files x ON x.file_id = l.file_id JOIN segment_files y ON y.file_id = l.other_id
     WHERE level IS NULL OR (${far('l.close', 'l.level')} >= ${step}
       AND ${far('l.other', 'l.level')} < ${far('l.close', 'l.level')})
     QUALIFY row_number() OVER (PARTITION BY s.symbol ORDER BY l.ts, l.other) = 1
     ORDER BY s.symbol`,
  );
  const found = rows.filter(({ symbol }) => !known.has(symbol));
  if (found.length === 0) return undefined;
  const count = found.length === 1 ? '1 series has' : `${found.length} series have`;
  return {
    check: 'other prices',
    text: `${count} ${FILES_APART} (leave out the wrong file, or its bar; if accepted, the first of both is served, and the other one is not)`,
    found: found.map(({ symbol, us, close, path, other, otherPath, hasLevel }) => ({
      symbol,
      detail: `closes on ${timeText(interval)(us)} at ${close} in "${path}", ${hasLevel ? 'which is far from the bars next to it, ' : ''}and at ${other} in "${otherPath}"`,
    })),
  };
}
