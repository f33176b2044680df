import type { DuckDBConnection } from '@duckdb/node-api';
import type { Dataset } from '../../../base/datasets/dataset.ts';
import { tableColumns } from '../connection/dataset-columns.ts';
import { filePattern, selectRows, sqlString } from '../connection/sql-rows.ts';
import { extentOf, type LoadExtent } from '../holds/load-extent.ts';
import type { RowSegment } from '../rows/row-segment.ts';
import { nameStatedPlaces } from '../securities/place-loads.ts';
import { knownDaySql, placeRowsIn, symbolColumn } from '../securities/place-rows.ts';
import { nameLoadingSymbols } from '../securities/resolve-tickers.ts';
import { nameSymbols } from '../securities/symbols.ts';

export interface RowPart {
  segment: RowSegment;
  seq: number;
}

export interface StagedRows {
  /** True if some tickers are of several securities. */
  isDated: boolean;
  /** Tickers whose places the rows may change. */
  unsettled: Set<string>;
  /** Stated tickers and their days, without counts of rows: a row may have several tickers. */
  extents: Map<number, LoadExtent>;
}

/** Creates the temporary table `incoming` with the segments' rows, under the present symbols. */
export async function stageRows(
  connection: DuckDBConnection,
  dataset: Dataset,
  parts: readonly RowPart[],
  nowMs: number,
): Promise<StagedRows> {
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
  await nameSymbols(connection, nowMs);
  const sources = new Map(parts.map(({ segment, seq }) => [seq, segment.source]));
  const { dated, unsettled } = await nameStatedPlaces(
    connection,
    stated.map(({ seq, ...one }) => ({ ...one, segment: seq, source: sources.get(seq)! })),
  );
  if (dated.size > 0) await placeRowsIn(connection, dataset, 'incoming');
  const extents = new Map<number, LoadExtent>();
  for (const [seq, of] of Map.groupBy(stated, (one) => one.seq)) {
    extents.set(
      seq,
      extentOf(of.map(({ ticker: symbol, ...days }) => ({ symbol, rows: 0, ...days }))),
    );
  }
  return { isDated: dated.size > 0, unsettled, extents };
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
