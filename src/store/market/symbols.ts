/** The directory: every symbol that any dataset names, with what is known of it. */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { MarketDb } from './open.ts';
import { SOURCES, sourcePriority } from './source-priority.ts';
import { inTransaction, jsonTable, selectRows, sqlTimestamp } from './sql-rows.ts';

export interface SymbolFacts {
  /** Canonical spelling. */
  symbol: string;
  companyName: string | null;
  /** The venue as its source names it. */
  exchange: string | null;
  type: string | null;
}

export interface DirectoryRow extends SymbolFacts {
  /** Where the facts come from; null while only bars are known. */
  source: string | null;
  firstSeenMs: number;
}

/** Columns of `symbols` and the facts that fill them. */
const FACTS = [
  ['company_name', 'companyName'],
  ['exchange', 'exchange'],
  ['type', 'type'],
] as const;

/** Enters the symbols of `loading_symbols` that the directory does not know yet. */
export async function nameSymbols(connection: DuckDBConnection, nowMs: number): Promise<void> {
  await connection.run(
    `INSERT INTO symbols SELECT symbol, NULL, NULL, NULL, NULL, ${sqlTimestamp(nowMs * 1000)}
     FROM loading_symbols ANTI JOIN symbols USING (symbol)`,
  );
}

/**
 * Enters what a source knows of symbols. A fact replaces one of the same or a lesser source; an
 * unknown one replaces nothing.
 *
 * @param facts Each symbol once.
 */
export async function loadSymbols(
  { connection }: MarketDb,
  facts: readonly SymbolFacts[],
  { source, nowMs }: { source: string; nowMs: number },
): Promise<void> {
  const lesserOrSame = SOURCES.slice(sourcePriority(source))
    .map((name) => `'${name}'`)
    .join(', ');
  await inTransaction(connection, async () => {
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE facts AS SELECT * FROM ${jsonTable({
        symbol: 'VARCHAR',
        companyName: 'VARCHAR',
        exchange: 'VARCHAR',
        type: 'VARCHAR',
      })}`,
      [JSON.stringify(facts)],
    );
    await connection.run(
      'CREATE OR REPLACE TEMP TABLE loading_symbols AS SELECT DISTINCT symbol FROM facts',
    );
    await nameSymbols(connection, nowMs);
    await connection.run(`
      UPDATE symbols SET
        ${FACTS.map(
          ([
            column,
            fact,
          ]) => `${column} = CASE WHEN f.wins THEN coalesce(f."${fact}", symbols.${column})
          ELSE coalesce(symbols.${column}, f."${fact}") END`,
        ).join(', ')},
        source = CASE WHEN f.wins THEN '${source}' ELSE symbols.source END
      FROM (SELECT facts.*, s.source IS NULL OR s.source IN (${lesserOrSame}) AS wins
            FROM facts JOIN symbols s USING (symbol)) f
      WHERE symbols.symbol = f.symbol`);
  });
}

/** The whole directory, by symbol. */
export async function readDirectory({ connection }: MarketDb): Promise<DirectoryRow[]> {
  return selectRows(
    connection,
    `SELECT symbol, company_name AS "companyName", exchange, type, source,
       epoch_ms(first_seen)::DOUBLE AS "firstSeenMs"
     FROM symbols ORDER BY symbol`,
  );
}
