/** Builds the rows of one ownership document. Pure. */

import type { UncheckedRow } from '../../rows/stage-rows.ts';
import { insiderRow } from './insider-row.ts';
import { symbolOfIssuer, type TickersByCik } from './issuer-symbol.ts';
import type { OwnershipReport } from './parse-form4.ts';

/** Facts of the submission, or of the document itself if there is no submission. */
export interface FiledAs {
  accession: string;
  /** Null if unknown. Its rows are then refused. */
  filedAtMs: number | null;
}

/** @returns rows and refusals in the order of the document, or the reason why there are none. */
export function reportRows(
  report: OwnershipReport,
  { accession, filedAtMs }: FiledAs,
  tickersByCik: TickersByCik,
): UncheckedRow[] | string {
  const { form, insiderName, title, amends, transactions } = report;
  if (form.startsWith('3')) return `Form ${form} lists holdings and has no transactions`;
  if (transactions.length === 0) return `Form ${form} without transactions`;
  const symbol = symbolOfIssuer(report.tradingSymbol, report.issuerCik, tickersByCik) ?? null;
  const filing = { symbol, insiderName, title, filedAtMs, accession, amends };
  return transactions.map((transaction, index) =>
    insiderRow(filing, { line: index + 1, ...transaction }),
  );
}
