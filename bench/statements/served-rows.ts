/** Loads a set of statements by the command line, and reads what the store serves. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentOf, launch } from '../launch.ts';

export interface ServedRow {
  dataset: string;
  /** Last day of the period, in days since 1970. */
  day: number;
  period: string;
  /** Moment of the filing. */
  filedAt: string;
  [figure: string]: unknown;
}

const DATASETS = ['statements', 'balance_sheet', 'cash_flow'] as const;

/** Returns the served rows of each company by its number. */
export async function servedRows(
  dataDir: string,
  folder: string,
  companies: readonly { cik: number; name: string }[],
): Promise<Map<number, ServedRow[]>> {
  const ciks = [...new Set(companies.map(({ cik }) => cik))];
  const tickers = new Map(ciks.map((cik, i) => [tickerOf(i), cik]));
  const data = [...tickers].map(([ticker, cik]) => [cik, `Company ${cik}`, ticker, 'NYSE']);
  mkdirSync(dataDir, { recursive: true });
  const listing = join(dataDir, 'company_tickers_exchange.json');
  writeFileSync(listing, JSON.stringify({ fields: ['cik', 'name', 'ticker', 'exchange'], data }));
  await documentOf(launch(dataDir, ['backfill', 'sec', folder, listing]));
  const served = new Map<number, ServedRow[]>(ciks.map((cik) => [cik, []]));
  for (const dataset of DATASETS) {
    const query = `SELECT * EXCLUDE (evidence), epoch(date::TIMESTAMP) / 86400 AS day FROM ${dataset}`;
    const rows = (await documentOf(launch(dataDir, ['sql', query]))) as unknown as Row[];
    for (const row of rows) served.get(tickers.get(row.symbol)!)?.push(servedRow(dataset, row));
  }
  return served;
}

type Row = Record<string, unknown> & { symbol: string };

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

function servedRow(dataset: string, row: Row): ServedRow {
  const fields = Object.entries(row).map(([name, value]) => [camelCase(name), value]);
  return { ...Object.fromEntries(fields), dataset };
}

/** `QAAAB`: a ticker of its own for each company. */
function tickerOf(place: number): string {
  const digits = (26 ** 3 + place).toString(26);
  return `Q${[...digits].map((digit) => String.fromCharCode(65 + Number.parseInt(digit, 26))).join('')}`;
}
