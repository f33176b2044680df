/** Builds the income statements of a company. Each restatement is a version of its own. Pure. */

import type { RowOf } from '../../../../base/datasets/dataset.ts';
import { earningsBefore, type statements } from '../../../../base/datasets/filings.ts';
import { PARENT, WHOLE } from '../concepts/profits.ts';
import type { FiscalCalendar } from './fiscal-calendar.ts';
import { fits } from './gross-profit.ts';
import { completedQuarter, type QuarterRest } from './quarter-rests.ts';
import type { DatedFiling } from './row-versions.ts';
import { type StatementKind, statementRows } from './statement-rows.ts';
import {
  FLOWS,
  MAIN_FLOWS,
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

/** Drops a profit that may hold the part of minorities, which other periods of the company show. */
function withoutMinorities(span: Span, told: ToldSpans): Span {
  const [profit] = span.candidates.netIncome ?? [];
  if (profit?.basis !== WHOLE || !told.differs('netIncome', WHOLE, PARENT)) return span;
  const { netIncome, netIncomeToCommon } = span.figures;
  const isSame = netIncomeToCommon === netIncome;
  const common = isSame ? null : netIncomeToCommon;
  return { ...span, figures: { ...span.figures, netIncome: null, netIncomeToCommon: common } };
}

/** Adds weighted shares that no filing states. */
function withShares(figures: StatementFigures, { shares }: QuarterRest): StatementFigures {
  const { sharesBasic = null, sharesDiluted = null } = shares;
  return {
    ...figures,
    sharesBasic: figures.sharesBasic ?? sharesBasic,
    sharesDiluted: figures.sharesDiluted ?? sharesDiluted,
  };
}

function isChanged(before: number | null, now: number | null): boolean {
  return before !== null && now !== null && before !== now;
}
