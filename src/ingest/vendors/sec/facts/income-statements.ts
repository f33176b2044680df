/** Builds the income statements of a company. Each restatement is a version of its own. Pure. */

import type { RowOf } from '../../../../base/datasets/dataset.ts';
import type { Evidence } from '../../../../base/datasets/evidence.ts';
import { earningsBefore, type statements } from '../../../../base/datasets/filings.ts';
import { PARENT, WHOLE } from '../concepts/profits.ts';
import { openEvidence, type RESTS, restEvidence } from './evidence.ts';
import type { FiscalCalendar } from './fiscal-calendar.ts';
import { fits } from './gross-profit.ts';
import { completedQuarter, type QuarterRest } from './quarter-rests.ts';
import type { DatedFiling } from './row-versions.ts';
import { type StatementKind, statementRows } from './statement-rows.ts';
import {
  FLOWS,
  MAIN_FLOWS,
  MAY_HOLD_MINORITIES,
  MEANS,
  type Span,
  type StatementField,
  type StatementFigures,
  type StatementReport,
} from './statement-spans.ts';
import type { ToldSpans } from './told-spans.ts';

export type StatementRow = Omit<RowOf<typeof statements>, 'symbol'>;

const INCOME: StatementKind<StatementField> = {
  flows: FLOWS,
  proving: MAIN_FLOWS,
  fields: [...FLOWS, ...MEANS],
  carried: ['netIncomeToCommon'],
  settled: (report, told) => {
    return { ...report, spans: report.spans.map((span) => withoutMinorities(span, told)) };
  },
  completed: (figures, rest) => completedQuarter(withShares(figures, rest)),
  derived: (before, figures) => ({
    ...(before.eps === null && perShareEvidence(figures, 'eps', 'sharesBasic')),
    ...(before.epsDiluted === null && perShareEvidence(figures, 'epsDiluted', 'sharesDiluted')),
    ...(before.grossProfit === null && salesEvidence(figures, 'grossProfit')),
    ...(before.costOfRevenue === null && salesEvidence(figures, 'costOfRevenue')),
  }),
  apart: (before, { eps, epsDiluted }) => {
    // After a split, earnings per share are restated, and older figures per share no longer fit.
    const isRestated = isChanged(before.eps, eps) || isChanged(before.epsDiluted, epsDiluted);
    return isRestated ? ['sharesBasic', 'sharesDiluted', 'dividendsPerShare'] : [];
  },
};

/** @param reports Reports in the order of filing. */
export function incomeStatements(
  reports: readonly { filing: DatedFiling; report: StatementReport }[],
  calendar: FiscalCalendar,
): StatementRow[] {
  // Figures of different filings stand in one row.
  return statementRows(reports, calendar, INCOME).map(({ depreciationAmortization, ...row }) => ({
    ...row,
    ...(fits(row) ? {} : { costOfRevenue: null }),
    ...earningsBefore(row, depreciationAmortization),
  }));
}

/** Names revenue and the figure that another one is less than it. */
function salesEvidence(figures: StatementFigures, field: keyof typeof RESTS): Evidence {
  const value = figures[field];
  const found = value === null ? undefined : restEvidence(field, value, figures);
  return found ? { [field]: found } : {};
}

/** Names the income and the mean of shares that earnings per share follow from, or are unknown by. */
function perShareEvidence(
  figures: StatementFigures,
  perShare: 'eps' | 'epsDiluted',
  mean: 'sharesBasic' | 'sharesDiluted',
): Evidence {
  const names = ['netIncomeToCommon', mean] as const;
  const unknown = names.filter((name) => figures[name] === null);
  if (figures[perShare] === null) {
    return { [perShare]: openEvidence(`unknown: ${unknown.join(', ')}`) };
  }
  const lines = names.map((name) => [name, null, figures[name]] as const);
  return { [perShare]: { verdict: 'difference', lines } };
}

/** Drops a profit that may hold the part of minorities, which other periods of the company show. */
function withoutMinorities(span: Span, told: ToldSpans): Span {
  const [profit] = span.candidates.netIncome ?? [];
  if (profit?.basis !== WHOLE || !told.differs('netIncome', WHOLE, PARENT)) return span;
  const { netIncome, netIncomeToCommon } = span.figures;
  const isSame = netIncomeToCommon === netIncome;
  const common = isSame ? null : netIncomeToCommon;
  const open = openEvidence(MAY_HOLD_MINORITIES);
  const ofCommon = isSame && { netIncomeToCommon: open };
  const evidence = { ...span.evidence, netIncome: open, ...ofCommon };
  const figures = { ...span.figures, netIncome: null, netIncomeToCommon: common };
  return { ...span, figures, evidence };
}

/** Adds weighted shares that no filing states. Those of a loss count no dilution. */
function withShares(figures: StatementFigures, { shares }: QuarterRest): StatementFigures {
  const sharesBasic = figures.sharesBasic ?? shares.sharesBasic ?? null;
  const { netIncomeToCommon } = figures;
  const isLoss = netIncomeToCommon !== null && netIncomeToCommon < 0;
  const sharesDiluted = isLoss ? sharesBasic : (shares.sharesDiluted ?? null);
  return { ...figures, sharesBasic, sharesDiluted: figures.sharesDiluted ?? sharesDiluted };
}

function isChanged(before: number | null, now: number | null): boolean {
  return before !== null && now !== null && before !== now;
}
