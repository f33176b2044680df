/** Builds the income statements of a company. Each restatement is a version of its own. Pure. */

import type { RowOf } from '../../../../base/datasets/dataset.ts';
import type { statements } from '../../../../base/datasets/filings.ts';
import type { FiscalCalendar } from './fiscal-calendar.ts';
import { completedQuarter, quarterRests } from './quarter-rests.ts';
import { addVersion, type DatedFiling, type VersionsOf } from './row-versions.ts';
import { NO_FIGURES, StatedQuarters } from './stated-quarters.ts';
import type { StatementField, StatementFigures, StatementReport } from './statement-spans.ts';
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
    for (const { endDay, length, figures } of spans) {
      if (length === 'year') addTo(years, endDay, filing, { currency, figures });
    }
    told.add(report);
    const own = stated.add(report);
    for (const rest of quarterRests(told, currency)) {
      const { endDay } = rest;
      const known = quarters.get(String(endDay))?.at(-1);
      const fill = stated.unstated(
        currency,
        rest,
        known?.currency === currency ? known : undefined,
      );
      if (!fill) continue;
      own.set(endDay, completedQuarter({ ...(own.get(endDay) ?? NO_FIGURES), ...fill }));
    }
    for (const [endDay, figures] of own) addTo(quarters, endDay, filing, { currency, figures });
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
    return list.map((version) => ({ ...head, fiscalQuarter: quarter, ...version }));
  });
}
