/**
 * Proves of which class of stock a company's figures per share are. Filings give them for one class,
 * or for all; company facts do not say for which. Pure.
 */

import type { CompanyFigures } from '../../base/companies/figures.ts';
import { isClassSymbol } from '../../base/symbols/common-shares.ts';

/** Figures that the proof follows from. */
export const CLASS_FIGURES = [
  'adsRatio',
  'isCounted',
  'eps',
  'shares',
  'netIncome',
  'totalEquity',
  'isInDollars',
] as const;

export type ClassFigures = Pick<CompanyFigures, (typeof CLASS_FIGURES)[number]>;

/** A class of stock that is traded. */
export interface ShareClass {
  symbol: string;
  /** Newest price; NaN if unknown. */
  price: number;
  /** Day of the price. */
  day: number;
}

/** Prices of classes of equal worth differ by less: a class without votes has a discount. */
const ALIKE_PRICES = 1.5;

/** Prices that are further apart in time are not compared. */
const PRICES_DAYS_APART = 7;

/** Earnings of a share as high as these are those of a class for institutions. */
const GREAT_EPS = 1000;

/** Multiples of the book value at which a company is traded, and at which none is. */
const BOOK_MULTIPLES = [0.1, 100] as const;
const NO_BOOK_MULTIPLES = [0.01, 1000] as const;

/**
 * Returns true if a class of stock is one of those that the figures per share are of.
 *
 * Classes whose prices are alike have equal worth. Otherwise the count of shares must prove that the
 * figures are of all shares, or the company's book value that they are of this class alone.
 *
 * @param others Other classes of the company that are traded.
 */
export function isOfFigures(
  figures: ClassFigures,
  own: ShareClass,
  others: readonly ShareClass[],
): boolean {
  // Somebody states for how many of the filing's shares it stands.
  if (figures.adsRatio > 0) return true;
  const isCounted = figures.isCounted === 1;
  if (others.length === 0) {
    return isCounted || !(isClassSymbol(own.symbol) || Math.abs(figures.eps) >= GREAT_EPS);
  }
  const priced = others.filter((other) => isSameTime(own, other));
  const apart = priced.filter((other) => !isAlike(own.price, other.price));
  const isAll = priced.length === others.length;
  if (apart.length === 0) return isAll || (isCounted && isTraded(figures, own));
  const isOnly = apart.every(({ price }) =>
    isBeyond(bookMultiple(figures, price), NO_BOOK_MULTIPLES),
  );
  return isAll && isOnly && isTraded(figures, own);
}

function isSameTime(own: ShareClass, other: ShareClass): boolean {
  return Math.abs(own.day - other.day) <= PRICES_DAYS_APART && own.price > 0 && other.price > 0;
}

function isAlike(one: number, other: number): boolean {
  return Math.max(one, other) <= ALIKE_PRICES * Math.min(one, other);
}

/** Returns false if a price is impossible for the shares that the figures count. */
function isTraded(figures: ClassFigures, { price }: ShareClass): boolean {
  return !isBeyond(bookMultiple(figures, price), BOOK_MULTIPLES);
}

/** Returns the worth of all shares over the equity; NaN if unknown. */
function bookMultiple(figures: ClassFigures, price: number): number {
  const { netIncome, eps, shares, totalEquity, isInDollars } = figures;
  if (isInDollars !== 1 || !(totalEquity > 0)) return Number.NaN;
  const implied = netIncome / eps;
  return (price * (implied > 0 ? implied : shares)) / totalEquity;
}

function isBeyond(multiple: number, [least, most]: readonly [number, number]): boolean {
  return multiple < least || multiple > most;
}
