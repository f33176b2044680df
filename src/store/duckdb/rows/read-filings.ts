/** Stored filings of companies, for publishing. */

import { cashFlow } from '../../../base/datasets/cash-flow.ts';
import type { Dataset, DatasetRow } from '../../../base/datasets/dataset.ts';
import { balanceSheet, shares, statements } from '../../../base/datasets/filings.ts';
import type { Filings } from '../../../compute/companies/company-history.ts';
import type { MarketDb } from '../connection/open.ts';
import { selectColumn } from '../connection/sql-rows.ts';
import { streamRows } from './read-rows.ts';

/** Datasets that figures of companies follow from. */
export const FILED_DATASETS = [shares, statements, balanceSheet, cashFlow] as const;

/** Companies whose filings are read together: some 150,000 rows. */
const CHUNK_COMPANIES = 256;

/**
 * Streams the filings of companies, ascending by symbol.
 *
 * @param symbols Only these; default: all.
 */
export async function* streamFilings(
  market: MarketDb,
  symbols?: readonly string[],
): AsyncGenerator<Filings & { symbol: string }> {
  const wanted = [...(symbols ?? (await symbolsWithFilings(market)))].sort();
  for (let start = 0; start < wanted.length; start += CHUNK_COMPANIES) {
    const chunk = wanted.slice(start, start + CHUNK_COMPANIES);
    const counts = await rowsBySymbol(market, shares, chunk);
    const reports = await rowsBySymbol(market, statements, chunk);
    const balances = await rowsBySymbol(market, balanceSheet, chunk);
    const flows = await rowsBySymbol(market, cashFlow, chunk);
    for (const symbol of chunk) {
      // The store has checked that rows are those of their datasets.
      const filings = {
        counts: counts.get(symbol) ?? [],
        statements: reports.get(symbol) ?? [],
        balances: balances.get(symbol) ?? [],
        cashFlows: flows.get(symbol) ?? [],
      } as unknown as Filings;
      yield { symbol, ...filings };
    }
  }
}

async function symbolsWithFilings({ connection }: MarketDb): Promise<string[]> {
  const tables = FILED_DATASETS.map(({ table }) => `SELECT symbol FROM ${table}`);
  return selectColumn<string>(connection, tables.join(' UNION '));
}

async function rowsBySymbol(
  market: MarketDb,
  dataset: Dataset,
  symbols: readonly string[],
): Promise<Map<string, readonly DatasetRow[]>> {
  const found = new Map<string, readonly DatasetRow[]>();
  for await (const { symbol, rows } of streamRows(market, dataset, symbols)) {
    found.set(symbol, rows);
  }
  return found;
}
