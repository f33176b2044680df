/** The price basis that a file's columns tell. `--basis` overrides it. */

import type { Basis } from '../../base/bars.ts';
import { plainName } from './columns.ts';

interface BasisRule {
  /** True when the plain names of a header are of this kind. */
  matches(names: ReadonlySet<string>): boolean;
  basis: Basis;
  /** Who writes such files, for the documentation. */
  writers: string;
}

/** The first rule that matches decides. */
export const BASIS_RULES: readonly BasisRule[] = [
  {
    matches: (names) => names.has('openint'),
    basis: 'all',
    writers: 'Stooq, and files made from it',
  },
  {
    matches: (names) => names.has('adjopen'),
    basis: 'raw',
    writers: 'Quandl WIKI, Tiingo',
  },
  {
    matches: (names) => names.has('adjustedclose'),
    basis: 'raw',
    writers: 'Alpha Vantage, EODHD',
  },
  {
    matches: (names) => names.has('adjclose'),
    basis: 'split',
    writers: 'Yahoo, yfinance',
  },
  {
    matches: (names) => names.has('dividends') && names.has('stocksplits'),
    basis: 'all',
    writers: 'yfinance with auto_adjust',
  },
  { matches: () => true, basis: 'raw', writers: 'others' },
];

export function basisFromHeader(header: readonly string[]): Basis {
  const names = new Set(header.map(plainName));
  return BASIS_RULES.find((rule) => rule.matches(names))!.basis;
}
