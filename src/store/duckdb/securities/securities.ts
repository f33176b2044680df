/**
 * Securities: an id that never changes, the tickers it has had, the symbol it has. All other tables
 * carry the symbol, which follows from the ticker and the day of a row.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { jsonTable, runOne, selectColumn, selectRows } from '../connection/sql-rows.ts';

/** Returns the tickers that no security has any more. */
export async function leftTickers(connection: DuckDBConnection): Promise<Set<string>> {
  const found = await selectColumn<string>(
    connection,
    `SELECT ticker FROM ticker_places GROUP BY ticker
     HAVING bool_and(to_date IS NOT NULL OR (security_id IS NULL AND role <> 'held'))`,
  );
  return new Set(found);
}

const NEWEST = 'as_of DESC NULLS LAST, is_moved';

/** Moves facts; of two the newer count, and the older fill their gaps. */
export async function moveFacts(
  connection: DuckDBConnection,
  moves: readonly { from: string; to: string }[],
): Promise<void> {
  if (moves.length === 0) return;
  await runOne(
    connection,
    `CREATE OR REPLACE TEMP TABLE symbol_moves AS
     SELECT "from", "to" FROM ${jsonTable({ from: 'VARCHAR', to: 'VARCHAR' })}`,
    [JSON.stringify(moves)],
  );
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE moving_facts AS
    SELECT s.* REPLACE (coalesce(m."to", s.symbol) AS symbol), m."to" IS NOT NULL AS is_moved
    FROM symbols s LEFT JOIN symbol_moves m ON m."from" = s.symbol
    WHERE m."to" IS NOT NULL OR s.symbol IN (SELECT "to" FROM symbol_moves)`);
  await connection.run(
    `DELETE FROM symbols
     WHERE symbol IN (SELECT unnest(["from", "to"]) FROM symbol_moves)`,
  );
  const facts = ['company_name', 'type', 'cik', 'country', 'sector', 'industry', 'source', 'as_of'];
  await connection.run(`
    INSERT INTO symbols BY NAME
    SELECT symbol, listing.exchange, listing.venue, * EXCLUDE (symbol, listing) FROM (
      SELECT symbol, min(first_seen) AS first_seen,
        any_value(CASE WHEN exchange IS NOT NULL OR venue IS NOT NULL
          THEN {exchange: exchange, venue: venue} END ORDER BY ${NEWEST}) AS listing,
        ${facts.map((fact) => `any_value(${fact} ORDER BY ${NEWEST}) AS ${fact}`).join(', ')}
      FROM moving_facts GROUP BY symbol)`);
}

/** A security as other versions and programs know it. */
export interface KnownSecurity {
  symbol: string;
  securityId: number;
}

export function readSecurityIds(connection: DuckDBConnection): Promise<KnownSecurity[]> {
  return selectRows(connection, 'SELECT symbol, security_id AS "securityId" FROM securities');
}

/** Gives the securities of a rebuilt store the ids that they had; others get greater ones. */
export async function keepSecurityIds(
  connection: DuckDBConnection,
  known: readonly KnownSecurity[],
): Promise<void> {
  await runOne(
    connection,
    `CREATE OR REPLACE TEMP TABLE kept_ids AS
     WITH known AS (FROM ${jsonTable({ symbol: 'VARCHAR', securityId: 'INTEGER' })})
     SELECT s.security_id AS made, coalesce("securityId", (
         SELECT coalesce(max("securityId"), 0) FROM known)
         + row_number() OVER (PARTITION BY "securityId" ORDER BY s.security_id))::INTEGER AS kept
     FROM securities s LEFT JOIN known USING (symbol)`,
    [JSON.stringify(known)],
  );
  for (const table of ['securities', 'ticker_places']) {
    await connection.run(
      `UPDATE ${table} SET security_id = kept FROM kept_ids WHERE security_id = made`,
    );
  }
}

/** Adds a security for each symbol of `loading_symbols` that no security has, had or may have had. */
export async function nameSecurities(connection: DuckDBConnection): Promise<void> {
  await connection.run(`
    INSERT INTO securities
    SELECT (SELECT coalesce(max(security_id), 0) FROM securities)
      + row_number() OVER (ORDER BY symbol), symbol, NULL
    FROM (SELECT DISTINCT symbol FROM loading_symbols)
    ANTI JOIN securities USING (symbol)
    ANTI JOIN ticker_places t ON t.ticker = symbol`);
  await connection.run(`
    INSERT INTO ticker_places
    SELECT symbol, NULL, NULL, security_id, 'open'
    FROM securities ANTI JOIN ticker_places USING (security_id)`);
}
