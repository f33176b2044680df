/** What is stored of insiders' filings, for a fetch that asks only for what is not. */

import type { MarketDb } from '../connection/open.ts';
import { selectRows } from '../connection/sql-rows.ts';

/** Addresses, as the ledger keeps them, of what sources of these names gave. */
export async function readOrigins(
  { connection }: MarketDb,
  sources: readonly string[],
): Promise<Set<string>> {
  const rows = await selectRows<{ origin: string }>(
    connection,
    "SELECT DISTINCT origin FROM segments WHERE list_contains(string_split($1, ' '), source)",
    [sources.join(' ')],
  );
  return new Set(rows.map(({ origin }) => origin));
}

/** Numbers of filings with transactions that a source gave, loaded from a day on, in UTC. */
export async function readAccessions(
  { connection }: MarketDb,
  source: string,
  fromDay: number,
): Promise<Set<string>> {
  const rows = await selectRows<{ accession: string }>(
    connection,
    `SELECT DISTINCT accession FROM insider JOIN segments ON seq = segment_seq
     WHERE source = $1 AND loaded_at >= DATE '1970-01-01' + $2::INTEGER`,
    [source, fromDay],
  );
  return new Set(rows.map(({ accession }) => accession));
}

/** Tickers of the directory by their registrant's number at the SEC. */
export async function readTickersByCik({ connection }: MarketDb): Promise<Map<number, string[]>> {
  const rows = await selectRows<{ cik: number; symbol: string }>(
    connection,
    `SELECT cik::DOUBLE AS cik, symbol FROM symbols WHERE cik IS NOT NULL ORDER BY symbol`,
  );
  const tickers = new Map<number, string[]>();
  for (const { cik, symbol } of rows) tickers.set(cik, [...(tickers.get(cik) ?? []), symbol]);
  return tickers;
}
