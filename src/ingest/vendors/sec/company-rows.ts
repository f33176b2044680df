import type { RowOf } from '../../../base/datasets/dataset.ts';
import type { filings as filedReports } from '../../../base/datasets/filed-reports.ts';
import { filingLink } from '../../../base/datasets/insider-filing.ts';
import { newYorkMidnightMs } from '../../../base/time/calendar.ts';
import type { CompanyFacts, FactFiling } from './concepts/parse-companyfacts.ts';
import { type BalanceRow, balanceSheets } from './facts/balance-sheets.ts';
import { type CashFlowRow, cashFlowReports, cashFlows } from './facts/cash-flows.ts';
import { fiscalCalendar } from './facts/fiscal-calendar.ts';
import { incomeStatements, type StatementRow } from './facts/income-statements.ts';
import { alignedReport, periodEnds } from './facts/period-ends.ts';
import { type ShareRow, shareCounts } from './facts/share-counts.ts';
import { inSingleShares } from './facts/share-units.ts';
import { statementReport } from './facts/statement-spans.ts';

type FilingRow = Omit<RowOf<typeof filedReports>, 'symbol'>;

export interface CompanyRows {
  statements: StatementRow[];
  balanceSheets: BalanceRow[];
  cashFlows: CashFlowRow[];
  shares: ShareRow[];
  filings: FilingRow[];
}

/** Datasets, each with the name of its rows. */
export const COMPANY_DATASETS = [
  ['statements', 'statements'],
  ['balance-sheet', 'balanceSheets'],
  ['cash-flow', 'cashFlows'],
  ['shares', 'shares'],
  ['filings', 'filings'],
] as const satisfies readonly (readonly [dataset: string, rows: keyof CompanyRows])[];

export const NO_ROWS: CompanyRows = {
  statements: [],
  balanceSheets: [],
  cashFlows: [],
  shares: [],
  filings: [],
};

/** Filings accepted until 17:30 have the date of that day. */
const FILING_HOUR_MS = 17.5 * 3_600_000;

/**
 * @param acceptedMs Moment of acceptance by accession; default 17:30 in New York on the filing
 *   day, which is never earlier than it was known.
 */
export function companyRows(
  { cik, filings }: Pick<CompanyFacts, 'cik' | 'filings'>,
  acceptedMs: ReadonlyMap<string, number>,
): CompanyRows {
  const dated = inSingleShares(filings)
    .map((filing) => {
      const { accession, filedDay } = filing;
      const filedAtMs = acceptedMs.get(accession) ?? newYorkMidnightMs(filedDay) + FILING_HOUR_MS;
      return { ...filing, filedAtMs };
    })
    .sort((a, b) => a.filedAtMs - b.filedAtMs || (a.accession < b.accession ? -1 : 1));
  const paid = cashFlowReports(dated);
  const paidBy = new Map(paid.map(({ filing, report }) => [filing, report]));
  const told = dated.flatMap((filing) => {
    const report = statementReport(filing, paidBy.get(filing));
    return report ? [{ filing, report }] : [];
  });
  const ends = periodEnds(told);
  const reports = told.map(({ filing, report }) => ({
    filing,
    report: alignedReport(report, ends, filing.filedAtMs),
  }));
  const calendar = fiscalCalendar(reports, ends);
  const flows = paid.map(({ filing, report }) => {
    return { filing, report: alignedReport(report, ends, filing.filedAtMs) };
  });
  const periods = new Map(
    reports.map(({ filing: { accession, filedAtMs }, report }) => [
      accession,
      ends.dateOf(report.newestEndDay, filedAtMs),
    ]),
  );
  return {
    statements: incomeStatements(reports, calendar),
    balanceSheets: balanceSheets(dated, calendar),
    cashFlows: cashFlows(flows, calendar),
    shares: shareCounts(dated),
    filings: filings.map((filing) => filingRow(cik, filing, acceptedMs, periods)),
  };
}

/** @param periods Last day of each report's own period, by accession. */
function filingRow(
  cik: number,
  { accession, form, filedDay, ...filing }: FactFiling & { periodDay?: number },
  acceptedMs: ReadonlyMap<string, number>,
  periods: ReadonlyMap<string, number>,
): FilingRow {
  return {
    accession,
    form,
    period: filing.periodDay ?? periods.get(accession) ?? null,
    filedAt: filedDay,
    acceptedAt: acceptedMs.get(accession) ?? null,
    link: filingLink(cik, accession),
  };
}
