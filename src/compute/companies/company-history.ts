/** Figures of a company from its filings, as they were known after each of them. Pure. */

import { MILLIS_PER_DAY, type Split } from '../../base/bars.ts';
import {
  BALANCE_FIGURES,
  BALANCE_LINE_FIGURES,
  CASH_FIGURES,
  type CompanyFigures,
  FIGURE_NAMES,
  INCOME_FIGURES,
  INCOME_LINE_FIGURES,
} from '../../base/companies/figures.ts';
import type { cashFlow } from '../../base/datasets/cash-flow.ts';
import { PRICE_CURRENCY } from '../../base/datasets/currency.ts';
import type { RowOf } from '../../base/datasets/dataset.ts';
import type { balanceSheet, shares } from '../../base/datasets/filings.ts';
import { ByDay } from './by-day.ts';
import { newShares, STALE_DAYS } from './company-facts.ts';
import { piotroski, type ScoredYear } from './piotroski.ts';
import { type AdsRatio, setRatio } from './receipt-ratios.ts';
import {
  paddedRow,
  type StatementRow,
  sumOf,
  TrailingMonths,
  type TrailingStatement,
  type TrailingVersion,
} from './trailing-statements.ts';

export type ShareRow = RowOf<typeof shares>;
export type BalanceRow = RowOf<typeof balanceSheet>;
export type CashFlowRow = RowOf<typeof cashFlow>;
type CashFigure = (typeof CASH_FIGURES)[number];

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
  cashFlows: readonly CashFlowRow[];
  /** Shares for which one receipt stands, from a day on; ascending. */
  ratios?: readonly AdsRatio[];
}

type Part = Exclude<keyof Filings, 'ratios'>;
const PARTS: readonly Part[] = ['counts', 'statements', 'balances', 'cashFlows'];

/**
 * Returns the figures of a company after each filing, and each ratio of receipts, that changes them.
 * Figures of a moment follow from filings up to it alone.
 *
 * @param splits In any order.
 */
export function companyHistory(filings: Filings, splits: readonly Split[]): KnownFigures[] {
  const known = {
    counts: new CountsSoFar(),
    statements: new StatementsSoFar(splits),
    balances: new BalancesSoFar(),
    cashFlows: new CashFlowsSoFar(),
  };
  const next = { counts: 0, statements: 0, balances: 0, cashFlows: 0 };
  const { ratios = [] } = filings;
  const history: KnownFigures[] = [];
  for (let beforeMs = Number.POSITIVE_INFINITY, knownMs: number; ; beforeMs = knownMs) {
    const moments = PARTS.map((part) => filings[part][next[part]]?.filedAt);
    const ratio = ratios.find(({ day }) => day * MILLIS_PER_DAY > beforeMs);
    moments.push(ratio ? ratio.day * MILLIS_PER_DAY : Number.POSITIVE_INFINITY);
    knownMs = Math.min(...moments.map((moment) => moment ?? Number.POSITIVE_INFINITY));
    if (knownMs === Number.POSITIVE_INFINITY) return history;
    for (const part of PARTS) {
      const from = next[part];
      while (filings[part][next[part]]?.filedAt === knownMs) next[part]++;
      if (next[part] > from)
        known[part].add(filings[part].slice(from, next[part]) as never, knownMs);
    }
    const figures = { ...UNKNOWN_FIGURES };
    known.counts.fill(figures);
    known.statements.fill(figures);
    known.balances.fill(figures);
    known.cashFlows.fill(figures);
    figures.isCounted = Number(known.counts.isStated && fitEarnings(figures, splits));
    figures.piotroski = scoreOf(known);
    const day = dayOf(knownMs);
    setRatio(figures, ratios, known.statements.isForeign, { day, splits });
    const before = history.at(-1)?.figures;
    if (!before || FIGURE_NAMES.some((name) => !Object.is(figures[name], before[name]))) {
      history.push({ knownMs, figures });
    }
  }
}

/** Counts of shares on one split basis differ by less within a year. */
const SAME_COUNT = 1.5;

/** Returns true if the count of shares is near income over earnings per share. */
function fitEarnings(figures: CompanyFigures, splits: readonly Split[]): boolean {
  const { shares, sharesDay, netIncome, eps, filedDay } = figures;
  const implied = (netIncome / eps) * newShares(splits, filedDay, sharesDay);
  return Math.max(shares, implied) <= SAME_COUNT * Math.min(shares, implied);
}

const KINDS = ['cover', 'balance', 'weighted'] as const satisfies readonly ShareRow['kind'][];

class CountsSoFar {
  readonly #newest = new Map<ShareRow['kind'], ShareRow>();
  #newestDay = 0;

  /** Takes the count filed last of one day. */
  add(rows: readonly ShareRow[]): void {
    for (const row of rows) {
      const known = this.#newest.get(row.kind);
      if (!known || known.date <= row.date) this.#newest.set(row.kind, row);
      this.#newestDay = Math.max(this.#newestDay, row.date);
    }
  }

  fill(figures: CompanyFigures): void {
    const count = this.#count;
    if (!count) return;
    figures.shares = count.shares;
    figures.sharesDay = dayOfCount(count);
  }

  /** True for a count of a day, which no mean of a period is. */
  get isStated(): boolean {
    return (this.#count?.kind ?? 'weighted') !== 'weighted';
  }

  get #count(): ShareRow | undefined {
    return KINDS.map((kind) => this.#newest.get(kind)).find(
      (count) => count && this.#newestDay - count.date <= STALE_DAYS,
    );
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

/** Days by which years may be longer or shorter: two weeks around 52 or 53. */
const YEARS_DAYS_APART = 15;
const DAYS_PER_YEAR = 365;

/** Returns the place of the newest day that is a number of years before another. */
function placeYearsBefore<T>(days: ByDay<T>, day: number, years: number): number | undefined {
  const most = day - years * DAYS_PER_YEAR + YEARS_DAYS_APART;
  const place = days.placeOf(most + 1) - 1;
  const least = most - 2 * YEARS_DAYS_APART - Math.floor(years / 4);
  return place >= 0 && days.dayAt(place) >= least ? place : undefined;
}

class StatementsSoFar {
  readonly #months: TrailingMonths;
  #currency: string | null = null;
  /** True if the newest annual report is that of a foreign company (Form 20-F). */
  isForeign = false;
  /** By number of years, until the next statements. */
  readonly #earlier = new Map<number, TrailingStatement | undefined>();
  /** By last day of the twelve months, the version filed last. */
  readonly #versions = new ByDay<TrailingVersion>();

  constructor(splits: readonly Split[]) {
    this.#months = new TrailingMonths(splits);
  }

  /** Takes the statements of one moment. */
  add(filed: readonly StatementRow[], filedAt: number): void {
    this.#earlier.clear();
    this.#currency = filed[filed.length - 1].currency;
    const annual = filed.findLast(({ form }) => /^(10-K|20-F|40-F)/.test(form ?? ''));
    if (annual) this.isForeign = annual.form!.startsWith('20-F');
    for (const version of this.#months.add(filed, filedAt)) {
      this.#versions.set(version.date, version);
    }
  }

  fill(figures: CompanyFigures): void {
    const isInDollars = (this.#currency ?? PRICE_CURRENCY) === PRICE_CURRENCY;
    const { size } = this.#versions;
    if (size > 0 || this.#currency) figures.isInDollars = Number(isInDollars);
    if (size === 0) return;
    const newest = this.newest!;
    figures.filedDay = dayOf(newest.filedAt);
    if (isInDollars) {
      figures.epsDiluted = numberOf(newest.epsDiluted);
      figures.dividends = numberOf(newest.dividendsPerShare);
    }
    figures.periodDay = newest.date;
    figures.isYear = Number(this.#newest!.parts.length === 1);
    for (const name of [...INCOME_FIGURES, ...INCOME_LINE_FIGURES]) {
      figures[name] = numberOf(newest[name]);
    }
    figures.eps = numberOf(newest.eps);
    const before = this.before(1);
    if (before) {
      figures.revenueBefore = numberOf(before.revenue);
      figures.netIncomeBefore = numberOf(before.netIncome);
      figures.sharesDilutedBefore = numberOf(before.sharesDiluted);
    }
    if (before && isInDollars) figures.epsDilutedBefore = numberOf(before.epsDiluted);
    for (const years of [3, 5] as const) {
      const earlier = this.before(years);
      if (!earlier) continue;
      figures[`revenueBefore${years}y`] = numberOf(earlier.revenue);
      if (isInDollars) figures[`epsDilutedBefore${years}y`] = numberOf(earlier.epsDiluted);
    }
  }

  get #newest(): TrailingVersion | undefined {
    const { size } = this.#versions;
    return size === 0 ? undefined : this.#versions.valueAt(size - 1);
  }

  get newest(): TrailingStatement | undefined {
    return this.#newest?.statement;
  }

  /** Returns twelve months of years before, per share on the basis of the newest ones. */
  before(years: number): TrailingStatement | undefined {
    if (!this.#earlier.has(years)) this.#earlier.set(years, this.#yearsBefore(years)?.statement);
    return this.#earlier.get(years);
  }

  #yearsBefore(years: number): TrailingVersion | undefined {
    const newest = this.#newest;
    const place = newest && placeYearsBefore(this.#versions, newest.date, years);
    if (!newest || place === undefined) return undefined;
    return this.#months.at(this.#versions.dayAt(place), newest.filedAt);
  }
}

class BalancesSoFar {
  /** By day, the version filed last. */
  readonly #sheets = new ByDay<BalanceRow>();

  add(rows: readonly BalanceRow[]): void {
    for (const row of rows) this.#sheets.set(row.date, row);
  }

  on(day: number): BalanceRow | undefined {
    return this.#sheets.get(day);
  }

  fill(figures: CompanyFigures): void {
    const { size } = this.#sheets;
    if (size === 0) return;
    const newest = this.#sheets.valueAt(size - 1);
    figures.balanceDay = newest.date;
    for (const name of [...BALANCE_FIGURES, ...BALANCE_LINE_FIGURES]) {
      figures[name] = numberOf(newest[name]);
    }
  }
}

class CashFlowsSoFar {
  readonly #months = new TrailingMonths([]);
  /** By last day of the twelve months, the version filed last. */
  readonly #versions = new ByDay<TrailingVersion>();

  add(filed: readonly CashFlowRow[], filedAt: number): void {
    for (const version of this.#months.add(filed.map(paddedRow), filedAt)) {
      this.#versions.set(version.date, version);
    }
  }

  /** Returns a flow of the twelve months up to a day. */
  on(day: number, name: CashFigure): number | null {
    const version = this.#versions.get(day);
    return version ? sumOf(version.parts, name as keyof StatementRow) : null;
  }

  fill(figures: CompanyFigures): void {
    if (Number.isNaN(figures.periodDay)) return;
    for (const name of CASH_FIGURES) figures[name] = numberOf(this.on(figures.periodDay, name));
  }
}

interface Known {
  statements: StatementsSoFar;
  balances: BalancesSoFar;
  cashFlows: CashFlowsSoFar;
}

function scoreOf({ statements, balances, cashFlows }: Known): number {
  const before = statements.before(1);
  if (!statements.newest || !before) return Number.NaN;
  const [year, earlier] = [statements.newest, before].map((statement): ScoredYear => {
    const operatingCashFlow = cashFlows.on(statement.date, 'operatingCashFlow');
    const sheet = balances.on(statement.date);
    return { ...statement, ...(sheet ?? NO_SHEET), operatingCashFlow };
  });
  return piotroski(year, earlier);
}

const NO_SHEET = {
  totalAssets: null,
  currentAssets: null,
  currentLiabilities: null,
  longTermDebt: null,
};

function numberOf(value: number | null | undefined): number {
  return value ?? Number.NaN;
}
