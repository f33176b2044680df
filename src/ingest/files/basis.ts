/** Derives the price basis from a file's columns. `--basis` overrides it. */

import type { Basis } from '../../base/bars.ts';
import { plainName } from './columns.ts';

interface BasisRule {
  /** Returns true if the plain names of a header fit this rule. */
  matches(names: ReadonlySet<string>): boolean;
  basis: Basis;
  /** Vendors and tools that write such files, for the documentation. */
  writers: string;
}

/** The rules in order. The first that matches decides. */
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
