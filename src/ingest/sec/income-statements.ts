/** Income statements of a company, every restatement a version of its own. Pure. */

import type { RowOf } from '../../datasets.ts';
import type { statements } from '../../datasets-filings.ts';
import type { FiscalCalendar } from './fiscal-calendar.ts';
import { type KnownSpan, quartersOf } from './quarter-figures.ts';
import { addVersion, type DatedFiling, type VersionsOf } from './row-versions.ts';
import type { Span, StatementField, StatementFigures, StatementReport } from './statement-spans.ts';

export type StatementRow = Omit<RowOf<typeof statements>, 'symbol'>;

/** @param reports In the order of filing. */
export function incomeStatements(
  reports: readonly { filing: DatedFiling; report: StatementReport }[],
  calendar: FiscalCalendar,
): StatementRow[] {
  const years: VersionsOf<StatementField> = new Map();
  const quarters: VersionsOf<StatementField> = new Map();
  const known = new Map<string, KnownSpan>();
  for (const { filing, report } of reports) {
    const { currency, spans } = report;
    for (const { endDay, length, figures } of spans) {
      if (length === 'year') addTo(years, endDay, filing, { currency, figures });
    }
    const isTold = (endDay: number) => quarters.has(String(endDay));
    for (const { endDay, figures } of quartersOf(report, [...known.values()], isTold)) {
      addTo(quarters, endDay, filing, { currency, figures });
    }
    const toldForDay = report.newestEndDay;
    for (const span of spans) known.set(placeOf(span), { ...span, currency, toldForDay });
  }
  return [...rowsOf(years, 'annual', calendar), ...rowsOf(quarters, 'quarterly', calendar)];
}

function addTo(
  versions: VersionsOf<StatementField>,
  endDay: number,
  filing: DatedFiling,
  told: { currency: string; figures: StatementFigures },
): void {
  const { eps, epsDiluted } = told.figures;
  addVersion(versions, String(endDay), filing, told, (before) => {
    // Earnings per share are restated after a split, and older counts of shares, and what was paid
    // for one, no longer fit.
    const isRestated = isChanged(before.eps, eps) || isChanged(before.epsDiluted, epsDiluted);
    return isRestated ? ['sharesBasic', 'sharesDiluted', 'dividendsPerShare'] : [];
  });
}

function isChanged(before: number | null, now: number | null): boolean {
  return before !== null && now !== null && before !== now;
}

const placeOf = ({ startDay, endDay }: Span) => `${startDay}|${endDay}`;

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
    return list.map((version) => ({ ...head, fiscalQuarter: quarter, ...version }));
  });
}
