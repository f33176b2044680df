/**
 * Leaves out quarters that an annual report gives beside its year and that are not its parts: the
 * table is of net sales alone, names another year, or a note gives one effect of a quarter. Pure.
 */

import type { Figures, Span, StatementReport } from './statement-spans.ts';

const QUARTERS = 4;

/** Largest gap between a year and its quarters, as a share of them, and in their units. */
const ROUNDED_SHARE = 0.002;
const ROUNDED_UNITS = 4;
const UNITS = [1e8, 1e6, 1e5, 1e3, 1];

/** Flows that are rounded too coarsely to be compared. */
const UNCOMPARED = 'dividendsPerShare';

/** Figure whose quarters have earnings per share of their own. */
const PROFIT = 'netIncome';

/** Figures of which notes give effects by quarter, and those that show one definition of a year. */
const OF_NOTES = ['incomeTax', 'pretaxIncome'];
const OF_DEFINITION = ['revenue', PROFIT];

type Known<F extends string> = (
  endDay: number,
) => Readonly<Partial<Record<F, number | null>>> | undefined;

/**
 * A figure's quarters are left out if the four of a year add up to another amount than the year in
 * the same report, and all four are in it, those known before add up to the year, or other figures
 * show that nothing was restated.
 *
 * @param known Returns the figures of a quarter that earlier reports left, by its last day.
 */
export function withoutContradicted<F extends string>(
  report: StatementReport<F>,
  flows: readonly F[],
  known: Known<F>,
): StatementReport<F> {
  const dropped = new Map<Span<F>, Set<F>>();
  for (const year of report.spans.filter(({ length }) => length === 'year')) {
    const own = report.spans.filter((span) => isQuarterOf(year, span));
    const fields = flows.filter((field) => isContradicted(field, year, own, known));
    for (const span of own) dropped.set(span, new Set(fields));
  }
  const isAny = [...dropped.values()].some(({ size }) => size > 0);
  if (!isAny) return report;
  const spans = report.spans.map((span) => withoutFigures(span, flows, dropped.get(span)));
  return { ...report, spans };
}

function isQuarterOf<F extends string>(year: Span<F>, { length, startDay, endDay }: Span<F>) {
  return length === 'quarter' && startDay >= year.startDay && endDay <= year.endDay;
}

function isContradicted<F extends string>(
  field: F,
  year: Span<F>,
  own: readonly Span<F>[],
  known: Known<F>,
): boolean {
  const whole = year.figures[field];
  if (whole === null || field === UNCOMPARED) return false;
  const stated = own.flatMap(({ endDay, figures }) => (figures[field] === null ? [] : [endDay]));
  const days = quarterEnds(year, own, known);
  if (days.length !== QUARTERS || days.at(-1) !== year.endDay) return false;
  const before = days.map((day) => known(day)?.[field] ?? null);
  const now = quartersOf(field, days, own, known);
  if (!isChanged(now, before) || isSum(now, whole) !== false) return false;
  if (stated.length === QUARTERS || isSum(before, whole)) return true;
  const [sales, profit] = OF_DEFINITION.map((one) => {
    const all = year.figures[one as F];
    return typeof all === 'number' ? isSum(quartersOf(one as F, days, own, known), all) : undefined;
  });
  return OF_NOTES.includes(field) && sales === true && profit !== false;
}

/** Returns the quarters as the report states them, else as they were known. */
function quartersOf<F extends string>(
  field: F,
  days: readonly number[],
  own: readonly Span<F>[],
  known: Known<F>,
): (number | null)[] {
  return days.map((day) => {
    const stated = own.find(({ endDay }) => endDay === day)?.figures[field];
    return stated ?? known(day)?.[field] ?? null;
  });
}

const isChanged = (now: readonly (number | null)[], before: readonly (number | null)[]) =>
  now.some((value, i) => value !== before[i]);

function quarterEnds<F extends string>(
  { startDay, endDay }: Span<F>,
  own: readonly Span<F>[],
  known: Known<F>,
): number[] {
  const stated = new Set(own.map((span) => span.endDay));
  const days: number[] = [];
  for (let day = startDay; day <= endDay; day++) {
    if (stated.has(day) || known(day)) days.push(day);
  }
  return days;
}

/** @returns undefined if a quarter is unknown. */
function isSum(quarters: readonly (number | null)[], whole: number): boolean | undefined {
  if (quarters.some((value) => value === null)) return undefined;
  const sum = quarters.reduce((all: number, value) => all + value!, 0);
  const size = quarters.reduce((all: number, value) => all + Math.abs(value!), 0);
  const unit = UNITS.find((one) => [whole, ...quarters].every((value) => value! % one === 0)) ?? 0;
  const most = Math.max(ROUNDED_SHARE * Math.max(size, Math.abs(whole)), ROUNDED_UNITS * unit);
  return Math.abs(sum - whole) <= most;
}

function withoutFigures<F extends string>(
  span: Span<F>,
  flows: readonly F[],
  fields: ReadonlySet<F> = new Set(),
): Span<F> {
  if (fields.size === 0) return span;
  const isProfit = fields.has(PROFIT as F);
  const isOpen = (field: F) => fields.has(field) || (isProfit && !flows.includes(field));
  const figures = Object.entries(span.figures) as [F, number | null][];
  const kept = figures.map(([field, value]) => [field, isOpen(field) ? null : value]);
  const without = <T extends object>(table: T) =>
    Object.fromEntries(Object.entries(table).filter(([field]) => !isOpen(field as F))) as T;
  return {
    ...span,
    figures: Object.fromEntries(kept) as Figures<F>,
    candidates: without(span.candidates),
    ...(span.evidence && { evidence: without(span.evidence) }),
  };
}
