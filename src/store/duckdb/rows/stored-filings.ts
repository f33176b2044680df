/** Stored insiders' filings, for a fetch of missing ones. */

import { STATEMENT_RULES } from '../../../base/companies/statement-rules.ts';
import type { MarketDb } from '../connection/open.ts';
import { selectColumn, selectRows } from '../connection/sql-rows.ts';

/** Returns the addresses in the ledger of these sources' inputs. */
export async function readOrigins(
  { connection }: MarketDb,
  sources: readonly string[],
): Promise<Set<string>> {
  const found = await selectColumn<string>(
    connection,
    "SELECT DISTINCT origin FROM segments WHERE list_contains(string_split($1, ' '), source)",
    [sources.join(' ')],
  );
  return new Set(found);
}

/**
 * Returns the addresses of a source's inputs that were read by this program's rules: others are to
 * be read again.
 */
export async function readCurrentOrigins(
  { connection }: MarketDb,
  source: string,
): Promise<Set<string>> {
  const found = await selectColumn<string>(
    connection,
    'SELECT DISTINCT origin FROM segments WHERE source = $1 AND rules >= $2::INTEGER',
    [source, STATEMENT_RULES],
  );
  return new Set(found);
}

/** Returns numbers of a source's filings with transactions, loaded from a day (UTC) on. */
export async function readAccessions(
  { connection }: MarketDb,
  source: string,
  fromDay: number,
): Promise<Set<string>> {
  const found = await selectColumn<string>(
    connection,
    `SELECT DISTINCT accession FROM insider JOIN segments ON seq = segment_seq
     WHERE source = $1 AND loaded_at >= DATE '1970-01-01' + $2::INTEGER`,
    [source, fromDay],
  );
  return new Set(found);
}

/** Returns tickers of the directory by their registrant's number at the SEC. */
export async function readTickersByCik({ connection }: MarketDb): Promise<Map<number, string[]>> {
  const rows = await selectRows<{ cik: number; symbol: string }>(
    connection,
    `SELECT cik::DOUBLE AS cik, symbol FROM symbols WHERE cik IS NOT NULL ORDER BY symbol`,
  );
  const tickers = new Map<number, string[]>();
  for (const { cik, symbol } of rows) tickers.set(cik, [...(tickers.get(cik) ?? []), symbol]);
  return tickers;
}
