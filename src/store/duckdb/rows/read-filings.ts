/** Stored filings of companies, for publishing. */

import { cashFlow } from '../../../base/datasets/cash-flow.ts';
import type { Dataset, DatasetRow } from '../../../base/datasets/dataset.ts';
import { balanceSheet, shares, statements } from '../../../base/datasets/filings.ts';
import { ADS_RATIO, values } from '../../../base/datasets/universes.ts';
import type { Filings } from '../../../compute/companies/company-history.ts';
import type { AdsRatio } from '../../../compute/companies/receipt-ratios.ts';
import type { MarketDb } from '../connection/open.ts';
import { NAMED, selectColumn, selectRows, sqlDay } from '../connection/sql-rows.ts';
import { READ_VALUES, streamRows } from './read-rows.ts';

/** Datasets that figures of companies follow from. */
export const FILED_DATASETS = [shares, statements, balanceSheet, cashFlow] as const;

/** Companies whose filings are read together: some 75,000 rows, and 15 MB. */
const CHUNK_COMPANIES = 128;

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
    const ratios = await readRatios(market, chunk);
    for (const symbol of chunk) {
      // The store has checked that rows are those of their datasets.
      const filings = {
        counts: counts.get(symbol) ?? [],
        statements: reports.get(symbol) ?? [],
        balances: balances.get(symbol) ?? [],
        cashFlows: flows.get(symbol) ?? [],
        ratios: ratios.get(symbol),
      } as unknown as Filings;
      yield { symbol, ...filings };
    }
  }
}

/**
 * Returns the ratios of receipts from each day on, ascending by day: 1 for a stock that exchanges
 * list with a class and without a ratio, such as `Ordinary Shares`.
 */
async function readRatios(
  { connection }: MarketDb,
  symbols: readonly string[],
): Promise<Map<string, AdsRatio[]>> {
  const rows = await selectRows<AdsRatio & { symbol: string }>(
    connection,
    `WITH stated AS (
       SELECT symbol, ${sqlDay('date')} AS day, CASE WHEN value > 0 THEN value END AS ratio,
         is_named AS "isNamed"
       FROM ${READ_VALUES} WHERE name = '${ADS_RATIO}' AND symbol IN ${NAMED})
     FROM stated UNION ALL
     SELECT symbol, 0, 1, true FROM symbols ANTI JOIN stated USING (symbol)
     WHERE source = 'nasdaqtrader' AND type = 'stock' AND symbol IN ${NAMED}
     ORDER BY symbol, day`,
    [JSON.stringify(symbols)],
  );
  return Map.groupBy(rows, ({ symbol }) => symbol);
}

/** Returns the symbols of receipts of which a ratio is stated. */
export async function readReceipts({ connection }: MarketDb): Promise<ReadonlySet<string>> {
  const found = await selectColumn<string>(
    connection,
    `SELECT DISTINCT symbol FROM ${values.table} WHERE name = '${ADS_RATIO}'`,
  );
  return new Set(found);
}

export async function symbolsWithFilings({ connection }: MarketDb): Promise<string[]> {
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
