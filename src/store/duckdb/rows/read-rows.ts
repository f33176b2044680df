/** Stored rows of datasets, for publishing. */

import type {
  ColumnKind,
  Dataset,
  DatasetRow,
  DatasetValue,
} from '../../../base/datasets/dataset.ts';
import { ADS_RATIO, values } from '../../../base/datasets/universes.ts';
import { streamChunks } from '../connection/chunk-columns.ts';
import { columnOfField, tableColumns } from '../connection/dataset-columns.ts';
import type { MarketDb } from '../connection/open.ts';
import { selectRows } from '../connection/sql-rows.ts';
import { joinedFaces } from './joined-faces.ts';

export interface RowChanges {
  keys: Map<string, string[]>;
  seq: number;
}

/** Reads changes after `afterSeq`, which a publish has reached. */
export async function readRowChanges(
  { connection }: MarketDb,
  afterSeq: number,
): Promise<RowChanges> {
  const rows = await selectRows<{ dataset: string; key: string; seq: number }>(
    connection,
    `SELECT dataset, list_key AS key, seq::DOUBLE AS seq
     FROM row_changes WHERE seq > ${afterSeq} ORDER BY dataset, list_key`,
  );
  const seq = rows.reduce((most, row) => Math.max(most, row.seq), afterSeq);
  const byDataset = Map.groupBy(rows, ({ dataset }) => dataset);
  const keys = [...byDataset].map(([name, list]) => [name, list.map(({ key }) => key)] as const);
  return { keys: new Map(keys), seq };
}

/** SQL that reads a column as `DatasetValue`. */
const READ: Record<ColumnKind, (column: string) => string> = {
  symbol: (column) => column,
  symbols: (column) => column,
  text: (column) => column,
  choice: (column) => column,
  flag: (column) => `${column}::VARCHAR`,
  date: (column) => `(${column} - DATE '1970-01-01')::INTEGER`,
  moment: (column) => `epoch_ms(${column})::DOUBLE`,
  number: (column) => column,
  integer: (column) => `${column}::DOUBLE`,
};

const LISTED = `(SELECT unnest(from_json($1, '["VARCHAR"]')))`;

/** Source of the ratios that follow from names. */
const DIRECTORY = 'nasdaqtrader';

/**
 * SQL of own columns with `is_named`, true for ratios that follow from names: these count only for a
 * receipt of which a person states none. By the ranks of sources, the directory would come first.
 */
export const READ_VALUES = `(
  SELECT v.*, coalesce(source = '${DIRECTORY}', false) AS is_named
  FROM ${values.table} v LEFT JOIN segments g ON g.seq = v.segment_seq
  QUALIFY name <> '${ADS_RATIO}' OR NOT is_named
    OR bool_and(is_named) OVER (PARTITION BY symbol, name))`;

/**
 * Streams rows by symbol, oldest first, all of a symbol at once.
 *
 * @param symbols Only these; default: all.
 */
export async function* streamRows(
  market: MarketDb,
  dataset: Dataset,
  symbols?: readonly string[],
): AsyncGenerator<{ symbol: string; rows: readonly DatasetRow[] }> {
  const columns = tableColumns(dataset);
  const filter = symbols ? `WHERE symbol IN ${LISTED}` : '';
  const sql = `SELECT ${columns.map(({ column, kind }) => READ[kind](column)).join(', ')}
    FROM ${dataset.name === values.name ? READ_VALUES : dataset.table} ${filter} ORDER BY symbol, ${columnOfField(dataset.time)}`;
  const fields = columns.map(({ field }) => field);
  const joined = (rows: readonly DatasetRow[]) =>
    dataset.statement ? joinedFaces(dataset, rows) : rows;
  let symbol: string | undefined;
  let rows: DatasetRow[] = [];
  for await (const chunk of streamChunks(market, sql, symbols && [JSON.stringify(symbols)])) {
    // Columns take half the time of single rows.
    const read = chunk.getColumns();
    for (let i = 0; i < chunk.rowCount; i++) {
      const row: DatasetRow = {};
      for (let c = 0; c < fields.length; c++) row[fields[c]] = read[c][i] as DatasetValue;
      if (symbol !== undefined && row.symbol !== symbol) {
        yield { symbol, rows: joined(rows) };
        rows = [];
      }
      symbol = String(row.symbol);
      rows.push(row);
    }
  }
  if (symbol !== undefined) yield { symbol, rows: joined(rows) };
}

/** An article in one of its lists, as the API answers it. */
export interface NewsRow {
  list: string;
  publishedMs: number;
  id: string;
  sentiment: string;
  source: string;
  json: string;
}

/** The article under the API's names; it has no numbers, which DuckDB would format its own way. */
const ARTICLE_JSON = `json_object('id', id, 'title', title, 'summary', summary, 'source', source,
  'url', url, 'publishedAt', strftime(published_at, '%Y-%m-%dT%H:%M:%S.%gZ'),
  'symbols', symbols, 'sentiment', sentiment)`;

/**
 * Streams articles list by list, each list newest first.
 *
 * @param list `everything` for one list of all articles; else a list for each symbol.
 * @param ids Only these; default: all.
 */
export async function* streamNews(
  market: MarketDb,
  list: 'everything' | 'symbols',
  ids?: readonly string[],
): AsyncGenerator<NewsRow> {
  const key = list === 'everything' ? "'*'" : 'unnest(symbols)';
  const filter = ids ? `WHERE id IN ${LISTED}` : '';
  const sql = `SELECT ${key} AS list, epoch_ms(published_at)::DOUBLE, id, coalesce(sentiment, ''),
      source, ${ARTICLE_JSON}
    FROM news ${filter} ORDER BY list, published_at DESC, id`;
  for await (const chunk of streamChunks(market, sql, ids && [JSON.stringify(ids)])) {
    const [lists, moments, chunkIds, sentiments, sources, texts] = chunk.getColumns();
    for (let i = 0; i < chunk.rowCount; i++) {
      yield {
        list: String(lists[i]),
        publishedMs: Number(moments[i]),
        id: String(chunkIds[i]),
        sentiment: String(sentiments[i]),
        source: String(sources[i]),
        json: String(texts[i]),
      };
    }
  }
}
