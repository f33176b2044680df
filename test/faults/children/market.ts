/**
 * Prints what a store holds: `market-child.ts DATA_DIR`. In a process of its own, since DuckDB may
 * end the process on what it finds in a damaged file.
 */

import { modePaths } from '../../../src/base/config/data-dir.ts';
import { openMarketForReading } from '../../../src/store/duckdb/connection/open.ts';
import { selectRows } from '../../../src/store/duckdb/connection/sql-rows.ts';

const market = await openMarketForReading(modePaths(process.argv[2], 'live'));
for (const table of ['candles', 'corporate_actions', 'news', 'analyst_targets', 'segments']) {
  const rows = await selectRows<{ text: string }>(
    market.connection,
    `SELECT t::VARCHAR AS text FROM ${table} t ORDER BY ALL`,
  );
  for (const { text } of rows) console.log(table, text);
}
market.close();
