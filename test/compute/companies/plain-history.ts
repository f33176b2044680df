/** Figures of a company in the plain way: everything again from all rows known by each moment. */

import { MILLIS_PER_DAY, type Split } from '../../../src/base/bars.ts';
import {
  BALANCE_FIGURES,
  BALANCE_LINE_FIGURES,
  CASH_FIGURES,
  type CompanyFigures,
  FIGURE_NAMES,
  INCOME_FIGURES,
  INCOME_LINE_FIGURES,
} from '../../../src/base/companies/figures.ts';
import type { Filings, KnownFigures } from '../../../src/compute/companies/company-history.ts';
import { markedApart, mixedFigures } from '../../../src/compute/companies/mixed-restatements.ts';
import { ShareBases } from '../../../src/compute/companies/share-bases.ts';
import {
  type StatementRow,
  type TrailingStatement,
  TrailingVersion,
  trailingSums,
} from '../../../src/compute/companies/trailing-statements.ts';

function isNear(one: number, other: number): boolean {
  return one <= 1.5 * other && other <= 1.5 * one;
}

/** Income over earnings per share, on the split basis of the count. */
function impliedCount(
  newest: TrailingStatement | undefined,
  splits: readonly Split[],
  { sharesDay }: CompanyFigures,
): number {
  if (!newest) return Number.NaN;
  const filedDay = dayOf(newest.filedAt);
  let count = (newest.netIncome ?? Number.NaN) / (newest.eps ?? Number.NaN);
  for (const { exDay, numerator, denominator } of splits) {
    if (exDay > filedDay && exDay <= sharesDay) count *= numerator / denominator;
    if (exDay > sharesDay && exDay <= filedDay) count *= denominator / numerator;
  }
  return count;
}

/** Returns what `trailingStatements` returns. */
export function plainTrailing(
  rows: readonly StatementRow[],
  splits: readonly Split[],
): TrailingStatement[] {
  const bases = new ShareBases();
  const trailing: TrailingStatement[] = [];
  const moments = [...new Set(rows.map(({ filedAt }) => filedAt))];
  for (const moment of moments) {
    const filed = rows.filter(({ filedAt }) => filedAt === moment);
    const earlier = rows.filter(({ filedAt }) => filedAt < moment);
    const known = rows.filter(({ filedAt }) => filedAt <= moment);
    const before = filed.map((row) =>
      earlier.findLast(({ date, period }) => date === row.date && period === row.period),
    );
    bases.add(filed, before);
    const quarterEnds = datesOf(known.filter(({ period }) => period === 'quarterly'));
    const isChanged = (end: number) =>
      filed.some(
        ({ date, period }, i) =>
          date === end ||
          // A restated year may leave its quarters behind.
          ((period === 'quarterly' || (period === 'annual' && before[i])) &&
            quarterEnds.includes(end) &&
            date < end &&
            end - date <= 3 * 115),
      );
    for (const date of datesOf(known).filter(isChanged)) {
      const parts = partsOf(known, date);
      if (!parts) continue;
      const factors = parts.map((part) => {
        const stated = splits.filter(({ exDay }) => {
          const exMs = exDay * MILLIS_PER_DAY;
          return exMs > firstFiled(part, known) && exMs <= moment;
        });
        if (stated.length === 0) return bases.newest / bases.of(part);
        return stated.reduce(
          (product, split) => (product * split.numerator) / split.denominator,
          1,
        );
      });
      trailing.push(
        new TrailingVersion(date, moment, ofOneDefinition(known, parts), factors).statement,
      );
    }
  }
  return trailing;
}

const PER_SHARE = ['eps', 'epsDiluted', 'sharesBasic', 'sharesDiluted'] as const;

/** Returns when the figures per share of a row were filed first, without others between. */
function firstFiled(part: StatementRow, known: readonly StatementRow[]): number {
  const others = known.filter(({ date, period }) => date === part.date && period === part.period);
  const before = others.slice(0, others.indexOf(part)).reverse();
  const last = before.findIndex((row) => PER_SHARE.some((name) => row[name] !== part[name]));
  const same = last < 0 ? before : before.slice(0, last);
  return same.at(-1)?.filedAt ?? part.filedAt;
}

function datesOf(rows: readonly StatementRow[]): number[] {
  return [...new Set(rows.map(({ date }) => date))].sort((a, b) => a - b);
}

function partsOf(known: readonly StatementRow[], date: number): StatementRow[] | undefined {
  const year = known.findLast((row) => row.period === 'annual' && row.date === date);
  if (year) return [year];
  const quarters = known.filter(({ period }) => period === 'quarterly');
  const last = datesOf(quarters)
    .filter((end) => end <= date)
    .slice(-4);
  const days = last.slice(1).map((end, i) => end - last[i]);
  if (last.length < 4 || last[3] !== date || days.some((one) => one < 75 || one > 115)) {
    return undefined;
  }
  return last.map((end) => quarters.findLast((row) => row.date === end)!);
}

function ofOneDefinition(
  known: readonly StatementRow[],
  parts: readonly StatementRow[],
): readonly StatementRow[] {
  const names = parts.slice(0, -1).flatMap(({ date }) => {
    const year = known.findLast((row) => row.period === 'annual' && row.date === date);
    const others = known.filter(({ period }) => period !== 'annual');
    const quarters = year && partsOf(others, date);
    return quarters ? mixedFigures(parts, { year, quarters }) : [];
  });
  return names.length === 0 ? parts : [...parts.slice(0, -1), markedApart(parts.at(-1)!, names)];
}

/** Returns what `companyHistory` returns. */
export function plainHistory(filings: Filings, splits: readonly Split[]): KnownFigures[] {
  const { counts, statements, balances, cashFlows } = filings;
  const all = [...counts, ...statements, ...balances, ...cashFlows].map(({ filedAt }) => filedAt);
  const history: KnownFigures[] = [];
  for (const knownMs of [...new Set(all)].sort((a, b) => a - b)) {
    const isKnown = ({ filedAt }: { filedAt: number }) => filedAt <= knownMs;
    const figures = figuresOf(
      {
        counts: counts.filter(isKnown),
        statements: statements.filter(isKnown),
        balances: balances.filter(isKnown),
        cashFlows: cashFlows.filter(isKnown),
      },
      splits,
    );
    const before = history.at(-1)?.figures;
    if (!before || FIGURE_NAMES.some((name) => !Object.is(figures[name], before[name]))) {
      history.push({ knownMs, figures });
    }
  }
  return history;
}

function figuresOf(
  { counts, statements, balances, cashFlows }: Filings,
  splits: readonly Split[],
): CompanyFigures {
  const unknown = FIGURE_NAMES.map((name) => [name, Number.NaN]);
  const figures = Object.fromEntries(unknown) as CompanyFigures;
  let isStated = false;
  const newestDay = Math.max(...counts.map(({ date }) => date));
  for (const kind of ['weighted', 'balance', 'cover'] as const) {
    const count = newestOf(counts.filter((row) => row.kind === kind));
    if (!count || newestDay - count.date > 400) continue;
    isStated = kind !== 'weighted';
    figures.shares = count.shares;
    figures.sharesDay = kind === 'cover' ? count.date : dayOf(count.filedAt);
  }
  const currency = statements.at(-1)?.currency ?? null;
  const isInDollars = (currency ?? 'USD') === 'USD';
  const trailing = plainTrailing(statements, splits);
  const newest = newestOf(trailing);
  if (newest || currency) figures.isInDollars = isInDollars ? 1 : 0;
  figures.isCounted =
    isStated && isNear(figures.shares, impliedCount(newest, splits, figures)) ? 1 : 0;
  if (newest) {
    figures.filedDay = dayOf(newest.filedAt);
    figures.periodDay = newest.date;
    figures.eps = newest.eps ?? Number.NaN;
    for (const name of [...INCOME_FIGURES, ...INCOME_LINE_FIGURES]) {
      figures[name] = newest[name] ?? Number.NaN;
    }
    const isYear = statements.some((row) => row.period === 'annual' && row.date === newest.date);
    figures.isYear = isYear ? 1 : 0;
    if (isInDollars) {
      figures.epsDiluted = newest.epsDiluted ?? Number.NaN;
      figures.dividends = newest.dividendsPerShare ?? Number.NaN;
    }
    const before = earlierOf(statements, splits, newest, 1);
    figures.revenueBefore = before?.revenue ?? Number.NaN;
    figures.netIncomeBefore = before?.netIncome ?? Number.NaN;
    figures.sharesDilutedBefore = before?.sharesDiluted ?? Number.NaN;
    figures.epsDilutedBefore = (isInDollars ? before?.epsDiluted : null) ?? Number.NaN;
    for (const years of [3, 5] as const) {
      const earlier = earlierOf(statements, splits, newest, years);
      figures[`revenueBefore${years}y`] = earlier?.revenue ?? Number.NaN;
      const eps = isInDollars ? earlier?.epsDiluted : null;
      figures[`epsDilutedBefore${years}y`] = eps ?? Number.NaN;
    }
    const flows = newestOf(
      trailingSums(cashFlows, CASH_FIGURES).filter(({ date }) => date === newest.date),
    ) as unknown as Record<string, number | null> | undefined;
    for (const name of CASH_FIGURES) figures[name] = flows?.[name] ?? Number.NaN;
  }
  const balance = newestOf(balances);
  if (balance) {
    figures.balanceDay = balance.date;
    for (const name of [...BALANCE_FIGURES, ...BALANCE_LINE_FIGURES])
      figures[name] = balance[name] ?? Number.NaN;
  }
  return figures;
}

/** Returns twelve months that ended years before, summed again on the basis of the newest ones. */
function earlierOf(
  statements: readonly StatementRow[],
  splits: readonly Split[],
  newest: TrailingStatement,
  years: number,
): TrailingStatement | undefined {
  const days = 365 * years;
  const leapDays = Math.floor(years / 4);
  const ends = plainTrailing(statements, splits)
    .map(({ date }) => date)
    .filter((date) => {
      const apart = newest.date - date;
      return apart >= days - 15 && apart <= days + 15 + leapDays;
    });
  if (ends.length === 0) return undefined;
  const bases = new ShareBases();
  const newer = new Map<string, StatementRow>();
  const moments = [...new Set(statements.map(({ filedAt }) => filedAt))];
  for (const moment of moments) {
    const filed = statements.filter(({ filedAt }) => filedAt === moment);
    bases.add(
      filed,
      filed.map(({ period, date }) => newer.get(`${period} ${date}`)),
    );
    for (const row of filed) newer.set(`${row.period} ${row.date}`, row);
  }
  const end = Math.max(...ends);
  const parts = partsOf(statements, end)!;
  const factors = parts.map((part) => {
    const stated = splits.filter(({ exDay }) => {
      const exMs = exDay * MILLIS_PER_DAY;
      return exMs > firstFiled(part, statements) && exMs <= newest.filedAt;
    });
    if (stated.length === 0) return bases.newest / bases.of(part);
    return stated.reduce((product, one) => (product * one.numerator) / one.denominator, 1);
  });
  const marked = ofOneDefinition(statements, parts);
  return new TrailingVersion(end, newest.filedAt, marked, factors).statement;
}

/** Returns the row of the newest day, and of one day the last. */
function newestOf<T extends { date: number }>(rows: readonly T[]): T | undefined {
  const newestDay = Math.max(...rows.map(({ date }) => date));
  return rows.findLast(({ date }) => date === newestDay);
}

function dayOf(momentMs: number): number {
  return Math.floor(momentMs / MILLIS_PER_DAY);
}
