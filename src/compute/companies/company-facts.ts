/** Figures of a company that follow from its price. Pure. */

import type { Split } from '../../base/bars.ts';
import type { CompanyFigures, FactFigure } from '../../base/companies/figures.ts';
import { decimalProduct } from '../../base/prices/decimals.ts';

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

/** Kinds of securities whose prices are not those of a company's shares or receipts. */
const NOT_SHARES = new Set(['etf', 'etn', 'preferred', 'warrant', 'right', 'unit', 'note']);

/**
 * Returns true if figures of a company follow from the price of a kind of security: of shares, and
 * of a receipt (`adr`) if it is known for how many shares it stands.
 *
 * @param adsRatio NaN if unknown.
 */
export function isPriced(type: string | null, adsRatio: number): boolean {
  return type === 'adr' ? adsRatio > 0 : !NOT_SHARES.has(type ?? '');
}

/**
 * Days by which earnings, a dividend and a price may be apart, and a share count older than other
 * counts: a year and a filing.
 */
export const STALE_DAYS = 400;

/**
 * Returns price × shares, the price on the split basis of `day`; NaN if the shares are unknown, or
 * newer than the price by more than a year and a filing.
 */
export function marketCap(
  { shares, sharesDay }: CompanyFacts,
  splits: readonly Split[],
  price: number,
  day: number,
): number {
  if (shares === null || sharesDay === null || sharesDay - day > STALE_DAYS) return Number.NaN;
  return decimalProduct(price, shares * newShares(splits, sharesDay, day));
}

/**
 * Returns price ÷ diluted earnings of twelve months; NaN if these are unknown, zero or a loss, or if
 * they and the price are further apart than a year and a filing.
 */
export function peRatio(
  { epsDiluted, epsDay }: CompanyFacts,
  splits: readonly Split[],
  price: number,
  day: number,
): number {
  if (epsDiluted === null || epsDay === null || epsDiluted <= 0) return Number.NaN;
  if (Math.abs(epsDay - day) > STALE_DAYS) return Number.NaN;
  return (price * newShares(splits, epsDay, day)) / epsDiluted;
}

/**
 * Returns dividends of twelve months ÷ price; NaN if unknown, or if they and the price are further
 * apart than a year and a filing.
 */
export function declaredYield(
  { dividends, dividendsDay }: CompanyFacts,
  splits: readonly Split[],
  price: number,
  day: number,
): number {
  if (dividends === null || dividendsDay === null || price <= 0) return Number.NaN;
  if (Math.abs(day - dividendsDay) > STALE_DAYS) return Number.NaN;
  return dividends / newShares(splits, dividendsDay, day) / price;
}

/**
 * Returns the new shares for one old share by the splits after a day, up to another one. If the
 * price is the older of the two, returns old shares for one new share.
 */
export function newShares(splits: readonly Split[], afterDay: number, toDay: number): number {
  let factor = 1;
  for (const { exDay, numerator, denominator } of splits) {
    if (exDay > afterDay && exDay <= toDay) factor = (factor * numerator) / denominator;
    if (exDay > toDay && exDay <= afterDay) factor = (factor * denominator) / numerator;
  }
  return factor;
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
export function newestFacts(history: readonly { figures: CompanyFigures }[]): CompanyFacts {
  const newest = history.at(-1);
  return newest ? factsFromFigures(newest.figures) : NO_FACTS;
}

/** Returns facts of what is traded, from figures of the shares for which it stands. */
export function factsFromFigures(figures: Pick<CompanyFigures, FactFigure>): CompanyFacts {
  const { shares, sharesDay, epsDiluted, dividends, filedDay } = figures;
  const ratio = sharesOfOne(figures);
  const isKnown = (value: number) => !Number.isNaN(value) && !Number.isNaN(ratio);
  return {
    shares: isKnown(shares) ? shares / ratio : null,
    sharesDay: isKnown(shares) ? sharesDay : null,
    epsDiluted: isKnown(epsDiluted) ? decimalProduct(epsDiluted, ratio) : null,
    epsDay: isKnown(epsDiluted) ? filedDay : null,
    dividends: isKnown(dividends) ? decimalProduct(dividends, ratio) : null,
    dividendsDay: isKnown(dividends) ? filedDay : null,
  };
}

/**
 * Returns the shares for which one of what is traded stands: 1 if nothing else is known, NaN for a
 * class of which the figures are not proved to be.
 */
export function sharesOfOne({ adsRatio }: Pick<CompanyFigures, 'adsRatio'>): number {
  if (adsRatio === 0) return Number.NaN;
  return Number.isNaN(adsRatio) ? 1 : adsRatio;
}
