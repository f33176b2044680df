/** Figures of a company from its filings, as they were known after each of them. Pure. */

import { MILLIS_PER_DAY, type Split } from '../../base/bars.ts';
import {
  BALANCE_FIGURES,
  type CompanyFigures,
  type FactFigure,
  FIGURE_NAMES,
} from '../../base/company-figures.ts';
import { PRICE_CURRENCY } from '../../base/datasets/currency.ts';
import type { RowOf } from '../../base/datasets/dataset.ts';
import type { balanceSheet, shares } from '../../base/datasets/filings.ts';
import { ByDay } from './by-day.ts';
import { type CompanyFacts, STALE_DAYS } from './company-facts.ts';
import { type StatementRow, TrailingMonths, type TrailingVersion } from './trailing-statements.ts';

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
  const statements = new StatementsSoFar(splits);
  const balances = new BalancesSoFar();
  const next = { counts: 0, statements: 0, balances: 0 };
  const history: KnownFigures[] = [];
  for (;;) {
    const knownMs = Math.min(
      filings.counts[next.counts]?.filedAt ?? Number.POSITIVE_INFINITY,
      filings.statements[next.statements]?.filedAt ?? Number.POSITIVE_INFINITY,
      filings.balances[next.balances]?.filedAt ?? Number.POSITIVE_INFINITY,
    );
    if (knownMs === Number.POSITIVE_INFINITY) return history;
    while (filings.counts[next.counts]?.filedAt === knownMs) {
      counts.add(filings.counts[next.counts++]);
    }
    const from = next.statements;
    while (filings.statements[next.statements]?.filedAt === knownMs) next.statements++;
    if (next.statements > from) {
      statements.add(filings.statements.slice(from, next.statements), knownMs);
    }
    while (filings.balances[next.balances]?.filedAt === knownMs) {
      balances.add(filings.balances[next.balances++]);
    }
    const figures = { ...UNKNOWN_FIGURES };
    counts.fill(figures);
    statements.fill(figures);
    balances.fill(figures);
    const before = history.at(-1)?.figures;
    if (!before || FIGURE_NAMES.some((name) => !Object.is(figures[name], before[name]))) {
      history.push({ knownMs, figures });
    }
  }
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

class CountsSoFar {
  readonly #newest = new Map<ShareRow['kind'], ShareRow>();
  #newestDay = 0;

  /** Takes the count filed last of one day. */
  add(row: ShareRow): void {
    const known = this.#newest.get(row.kind);
    if (!known || known.date <= row.date) this.#newest.set(row.kind, row);
    this.#newestDay = Math.max(this.#newestDay, row.date);
  }

  fill(figures: CompanyFigures): void {
    for (const kind of KINDS) {
      const count = this.#newest.get(kind);
      if (!count || this.#newestDay - count.date > STALE_DAYS) continue;
      figures.shares = count.shares;
      figures.sharesDay = dayOfCount(count);
      return;
    }
  }
}

/** A cover page counts on its day; statements restate their counts for splits until the filing. */
function dayOfCount({ kind, date, filedAt }: ShareRow): number {
  return kind === 'cover' ? date : dayOf(filedAt);
}

function dayOf(momentMs: number): number {
  return Math.floor(momentMs / MILLIS_PER_DAY);
}

const UNKNOWN_FIGURES = Object.fromEntries(
  FIGURE_NAMES.map((name) => [name, Number.NaN]),
) as CompanyFigures;

/** Days between the ends of two years of twelve months: 52 weeks, 53, or two weeks around a year. */
const YEAR_DAYS_MIN = 350;
const YEAR_DAYS_MAX = 380;

class StatementsSoFar {
  readonly #months: TrailingMonths;
  #currency: string | null = null;
  /** By last day of the twelve months, the version filed last. */
  readonly #versions = new ByDay<TrailingVersion>();

  constructor(splits: readonly Split[]) {
    this.#months = new TrailingMonths(splits);
  }

  /** Takes the statements of one moment. */
  add(filed: readonly StatementRow[], filedAt: number): void {
    this.#currency = filed[filed.length - 1].currency;
    for (const version of this.#months.add(filed, filedAt)) {
      this.#versions.set(version.date, version);
    }
  }

  fill(figures: CompanyFigures): void {
    const isInDollars = (this.#currency ?? PRICE_CURRENCY) === PRICE_CURRENCY;
    const { size } = this.#versions;
    if (size > 0 || this.#currency) figures.isInDollars = Number(isInDollars);
    if (size === 0) return;
    const newest = this.#versions.valueAt(size - 1).statement;
    figures.filedDay = dayOf(newest.filedAt);
    if (isInDollars) {
      figures.epsDiluted = numberOf(newest.epsDiluted);
      figures.dividends = numberOf(newest.dividendsPerShare);
    }
    figures.periodDay = newest.date;
    figures.revenue = numberOf(newest.revenue);
    figures.grossProfit = numberOf(newest.grossProfit);
    figures.operatingIncome = numberOf(newest.operatingIncome);
    figures.netIncome = numberOf(newest.netIncome);
    figures.eps = numberOf(newest.eps);
    const before = this.#yearBefore(newest.date)?.statement;
    if (!before) return;
    figures.revenueBefore = numberOf(before.revenue);
    figures.netIncomeBefore = numberOf(before.netIncome);
  }

  #yearBefore(day: number): TrailingVersion | undefined {
    const versions = this.#versions;
    const place = versions.placeOf(day - YEAR_DAYS_MIN + 1) - 1;
    const isYear = place >= 0 && day - versions.dayAt(place) <= YEAR_DAYS_MAX;
    return isYear ? versions.valueAt(place) : undefined;
  }
}

class BalancesSoFar {
  #newest: BalanceRow | undefined;

  add(row: BalanceRow): void {
    if (!this.#newest || this.#newest.date <= row.date) this.#newest = row;
  }

  fill(figures: CompanyFigures): void {
    if (!this.#newest) return;
    figures.balanceDay = this.#newest.date;
    for (const name of BALANCE_FIGURES) figures[name] = numberOf(this.#newest[name]);
  }
}

function numberOf(value: number | null | undefined): number {
  return value ?? Number.NaN;
}
