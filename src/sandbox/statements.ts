/** Income statements of the sandbox: each year the sum of its quarters. */

import type { RowOf } from '../base/datasets/datasets.ts';
import type { statements } from '../base/datasets/filings.ts';
import { type FiledPeriod, type SandboxFiling, sandboxFilings } from './filings.ts';
import { dilutedSharesOn, perShare, quarterIncome, sharesOn, yearIncome } from './fundamentals.ts';
import type { SandboxSpan } from './reporting.ts';
import type { SandboxSecurity } from './universe.ts';

type StatementRow = RowOf<typeof statements>;

/** Those that were filed in a span, oldest first. */
export function sandboxStatements(security: SandboxSecurity, span: SandboxSpan): StatementRow[] {
  return sandboxFilings(security, span).flatMap((filing) =>
    filing.periods.map((filed) => statementRow(security, filing, filed)),
  );
}

function statementRow(
  security: SandboxSecurity,
  filing: SandboxFiling,
  filed: FiledPeriod,
): StatementRow {
  const incomeOf = filed.period === 'annual' ? yearIncome : quarterIncome;
  const income = incomeOf(security, filed.number, filed.isRestated);
  const sharesBasic = sharesOn(security, filing.day);
  const sharesDiluted = dilutedSharesOn(security, filing.day, income.netIncome);
  return {
    ...periodColumns(security, filing, filed),
    ...income,
    eps: perShare(income.netIncome, sharesBasic),
    epsDiluted: perShare(income.netIncome, sharesDiluted),
    netIncomeToCommon: income.netIncome,
    sharesBasic,
    sharesDiluted,
    // All of its dividends are corporate actions.
    dividendsPerShare: null,
  };
}

/** What rows of every report say of it. */
export function periodColumns(
  { symbol }: SandboxSecurity,
  { filedAt, form, accession }: SandboxFiling,
  { endDay, period, fiscalYear, fiscalQuarter }: FiledPeriod,
) {
  const filing = { currency: 'USD', form, accession };
  return { symbol, date: endDay, period, filedAt, fiscalYear, fiscalQuarter, ...filing };
}
