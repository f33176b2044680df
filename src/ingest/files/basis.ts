/** The basis that the rows or the header of a file state. */

import { BASES, type Basis } from '../../base/bars.ts';
import { sqlString } from '../segments/sql-text.ts';
import { type CandleColumns, plainName } from './columns.ts';
import type { FileSample } from './sample.ts';

interface BasisRule {
  matches(names: ReadonlySet<string>, header: readonly string[]): boolean;
  basis: Basis;
  /** Vendors and tools that write such files, for the documentation. */
  writers: string;
  /** True if the header is common to files of any basis, so that prices may prove another one. */
  isWeak?: boolean;
}

/** Others give this name to Yahoo's adjusted close, beside prices that are adjusted for splits. */
export const ADJUSTED_CLOSE: BasisRule = {
  matches: (names) => names.has('adjustedclose'),
  basis: 'raw',
  writers: 'Alpha Vantage, EODHD',
};

/** The rules in order. The first that matches decides. */
export const BASIS_RULES: readonly BasisRule[] = [
  {
    // Other vendors write it in two words, for futures.
    matches: (_, header) => header.some((name) => /^<?openint>?$/i.test(name)),
    basis: 'all',
    writers: 'Stooq, and files made from it',
  },
  {
    matches: (names) => names.has('adjopen'),
    basis: 'raw',
    writers: 'Quandl WIKI, Tiingo',
  },
  ADJUSTED_CLOSE,
  {
    matches: (names) => names.has('closeunadj'),
    basis: 'split',
    writers: 'Sharadar',
  },
  {
    matches: (names) => names.has('uclose') || names.has('uopen'),
    basis: 'split',
    writers: 'IEX Cloud',
  },
  {
    matches: (names) => [...names].some(isUnadjustedClose),
    basis: 'split',
    writers: 'Norgate',
    isWeak: true,
  },
  {
    matches: (names) => names.has('adjclose'),
    basis: 'split',
    writers: 'Yahoo, yfinance',
  },
  {
    matches: (names) => [...names].some((name) => /(^|[^n])adjusted$/.test(name)),
    basis: 'split',
    writers: 'tidyquant, quantmod',
  },
  {
    matches: (names) => names.has('closelast') && names.has('volume'),
    basis: 'split',
    writers: 'Nasdaq.com',
  },
  {
    matches: (names) => ['dividends', 'stocksplits', 'datetime'].every((name) => names.has(name)),
    basis: 'split',
    writers: 'yfinance with auto_adjust, minutes',
  },
  {
    matches: (names) => names.has('dividends') && names.has('stocksplits'),
    basis: 'all',
    writers: 'yfinance with auto_adjust, days',
  },
  {
    matches: (names) =>
      ['symbol', 'change', 'changepercent', 'vwap'].every((name) => names.has(name)),
    basis: 'split',
    writers: 'FMP',
    isWeak: true,
  },
  {
    matches: (names) => names.has('dividend') && names.has('splitratio'),
    basis: 'split',
    writers: 'OpenBB from Yahoo',
    isWeak: true,
  },
  {
    matches: (_, header) =>
      isYfinanceOrder(header) && header.some((name) => plainName(name) === 'datetime'),
    basis: 'split',
    writers: 'yfinance with auto_adjust, minutes',
  },
  {
    matches: (_, header) => isYfinanceOrder(header),
    basis: 'all',
    writers: 'yfinance with auto_adjust, days',
  },
  { matches: () => true, basis: 'raw', writers: 'others', isWeak: true },
];

/** Columns of traded closes, as Norgate's, beside adjusted ones. */
const UNADJUSTED_CLOSES: ReadonlySet<string> = new Set([
  ...['unadjustedclose', 'unadjclose', 'closeunadjusted', 'rawclose', 'closeraw'],
  ...['originalclose', 'nominalclose', 'actualclose', 'tradedclose'],
]);

export function isUnadjustedClose(plainName: string): boolean {
  return UNADJUSTED_CLOSES.has(plainName);
}

/** Columns of days and tickers. Parquet has those of an index behind the others. */
const INDEX = /^(?:date|datetime|ticker|symbol|index|level_\d|unnamed: \d|__index_level_0__|)$/i;

/** True for the alphabetical order in which yfinance has written prices since 0.2.5x. */
export function isYfinanceOrder(header: readonly string[]): boolean {
  return header.filter((name) => !INDEX.test(name)).join() === 'Close,High,Low,Open,Volume';
}

export function ruleOfHeader(header: readonly string[]): BasisRule {
  const names = new Set(header.map(plainName));
  return BASIS_RULES.find((rule) => rule.matches(names, header))!;
}

export function basisFromHeader(header: readonly string[]): Basis {
  return ruleOfHeader(header).basis;
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
