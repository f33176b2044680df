/**
 * Filings that were read again by newer rules: what older rules made of them is replaced, whether
 * the newer ones make the same rows or not.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { Dataset } from '../../../base/datasets/dataset.ts';
import { filePattern, jsonTable, runOne, selectRows, sqlString } from '../connection/sql-rows.ts';

/** Filings that a staged segment was made of, in its Parquet file, under `READ_FILINGS_KEY`. */
export interface ReadFilings {
  /** True if the statements were read, false for company facts. */
  isFace: boolean;
  companies: readonly {
    tickers: readonly string[];
    /** Each with the day of filing and that of its moment, in days since 1970-01-01. */
    filings: readonly (readonly [accession: string, filedDay: number, knownDay: number])[];
  }[];
}

export const READ_FILINGS_KEY = 'tapeworks_read_filings';

interface ReadPart {
  seq: number;
  segment: { rules?: number; parquetPath: string };
}

const COLUMNS = {
  seq: 'INTEGER',
  rules: 'INTEGER',
  isFace: 'BOOLEAN',
  ticker: 'VARCHAR',
  accession: 'VARCHAR',
  filedDay: 'INTEGER',
  knownDay: 'INTEGER',
};

/**
 * Creates the temporary table `outdated_rows`: row and symbol of stored rows that older rules made
 * of the filings that `parts` were made of. Such rows of `incoming` are deleted.
 *
 * @returns true if there may be any.
 */
export async function findOutdated(
  connection: DuckDBConnection,
  dataset: Dataset,
  parts: readonly ReadPart[],
): Promise<boolean> {
  const ruled = parts.filter(({ segment }) => segment.rules !== undefined);
  const condition = CONDITIONS[dataset.name];
  if (ruled.length === 0 || condition === undefined) return false;
  const filings: unknown[] = [];
  for (const { seq, segment } of ruled) {
    const read = await readFilingsOf(connection, segment.parquetPath);
    const ofSegment = { seq, rules: segment.rules, isFace: read?.isFace };
    for (const { tickers, filings: list } of read?.companies ?? []) {
      for (const ticker of tickers) {
        for (const [accession, filedDay, knownDay] of list) {
          filings.push({ ...ofSegment, ticker, accession, filedDay, knownDay });
        }
      }
    }
  }
  await runOne(
    connection,
    `CREATE OR REPLACE TEMP TABLE read_filings AS
     SELECT coalesce(i.symbol, r.ticker) AS symbol, rules, "isFace" AS is_face, accession,
       DATE '1970-01-01' + "filedDay" AS filed_day, DATE '1970-01-01' + "knownDay" AS known_day
     FROM ${jsonTable(COLUMNS)} r LEFT JOIN (
       SELECT DISTINCT segment_seq, ticker, symbol FROM incoming) i
       ON i.segment_seq = r.seq AND i.ticker = r.ticker`,
    [JSON.stringify(filings)],
  );
  const outdated = (table: string) => `
    FROM ${table} o JOIN segments g ON g.seq = o.segment_seq
    WHERE g.source = 'sec' AND EXISTS (
      FROM read_filings r
      WHERE r.symbol = o.symbol AND r.rules > coalesce(g.rules, 0) AND ${condition})`;
  await connection.run(
    `DELETE FROM incoming WHERE rowid IN (SELECT o.rowid ${outdated('incoming')})`,
  );
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE outdated_rows AS
    SELECT o.rowid AS old_row, o.symbol ${outdated(dataset.table)}`);
  return true;
}

/** Conditions by which rows are of a filing, by dataset. Counts of shares name none, and are of its day. */
const CONDITIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['statements', 'balance-sheet', 'cash-flow'].map((name) => [
      name,
      "r.accession = o.accession AND r.is_face = (coalesce(o.read_from, '') = 'face')",
    ]),
  ),
  // Statements have no cover page.
  shares: `o.filed_at::DATE IN (r.filed_day, r.known_day) AND NOT (r.is_face AND o.kind = 'cover')`,
};

/** @returns undefined if the file names none. */
async function readFilingsOf(
  connection: DuckDBConnection,
  parquetPath: string,
): Promise<ReadFilings | undefined> {
  const [found] = await selectRows<{ text: string }>(
    connection,
    `SELECT decode(value) AS text FROM parquet_kv_metadata(${sqlString(filePattern(parquetPath))})
     WHERE decode(key) = '${READ_FILINGS_KEY}'`,
  );
  return found && JSON.parse(found.text);
}
