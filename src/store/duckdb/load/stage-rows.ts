import type { DuckDBConnection } from '@duckdb/node-api';
import type { Dataset } from '../../../base/datasets/dataset.ts';
import { HoldCandidatesError } from '../../../base/errors.ts';
import { tableColumns } from '../connection/dataset-columns.ts';
import { filePattern, selectRows, sqlString } from '../connection/sql-rows.ts';
import { extentOf, type LoadExtent } from '../holds/load-extent.ts';
import type { RowSegment } from '../rows/row-segment.ts';
import { knownDaySql, renameIn, symbolColumn } from '../securities/move-rows.ts';
import { type Load, nameLoadingSymbols, resolveTickers } from '../securities/resolve-tickers.ts';
import { nameSymbols } from '../securities/symbols.ts';

export interface RowPart {
  segment: RowSegment;
  seq: number;
}

/**
 * Creates the temporary table `incoming` with the segments' rows, under the present symbols.
 *
 * @returns true if some stated ticker is not the present symbol; and by segment the stated tickers
 *   and their days, without counts of rows, since a row may have several tickers.
 * @throws {HoldCandidatesError} several segments, with such tickers in some of them.
 */
export async function stageRows(
  connection: DuckDBConnection,
  dataset: Dataset,
  parts: readonly RowPart[],
  load: Load,
): Promise<{ isRenamed: boolean; extents: Map<number, LoadExtent> }> {
  const symbols = symbolColumn(dataset);
  await readIncoming(connection, dataset, parts);
  const ticker = symbols.kind === 'symbols' ? `unnest(${symbols.column})` : symbols.column;
  const stated = await selectRows<{ seq: number; ticker: string } & Days>(
    connection,
    `SELECT seq, ticker, min(day) AS "firstDay", max(day) AS "lastDay"
     FROM (SELECT segment_seq::INTEGER AS seq, ${ticker} AS ticker,
             ${knownDaySql(dataset)} AS day FROM incoming)
     GROUP BY seq, ticker ORDER BY seq, ticker`,
  );
  await nameLoadingSymbols(
    connection,
    stated.map((one) => one.ticker),
  );
  await nameSymbols(connection, load.nowMs);
  const resolved = await resolveTickers(connection, stated, load);
  const moved = stated.flatMap(({ seq, ticker: from }, i) =>
    from === resolved[i] ? [] : [{ seq, from, to: resolved[i] }],
  );
  if (moved.length > 0 && parts.length > 1) {
    // A ticker may mean another security in each of them.
    const seqs = new Set(moved.map(({ seq }) => seq));
    throw new HoldCandidatesError(
      [...parts.keys()].filter((i) => seqs.has(parts[i].seq)),
      false,
    );
  }
  await renameIn(connection, 'incoming', symbols, moved);
  const extents = new Map<number, LoadExtent>();
  for (const [seq, of] of Map.groupBy(stated, (one) => one.seq)) {
    extents.set(
      seq,
      extentOf(of.map(({ ticker: symbol, ...days }) => ({ symbol, rows: 0, ...days }))),
    );
  }
  return { isRenamed: moved.length > 0, extents };
}

interface Days {
  firstDay: number;
  lastDay: number;
}

/** Reads each row with its segment and its stated tickers. */
async function readIncoming(
  connection: DuckDBConnection,
  dataset: Dataset,
  parts: readonly RowPart[],
): Promise<void> {
  const symbols = symbolColumn(dataset);
  // Earlier programs staged flags as text.
  const fields = tableColumns(dataset).map(({ column, kind, type }) =>
    kind === 'flag' ? `${column}::${type} AS ${column}` : column,
  );
  const isList = symbols.kind === 'symbols';
  const tickers = `${symbols.column} AS ${isList ? 'tickers' : 'ticker'}`;
  const paths = parts.map(({ segment }) => segment.parquetPath);
  const patterns = paths.map((path) => sqlString(filePattern(path)));
  const later = tableColumns({ columns: dataset.columns.filter(({ since }) => since) });
  const union = later.length > 0 ? ', union_by_name = true' : '';
  const rows =
    parts.length === 1
      ? `SELECT *, ${parts[0].seq} AS segment_seq FROM read_parquet(${patterns[0]})`
      : `SELECT * FROM read_parquet([${patterns.join(', ')}], filename = true${union})
         JOIN (SELECT unnest([${paths.map(sqlString).join(', ')}]) AS filename,
                 unnest([${parts.map(({ seq }) => seq).join(', ')}]) AS segment_seq)
           USING (filename)`;
  // An earlier program staged no columns that were added since.
  const missing = later.map(({ column, type }) => `NULL::${type} AS ${column}`).join(', ');
  const staged = missing ? `SELECT ${missing} WHERE false UNION ALL BY NAME ${rows}` : rows;
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE incoming AS
    SELECT ${fields.join(', ')}, ${tickers}, segment_seq FROM (${staged})`);
}
