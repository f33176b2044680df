/** Stored facts about companies, for sources that need them. */

import { existsSync } from 'node:fs';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import type { FiscalYearEnd, NamedSecurity } from '../../src/ingest/contract/source-options.ts';
import { type MarketDb, openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import { selectRows } from '../../src/store/duckdb/connection/sql-rows.ts';
import { readDirectory } from '../../src/store/duckdb/securities/symbols.ts';
import type { RunDeps } from '../contract/reports.ts';

type ReadDeps = Pick<RunDeps, 'verb' | 'nowMs' | 'onWaiting'>;

/** Reads common shares with their companies' names; none if there is no store yet. */
export async function readCompanies(paths: ModePaths, deps: ReadDeps): Promise<NamedSecurity[]> {
  const rows = await readStore(paths, deps, readDirectory);
  return rows.flatMap(({ symbol, companyName, type, delistedDay }) =>
    companyName !== null && (type === null || type === 'stock') && delistedDay === null
      ? [{ symbol, companyName }]
      : [],
  );
}

/** Reads the end of each company's newest fiscal year with a statement, by symbol. */
export async function readYearEnds(
  paths: ModePaths,
  deps: ReadDeps,
): Promise<Map<string, FiscalYearEnd>> {
  const rows = await readStore(paths, deps, ({ connection }) =>
    selectRows<FiscalYearEnd & { symbol: string }>(
      connection,
      `SELECT symbol, (max(date) - DATE '1970-01-01')::INTEGER AS day,
         arg_max(fiscal_year, date)::DOUBLE AS "fiscalYear"
       FROM statements WHERE period = 'annual' AND fiscal_year IS NOT NULL GROUP BY symbol`,
    ),
  );
  return new Map(rows.map(({ symbol, day, fiscalYear }) => [symbol, { day, fiscalYear }]));
}

/** Opens the store for writing, so that an older store is upgraded before the backfill. */
async function readStore<Row>(
  paths: ModePaths,
  deps: ReadDeps,
  read: (market: MarketDb) => Promise<Row[]>,
): Promise<Row[]> {
  if (!existsSync(paths.market)) return [];
  const market = await openMarketForWriting(paths, deps);
  try {
    return await read(market);
  } finally {
    market.close();
  }
}
