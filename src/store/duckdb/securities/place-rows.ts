/** Assigns stored records of datasets and of corporate actions to the places of their tickers. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import type { Dataset } from '../../../base/datasets/dataset.ts';
import { values } from '../../../base/datasets/universes.ts';
import { columnOfField, type TableColumn, tableColumns } from '../connection/dataset-columns.ts';
import { exists, jsonTable, runOne, selectRows, sqlDay } from '../connection/sql-rows.ts';
import { keyColumns, keyed, rankedSql, storedDatasets } from '../rows/dataset-table.ts';
import { keepShadowed } from '../rows/shadowed-rows.ts';
import type { PlacedRows } from './whole-pasts.ts';

export function symbolColumn(dataset: Dataset): TableColumn {
  return tableColumns(dataset).find(({ kind }) => kind === 'symbol' || kind === 'symbols')!;
}

/** Returns SQL of the day, since the epoch, on which a row became known. */
export function knownDaySql({ time }: Dataset): string {
  return `(epoch_ms(${columnOfField(time)}) // ${MILLIS_PER_DAY})::INTEGER`;
}

/** Records of one input on the days of a place, from datasets and from corporate actions. */
export interface RecordPart extends PlacedRows {
  /**
   * True if they make a security of a ticker that nobody is said to have; null if only of one that
   * nobody had before: own values and articles are often dated after the last trading day.
   */
  makesSecurity: boolean | null;
}

/** Reads where records stand; the temporary table `places` is that of `readParts`. */
export async function readRecordParts(connection: DuckDBConnection): Promise<RecordPart[]> {
  const datasets = await storedDatasets(connection);
  const selects = datasets.map((dataset) => {
    const isList = symbolColumn(dataset).kind === 'symbols';
    const makes = isList || dataset.name === values.name ? 'NULL' : true;
    return `SELECT segment_seq, ${isList ? 'unnest(tickers)' : 'ticker'} AS ticker,
      ${knownDaySql(dataset)} AS day, ${makes} AS makes FROM ${dataset.table}`;
  });
  selects.push(
    `SELECT segment_seq, ticker, ${sqlDay('to_date')} AS day, false AS makes FROM action_coverage`,
  );
  return selectRows(
    connection,
    `SELECT DISTINCT r.segment_seq AS segment, r.ticker, g.source, p.place,
       r.makes AS "makesSecurity"
     FROM (${selects.join(' UNION ALL ')}) r
     JOIN places p ON p.ticker = r.ticker AND r.day BETWEEN p.from_day AND p.to_day
     JOIN segments g ON g.seq = r.segment_seq ORDER BY ALL`,
  );
}

/** Symbol of the rows of a ticker on some days; of one input if `segment` is not null. */
export interface PlacedSymbol {
  segment: number | null;
  ticker: string;
  fromDay: number;
  toDay: number;
  symbol: string;
}

const SYMBOL_COLUMNS = {
  segment: 'INTEGER',
  ticker: 'VARCHAR',
  fromDay: 'INTEGER',
  toDay: 'INTEGER',
  symbol: 'VARCHAR',
};

/** Creates `placed_symbols`, by which the functions of this file assign records. */
export async function namePlacedSymbols(
  connection: DuckDBConnection,
  rows: readonly PlacedSymbol[],
): Promise<void> {
  await runOne(
    connection,
    `CREATE OR REPLACE TEMP TABLE placed_symbols AS FROM ${jsonTable(SYMBOL_COLUMNS)}`,
    [JSON.stringify(rows)],
  );
}

/** Returns SQL of the best row `p` of `placed_symbols` for a ticker, a day and an input. */
function placeOn(ticker: string, day: string, segment: string): string {
  return `p.ticker = ${ticker} AND ${day} BETWEEN p."fromDay" AND p."toDay"
    AND coalesce(p.segment = ${segment}, true)`;
}

/** SQL of the symbol that an input states most narrowly, among joined rows `p`. */
const BEST_SYMBOL = 'arg_min(p.symbol, p.segment IS NULL)';

/** Gives the rows of a table with a dataset's columns their symbols, by ticker and day. */
export async function placeRowsIn(
  connection: DuckDBConnection,
  dataset: Dataset,
  table: string,
): Promise<void> {
  const { kind, column } = symbolColumn(dataset);
  const day = knownDaySql(dataset);
  if (kind === 'symbol') {
    await connection.run(`
      UPDATE ${table} SET ${column} = n.symbol FROM (
        SELECT t.rowid AS row, ${BEST_SYMBOL} AS symbol FROM ${table} t
        JOIN placed_symbols p ON ${placeOn('t.ticker', day, 't.segment_seq')} GROUP BY 1) n
      WHERE ${table}.rowid = n.row AND ${table}.${column} <> n.symbol`);
    return;
  }
  // In the order of the tickers, each symbol once.
  await connection.run(`
    UPDATE ${table} SET ${column} = n.symbols FROM (
      SELECT row, list(symbol ORDER BY place) AS symbols FROM (
        SELECT row, symbol, min(place) AS place FROM (
          SELECT t.row, t.place, coalesce(${BEST_SYMBOL}, any_value(t.ticker)) AS symbol
          FROM (SELECT rowid AS row, segment_seq, ${day} AS day, unnest(tickers) AS ticker,
                  generate_subscripts(tickers, 1) AS place FROM ${table}
                WHERE list_has_any(tickers, (SELECT list(DISTINCT ticker) FROM placed_symbols))) t
          LEFT JOIN placed_symbols p ON ${placeOn('t.ticker', 't.day', 't.segment_seq')}
          GROUP BY t.row, t.place)
        GROUP BY row, symbol)
      GROUP BY row) n
    WHERE ${table}.rowid = n.row AND ${table}.${column} <> n.symbols`);
}

/** Assigns all rows of all datasets with the tickers of `placed_symbols`. */
export async function placeRows(connection: DuckDBConnection): Promise<void> {
  for (const dataset of await storedDatasets(connection)) {
    await placeRowsIn(connection, dataset, dataset.table);
    await settleRows(connection, dataset);
  }
}

/** Keeps the lesser of two rows with the same key apart, which two tickers of a security may have. */
async function settleRows(connection: DuckDBConnection, dataset: Dataset): Promise<void> {
  const { table } = dataset;
  if (symbolColumn(dataset).kind !== 'symbol') return;
  const rows = `SELECT rowid AS old_row, ${keyed(dataset)} FROM ${table}
    WHERE symbol IN (SELECT symbol FROM placed_symbols)`;
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE ranked_rows AS FROM (${rankedSql(dataset, rows)})
    QUALIFY max(place) OVER (PARTITION BY ${keyColumns(dataset).join(', ')}) > 1`);
  await keepShadowed(connection, dataset);
  await connection.run(
    `DELETE FROM ${table} WHERE rowid IN (SELECT old_row FROM ranked_rows WHERE place > 1)`,
  );
}

/**
 * Assigns the corporate-action records of the tickers of `placed_symbols`. A record whose days are
 * of several securities has a row of `action_coverage` for each.
 *
 * @param firstStatement Leaves those with smaller ids as they are.
 */
export async function placeStatements(
  connection: DuckDBConnection,
  firstStatement = 0,
): Promise<void> {
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE whole_statements AS
    SELECT statement_id, source, segment_seq, ticker, covers, min(from_date) AS from_date,
      max(to_date) AS to_date, min(symbol) AS symbol, count(*) AS pieces
    FROM action_coverage WHERE ticker IN (SELECT ticker FROM placed_symbols) AND statement_id >= ${firstStatement}
    GROUP BY ALL`);
  if (!(await exists(connection, 'FROM whole_statements'))) return;
  const start = "DATE '1970-01-01'";
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE statement_pieces AS
    WITH pieces AS (
      SELECT w.*, p.symbol AS placed, p.segment,
        greatest(${sqlDay('w.from_date')}, p."fromDay") AS piece_from,
        least(${sqlDay('w.to_date')}, p."toDay") AS piece_to
      FROM whole_statements w JOIN placed_symbols p
        ON p.ticker = w.ticker AND coalesce(p.segment = w.segment_seq, true)
        AND p."fromDay" <= ${sqlDay('w.to_date')} AND p."toDay" >= ${sqlDay('w.from_date')})
    FROM pieces p WHERE segment IS NOT NULL OR NOT EXISTS (
      FROM pieces o WHERE o.statement_id = p.statement_id AND o.segment IS NOT NULL
        AND o.piece_from <= p.piece_from AND o.piece_to >= p.piece_to)`);
  await connection.run(
    'DELETE FROM action_coverage WHERE statement_id IN (SELECT statement_id FROM statement_pieces)',
  );
  await connection.run(`
    INSERT INTO action_coverage BY NAME
    SELECT statement_id, placed AS symbol, source, ${start} + min(piece_from)::INTEGER AS from_date,
      ${start} + max(piece_to)::INTEGER AS to_date, segment_seq, ticker, covers
    FROM (SELECT *, sum(is_new) OVER w AS run FROM (
        SELECT *, CASE WHEN placed IS DISTINCT FROM lag(placed) OVER v THEN 1 ELSE 0 END AS is_new
        FROM statement_pieces WINDOW v AS (PARTITION BY statement_id ORDER BY piece_from))
      WINDOW w AS (PARTITION BY statement_id ORDER BY piece_from))
    GROUP BY statement_id, placed, source, segment_seq, ticker, covers, run`);
  await connection.run(`
    UPDATE stated_actions SET symbol = c.symbol FROM action_coverage c
    WHERE stated_actions.statement_id = c.statement_id
      AND c.statement_id >= ${firstStatement}
      AND stated_actions.ex_date BETWEEN c.from_date AND c.to_date
      AND stated_actions.symbol <> c.symbol`);
}
