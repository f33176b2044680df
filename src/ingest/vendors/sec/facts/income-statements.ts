/** Builds the income statements of a company. Each restatement is a version of its own. Pure. */

import type { RowOf } from '../../../../base/datasets/dataset.ts';
import type { statements } from '../../../../base/datasets/filings.ts';
import type { FiscalCalendar } from './fiscal-calendar.ts';
import { completedQuarter, type QuarterRest, quarterRests } from './quarter-rests.ts';
import { addVersion, type DatedFiling, type VersionsOf } from './row-versions.ts';
import { PARENT, WHOLE } from './sales.ts';
import { NO_FIGURES, StatedQuarters } from './stated-quarters.ts';
import {
  fits,
  type Span,
  type StatementField,
  type StatementFigures,
  type StatementReport,
} from './statement-spans.ts';
import { ToldSpans } from './told-spans.ts';

export type StatementRow = Omit<RowOf<typeof statements>, 'symbol'>;

/** @param reports Reports in the order of filing. */
export function incomeStatements(
  reports: readonly { filing: DatedFiling; report: StatementReport }[],
  calendar: FiscalCalendar,
): StatementRow[] {
  const years: VersionsOf<StatementField> = new Map();
  const quarters: VersionsOf<StatementField> = new Map();
  const told = new ToldSpans();
  const stated = new StatedQuarters();
  for (const { filing, report } of reports) {
    const { currency, spans } = report;
    told.add(report);
    const parents = { ...report, spans: spans.map((span) => withoutMinorities(span, told)) };
    for (const { endDay, length, figures } of parents.spans) {
      if (length === 'year') addTo(years, endDay, filing, { currency, figures });
    }
    const own = stated.add(parents);
    for (const rest of quarterRests(told, currency)) {
      const { endDay } = rest;
      const before = quarters.get(String(endDay))?.at(-1);
      const known = before?.currency === currency ? before : undefined;
      const fill = stated.unstated(currency, rest, known);
      if (!fill) continue;
      const netIncomeToCommon = known?.netIncomeToCommon ?? null;
      const figures = { ...NO_FIGURES, netIncomeToCommon, ...own.get(endDay), ...fill };
      own.set(endDay, completedQuarter(withShares(figures, rest)));
    }
    for (const [endDay, figures] of own) addTo(quarters, endDay, filing, { currency, figures });
  }
  return [...rowsOf(years, 'annual', calendar), ...rowsOf(quarters, 'quarterly', calendar)];
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

function addTo(
  versions: VersionsOf<StatementField>,
  endDay: number,
  filing: DatedFiling,
  told: { currency: string; figures: StatementFigures },
): void {
  const { eps, epsDiluted } = told.figures;
  addVersion(versions, String(endDay), filing, told, (before) => {
    // After a split, earnings per share are restated, and older figures per share no longer fit.
    const isRestated = isChanged(before.eps, eps) || isChanged(before.epsDiluted, epsDiluted);
    return isRestated ? ['sharesBasic', 'sharesDiluted', 'dividendsPerShare'] : [];
  });
}

function isChanged(before: number | null, now: number | null): boolean {
  return before !== null && now !== null && before !== now;
}

function rowsOf(
  versions: VersionsOf<StatementField>,
  period: StatementRow['period'],
  calendar: FiscalCalendar,
): StatementRow[] {
  return [...versions].flatMap(([key, list]) => {
    const date = Number(key);
    const { fiscalYear, fiscalQuarter } = calendar.labelOf(date);
    const head = { date, period, fiscalYear };
    const quarter = period === 'annual' ? null : fiscalQuarter;
    return list.map((version) => {
      // Figures of different filings stand in one row.
      const costOfRevenue = fits(version) ? version.costOfRevenue : null;
      return { ...head, fiscalQuarter: quarter, ...version, costOfRevenue };
    });
  });
}
