/** Shares and earnings per share of a company, and the figures that follow from its price. Pure. */

import { MILLIS_PER_DAY, type Split } from '../../base/bars.ts';
import type { RowOf } from '../../base/datasets/dataset.ts';
import type { shares } from '../../base/datasets/filings.ts';
import { type StatementRow, trailingStatements } from './trailing-statements.ts';

export type ShareRow = RowOf<typeof shares>;

/** null = unknown. */
export interface CompanyFacts {
  shares: number | null;
  /** Splits with an ex-date after this day, since the epoch, are not in `shares`. */
  sharesDay: number | null;
  epsDiluted: number | null;
  /** Splits after this day are not in `epsDiluted`. */
  epsDay: number | null;
  /** Dividends declared for a share in the last twelve months; null also if none ever was. */
  dividends: number | null;
  /** Splits after this day are not in `dividends`. */
  dividendsDay: number | null;
}

const KINDS = ['cover', 'balance', 'weighted'] as const satisfies readonly ShareRow['kind'][];

/** A count is no longer the company's when others are this many days newer: a year and a filing. */
const STALE_DAYS = 400;

const PRICE_CURRENCY = 'USD';

/**
 * Derives the facts of a company from its newest filings.
 *
 * @param counts, statements All versions of its rows, by filing time.
 * @param splits In any order.
 */
export function companyFacts(
  counts: readonly ShareRow[],
  statements: readonly StatementRow[],
  splits: readonly Split[],
): CompanyFacts {
  const count = bestCount(counts);
  const trailing = newest(trailingStatements(statements, splits));
  const currency = statements.at(-1)?.currency ?? PRICE_CURRENCY;
  const isInDollars = currency === PRICE_CURRENCY;
  const epsDiluted = isInDollars ? (trailing?.epsDiluted ?? null) : null;
  const dividends = isInDollars ? (trailing?.dividendsPerShare ?? null) : null;
  return {
    shares: count?.shares ?? null,
    sharesDay: count ? dayOfCount(count) : null,
    epsDiluted,
    epsDay: trailing && epsDiluted !== null ? dayOf(trailing.filedAt) : null,
    dividends,
    dividendsDay: trailing && dividends !== null ? dayOf(trailing.filedAt) : null,
  };
}

function bestCount(counts: readonly ShareRow[]): ShareRow | undefined {
  const newestDay = newest(counts)?.date ?? 0;
  for (const kind of KINDS) {
    const count = newest(counts.filter((row) => row.kind === kind));
    if (count && newestDay - count.date <= STALE_DAYS) return count;
  }
  return undefined;
}

/** @param rows By when they were filed: of one day the last filed wins. */
function newest<T extends { date: number }>(rows: readonly T[]): T | undefined {
  return rows.reduce<T | undefined>(
    (best, row) => (best && best.date > row.date ? best : row),
    undefined,
  );
}

/** A cover page counts on its day; statements restate their counts for splits until the filing. */
function dayOfCount({ kind, date, filedAt }: ShareRow): number {
  return kind === 'cover' ? date : dayOf(filedAt);
}

function dayOf(momentMs: number): number {
  return Math.floor(momentMs / MILLIS_PER_DAY);
}

/** Returns price × shares, the price on the split basis of `day`; NaN if the shares are unknown. */
export function marketCap(
  { shares, sharesDay }: CompanyFacts,
  splits: readonly Split[],
  price: number,
  day: number,
): number {
  if (shares === null || sharesDay === null) return Number.NaN;
  return price * shares * newShares(splits, sharesDay, day);
}

/** Returns price ÷ diluted earnings of twelve months; NaN if these are unknown, zero or a loss. */
export function peRatio(
  { epsDiluted, epsDay }: CompanyFacts,
  splits: readonly Split[],
  price: number,
  day: number,
): number {
  if (epsDiluted === null || epsDay === null || epsDiluted <= 0) return Number.NaN;
  return (price * newShares(splits, epsDay, day)) / epsDiluted;
}

/**
 * Returns dividends of twelve months ÷ price; NaN if unknown, or older than a year and a filing.
 */
export function declaredYield(
  { dividends, dividendsDay }: CompanyFacts,
  splits: readonly Split[],
  price: number,
  day: number,
): number {
  if (dividends === null || dividendsDay === null || price <= 0) return Number.NaN;
  if (day - dividendsDay > STALE_DAYS) return Number.NaN;
  return dividends / newShares(splits, dividendsDay, day) / price;
}

/**
 * Returns the new shares for one old share by the splits after a day, up to another one. If the
 * price is the older of the two, returns old shares for one new share.
 */
function newShares(splits: readonly Split[], afterDay: number, toDay: number): number {
  let factor = 1;
  for (const { exDay, numerator, denominator } of splits) {
    if (exDay > afterDay && exDay <= toDay) factor = (factor * numerator) / denominator;
    if (exDay > toDay && exDay <= afterDay) factor = (factor * denominator) / numerator;
  }
  return factor;
}
