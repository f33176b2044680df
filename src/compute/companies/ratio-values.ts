/** Evaluates ratios of a company at a price. Pure. */

import type { Split } from '../../base/bars.ts';
import type { CompanyFigures } from '../../base/companies/figures.ts';
import { RATIOS, type RatioInput, type RatioName } from '../../base/companies/ratios.ts';
import {
  factsFromFigures,
  marketCap,
  newShares,
  STALE_DAYS,
  sharesOfOne,
} from './company-facts.ts';

/** Values of a company's row; NaN is unknown. */
export type RatioValues = Record<RatioName | 'marketCap', number>;

/**
 * Returns all ratios, and the market capitalization that they follow from.
 *
 * @param price Price of a share or receipt on `day`, on the split basis of that day; NaN if unknown.
 */
export function ratioValues(
  figures: CompanyFigures,
  splits: readonly Split[],
  price: number,
  day: number,
): RatioValues {
  const value = ratioInputs(figures, splits, price, day);
  const values = RATIOS.map(({ name, formula }) => [name, formula(value)] as const);
  const cap = marketCap(factsFromFigures(figures), splits, price, day);
  return { marketCap: cap, ...Object.fromEntries(values) } as RatioValues;
}

/** Returns the inputs of ratios by name; NaN is unknown. */
export function ratioInputs(
  figures: CompanyFigures,
  splits: readonly Split[],
  price: number,
  day: number,
): (name: RatioInput) => number {
  const isInDollars = figures.isInDollars === 1;
  const cap = marketCap(factsFromFigures(figures), splits, price, day);
  const perShare = newShares(splits, figures.filedDay, day) / sharesOfOne(figures);
  // Twelve months long ago say nothing about a price.
  const apartDays = Math.abs(figures.filedDay - day);
  const inputs = {
    marketCap: isInDollars && !(apartDays > STALE_DAYS) ? cap : Number.NaN,
    price: isInDollars && apartDays <= STALE_DAYS ? price * perShare : Number.NaN,
  };
  return (name) => (name === 'marketCap' || name === 'price' ? inputs[name] : figures[name]);
}
