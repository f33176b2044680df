/** The basis of a file's prices: the one that its rows state, else the one of its header. */

import { BASES, type Basis } from '../../base/bars.ts';
import { sqlString } from '../segments/sql-text.ts';
import { type CandleColumns, plainName } from './columns.ts';
import type { FileSample } from './sample.ts';

interface BasisRule {
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

/** Returns the first basis that a row states; undefined if none does. */
export function basisFromRows(
  { rows, last }: Pick<FileSample, 'rows' | 'last'>,
  { adjustment }: CandleColumns,
): Basis | undefined {
  if (adjustment === undefined) return undefined;
  const stated = [...rows, last].map((row) => row[adjustment]?.trim().toLowerCase());
  return stated.map((text) => BASES.find((basis) => basis === text)).find(Boolean);
}

/**
 * Condition for a row of the file's basis, by its text in the column of adjustments. A row that
 * states none has the basis of the header.
 */
export function isOfBasisSql(
  { header, basis }: { header: readonly string[]; basis: Basis },
  textSql: string,
): string {
  const text = `lower(trim(${textSql}))`;
  const bases = BASES.map(sqlString).join(', ');
  const unstated = sqlString(basisFromHeader(header));
  return `CASE WHEN ${text} IN (${bases}) THEN ${text} ELSE ${unstated} END = ${sqlString(basis)}`;
}
