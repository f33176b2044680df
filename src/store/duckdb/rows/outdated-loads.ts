/** Loads of filings whose rows are served although older rules made them. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { STATEMENT_RULES } from '../../../base/companies/statement-rules.ts';
import type { ModePaths } from '../../../base/config/data-dir.ts';
import { openMarketForReading, readAnyVersion } from '../connection/open.ts';
import { selectColumn, selectRows } from '../connection/sql-rows.ts';
import { FILED_DATASETS } from './read-filings.ts';

export interface OutdatedLoad {
  /** Address or paths of the input, as the ledger has it. */
  origin: string;
  /** Symbols with rows of it, ascending. */
  symbols: string[];
}

/** Version of the schema whose ledger has the number of the rules first. */
const RULES_SINCE = 20;

/** @param version Version of the store's schema; default this program's. */
export async function readOutdatedLoads(
  connection: DuckDBConnection,
  version = RULES_SINCE,
): Promise<OutdatedLoad[]> {
  const rules = version < RULES_SINCE ? '0' : 'coalesce(g.rules, 0)';
  const tables = FILED_DATASETS.map(({ table }) => `SELECT segment_seq, symbol FROM ${table}`);
  const rows = await selectRows<{ origin: string; symbol: string }>(
    connection,
    `SELECT DISTINCT g.origin, r.symbol FROM (${tables.join(' UNION ALL ')}) r
     JOIN segments g ON g.seq = r.segment_seq
     WHERE g.source = 'sec' AND ${rules} < ${STATEMENT_RULES} ORDER BY ALL`,
  );
  const byOrigin = Map.groupBy(rows, ({ origin }) => origin);
  return Array.from(byOrigin, ([origin, own]) => ({
    origin,
    symbols: own.map(({ symbol }) => symbol),
  }));
}

/** Reads them from a store of this version; as `openMarketForReading`. */
export async function outdatedLoads(paths: ModePaths): Promise<OutdatedLoad[]> {
  using market = await openMarketForReading(paths);
  return await readOutdatedLoads(market.connection);
}

/** Reads them from a store of any version, without a wait. As `readAnyVersion`. */
export function outdatedLoadsBefore(paths: ModePaths): Promise<OutdatedLoad[]> {
  return readAnyVersion(paths, async (connection, version) => {
    // The first tables of filings are older than all versions that are upgraded.
    const tables = await selectColumn<string>(
      connection,
      "SELECT table_name FROM duckdb_tables() WHERE table_name = 'cash_flow'",
    );
    return tables.length === 0 ? [] : readOutdatedLoads(connection, version);
  });
}
