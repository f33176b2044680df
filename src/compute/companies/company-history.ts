/** Figures of a company from its filings, as they were known after each of them. Pure. */

import { MILLIS_PER_DAY, type Split } from '../../base/bars.ts';
import {
  BALANCE_FIGURES,
  type CompanyFigures,
  type FactFigure,
  FIGURE_NAMES,
  INCOME_FIGURES,
} from '../../base/company-figures.ts';
import type { RowOf } from '../../base/datasets/dataset.ts';
import type { balanceSheet, shares } from '../../base/datasets/filings.ts';
import type { CompanyFacts } from './company-facts.ts';
import {
  type StatementRow,
  type TrailingStatement,
  trailingStatements,
} from './trailing-statements.ts';

export type ShareRow = RowOf<typeof shares>;
export type BalanceRow = RowOf<typeof balanceSheet>;

/** Figures that are known from a moment on. */
export interface KnownFigures {
  knownMs: number;
  figures: CompanyFigures;
}

/** All versions of the rows of one symbol, each by filing time. */
export interface Filings {
  counts: readonly ShareRow[];
  statements: readonly StatementRow[];
  balances: readonly BalanceRow[];
}

/**
 * Returns the figures of a company after each filing that changes them. Figures of a moment follow
 * from filings up to it alone.
 *
 * @param splits In any order.
 */
export function companyHistory(filings: Filings, splits: readonly Split[]): KnownFigures[] {
  const counts = new CountsSoFar();
  const statements = new StatementsSoFar();
  const balances = new BalancesSoFar();
  const parts: readonly { filedAt: number; add(): void }[] = [
    ...filings.counts.map((row) => ({ filedAt: row.filedAt, add: () => counts.add(row) })),
    ...filings.statements.map((row) => ({
      filedAt: row.filedAt,
      add: () => statements.noteCurrency(row),
    })),
    ...trailingStatements(filings.statements, splits).map((trailing) => ({
      filedAt: trailing.filedAt,
      add: () => statements.add(trailing),
    })),
    ...filings.balances.map((row) => ({ filedAt: row.filedAt, add: () => balances.add(row) })),
  ];
  const history: KnownFigures[] = [];
  const filed = Map.groupBy(parts, ({ filedAt }) => filedAt);
  for (const knownMs of [...filed.keys()].sort((a, b) => a - b)) {
    for (const part of filed.get(knownMs)!) part.add();
    const figures = { ...counts.figures(), ...statements.figures(), ...balances.figures() };
    const before = history.at(-1)?.figures;
    if (!before || FIGURE_NAMES.some((name) => !Object.is(figures[name], before[name]))) {
      history.push({ knownMs, figures });
    }
  }
  return history;
}

const NO_FACTS: CompanyFacts = {
  shares: null,
  sharesDay: null,
  epsDiluted: null,
  epsDay: null,
  dividends: null,
  dividendsDay: null,
};

/** Returns the facts that the newest figures of a history state. */
export function newestFacts(history: readonly KnownFigures[]): CompanyFacts {
  const newest = history.at(-1);
  return newest ? factsFromFigures(newest.figures) : NO_FACTS;
}

export function factsFromFigures(figures: Pick<CompanyFigures, FactFigure>): CompanyFacts {
  const { shares, sharesDay, epsDiluted, dividends, filedDay } = figures;
  const isKnown = (value: number) => !Number.isNaN(value);
  return {
    shares: isKnown(shares) ? shares : null,
    sharesDay: isKnown(shares) ? sharesDay : null,
    epsDiluted: isKnown(epsDiluted) ? epsDiluted : null,
    epsDay: isKnown(epsDiluted) ? filedDay : null,
    dividends: isKnown(dividends) ? dividends : null,
    dividendsDay: isKnown(dividends) ? filedDay : null,
  };
}

const KINDS = ['cover', 'balance', 'weighted'] as const satisfies readonly ShareRow['kind'][];

/** A count is no longer the company's when others are this many days newer: a year and a filing. */
const STALE_DAYS = 400;

class CountsSoFar {
  readonly #newest = new Map<ShareRow['kind'], ShareRow>();
  #newestDay = 0;

  /** Takes the count filed last of one day. */
  add(row: ShareRow): void {
    const known = this.#newest.get(row.kind);
    if (!known || known.date <= row.date) this.#newest.set(row.kind, row);
    this.#newestDay = Math.max(this.#newestDay, row.date);
  }

  figures(): Pick<CompanyFigures, 'shares' | 'sharesDay'> {
    for (const kind of KINDS) {
      const count = this.#newest.get(kind);
      if (!count || this.#newestDay - count.date > STALE_DAYS) continue;
      return { shares: count.shares, sharesDay: dayOfCount(count) };
    }
    return { shares: Number.NaN, sharesDay: Number.NaN };
  }
}

/** A cover page counts on its day; statements restate their counts for splits until the filing. */
function dayOfCount({ kind, date, filedAt }: ShareRow): number {
  return kind === 'cover' ? date : dayOf(filedAt);
}

function dayOf(momentMs: number): number {
  return Math.floor(momentMs / MILLIS_PER_DAY);
}

const PRICE_CURRENCY = 'USD';

/** Days between the ends of two years of twelve months: 52 weeks, 53, or two weeks around a year. */
const YEAR_DAYS_MIN = 350;
const YEAR_DAYS_MAX = 380;

class StatementsSoFar {
  #currency: string | null = null;
  #newest: TrailingStatement | undefined;
  /** By last day of the twelve months, the version filed last. */
  readonly #byDay = new Map<number, TrailingStatement>();

  noteCurrency({ currency }: StatementRow): void {
    this.#currency = currency;
  }

  add(trailing: TrailingStatement): void {
    this.#byDay.set(trailing.date, trailing);
    if (!this.#newest || this.#newest.date <= trailing.date) this.#newest = trailing;
  }

  figures() {
    const newest = this.#newest;
    const isInDollars = (this.#currency ?? PRICE_CURRENCY) === PRICE_CURRENCY;
    const inDollars = (value: number | null | undefined) =>
      isInDollars ? numberOf(value) : Number.NaN;
    const before = newest && this.#yearBefore(newest.date);
    return {
      filedDay: newest ? dayOf(newest.filedAt) : Number.NaN,
      epsDiluted: inDollars(newest?.epsDiluted),
      dividends: inDollars(newest?.dividendsPerShare),
      isInDollars: newest || this.#currency ? Number(isInDollars) : Number.NaN,
      periodDay: numberOf(newest?.date),
      ...picked(INCOME_FIGURES, newest),
      eps: numberOf(newest?.eps),
      revenueBefore: numberOf(before?.revenue),
      netIncomeBefore: numberOf(before?.netIncome),
    };
  }

  #yearBefore(day: number): TrailingStatement | undefined {
    let found: TrailingStatement | undefined;
    for (const [end, trailing] of this.#byDay) {
      const days = day - end;
      if (days < YEAR_DAYS_MIN || days > YEAR_DAYS_MAX) continue;
      if (!found || found.date < end) found = trailing;
    }
    return found;
  }
}

class BalancesSoFar {
  #newest: BalanceRow | undefined;

  add(row: BalanceRow): void {
    if (!this.#newest || this.#newest.date <= row.date) this.#newest = row;
  }

  figures() {
    return { balanceDay: numberOf(this.#newest?.date), ...picked(BALANCE_FIGURES, this.#newest) };
  }
}

function numberOf(value: number | null | undefined): number {
  return value ?? Number.NaN;
}

function picked<Name extends string>(
  names: readonly Name[],
  row: Record<Name, number | null> | undefined,
): Record<Name, number> {
  const values = names.map((name) => [name, numberOf(row?.[name])]);
  return Object.fromEntries(values) as Record<Name, number>;
}
