/** Finds the column that names the security of each row, by its name and by its values. */

import { canonicalSymbol, symbolOrFault } from '../../base/symbols.ts';
import { areSeveralSecurities, OPEN_RATIO_MAX } from '../segments/bar-versions.ts';

/** A column of one of these names holds tickers, best first. */
const TICKER_NAMES: readonly string[] = [
  ...['symbol', 'ticker', 'tic', 'actsymbol', 'symbols', 'tickers', 'sym'],
  ...['tickersymbol', 'stocksymbol', 'symbolname', 'ric'],
];

/** One of these may hold tickers, names of companies or ids: its values decide. */
const MAYBE_NAMES: readonly string[] = [
  ...['stock', 'name', 'code', 'stockcode', 'stockname', 'instrument', 'security', 'company'],
  ...['companyname', 'companyticker', 'companycode', 'asset', 'assetcode', 'secid', 'underlying'],
  ...['securitycode', 'instrumentcode', 'tickercode', 'symbolcode', 'issuer', 'scrip'],
];

/** Names of ids, which are no tickers though some look like them. */
const ID_NAMES: readonly string[] = [
  ...['permno', 'permco', 'gvkey', 'cusip', 'isin', 'figi', 'compositefigi', 'shareclassfigi'],
  ...['sedol', 'cik', 'wkn', 'conid', 'instrumentid', 'securityid', 'instrumenttoken'],
  // CRSP's class of shares, which its ticker leaves out.
  ...['shrcls', 'shareclass'],
];

/** Columns whose letters only look like tickers. */
const CLASSES = /^(?:shrcls|shareclass)$/;

/** Names of columns that never name a security, though they may part the rows of a day. */
const OTHER_NAMES =
  /exchange|market|venue|currency|session|hours|interval|timeframe|period|freq|type|kind|side|status|source|vendor|provider|adjust|series|note|flag|sector|industry|country|region|date|time/;

export interface SymbolSample {
  /** Names by position, as `plainName` gives them. */
  names: readonly string[];
  /** Positions with another meaning. */
  used: ReadonlySet<number>;
  /** Positions whose values are not text. */
  typed: ReadonlySet<number>;
  rows: readonly (readonly string[])[];
  last: readonly string[];
  /** Stamp of a bar by its row. */
  stampOf(row: readonly string[]): string;
  /** Positions of open, high and low. */
  prices: readonly [open: number, high: number, low: number];
}

export type SymbolFinding =
  /** `isSure` if its name says so; else one constant value may be no ticker. */
  | { at: number; isSure: boolean; fact: 'named' | 'apart'; value: string | undefined }
  /** Rows of one stamp are several securities, and the column that parts them has no tickers. */
  | { noTickersAt: number; value: string }
  | { severalAt: readonly [number, number] }
  /** Some text changes: more rows show whether it does so within a stamp. */
  | 'look further'
  | undefined;

/** @param isWhole True if no more rows can be looked at. */
export function findSymbolColumn(sample: SymbolSample, isWhole: boolean): SymbolFinding {
  const { names } = sample;
  for (const name of TICKER_NAMES) {
    const at = names.indexOf(name);
    if (at === -1 || sample.used.has(at)) continue;
    if (names.lastIndexOf(name) !== at) return { severalAt: [at, names.lastIndexOf(name)] };
    const values = valuesAt(sample, at);
    // Earlier versions read these two alone, and refuse rows without a symbol.
    if (values.length === 0 && name !== 'symbol' && name !== 'ticker') continue;
    const isText = !sample.typed.has(at);
    if (isText && values.length > 0 && values.every(isId))
      return { noTickersAt: at, value: values[0] };
    return { at, isSure: true, fact: 'named', value: undefined };
  }
  for (const at of placesOfMaybe(names)) {
    if (sample.used.has(at) || sample.typed.has(at)) continue;
    const values = valuesAt(sample, at);
    if (values.length === 0 || !values.every(isTicker)) continue;
    if (values.length === 1) return { at, isSure: false, fact: 'named', value: values[0] };
    if (!values.some(isWord)) return { at, isSure: true, fact: 'named', value: undefined };
  }
  return columnOfParts(sample, isWhole);
}

/** Positions of columns that may hold tickers, best first. */
function placesOfMaybe(names: readonly string[]): number[] {
  const known = MAYBE_NAMES.map((name) => names.indexOf(name)).filter((at) => at !== -1);
  // `bbg_ticker`, `exchange_symbol`: of one value, the ticker of the file's name is the better one.
  const others = [...names.keys()].filter((at) => TICKER_WORD.test(names[at]));
  return [...new Set([...known, ...others])];
}

/** Part of the name of a column that may hold tickers, unless they are those of something else. */
const TICKER_WORD =
  /^(?!.*(?:bench|index|option|peer|base|quote|currency)).*(?:ticker|symbol|mnemonic)/;

/** A column whose value belongs to a security or its company, beside the names above. */
const IDENTITY = /^id$|country|exchange|sector|industry|currency|name$/;

/**
 * Positions of columns that are not read and tell whose bars the rows are.
 * @param series Rows of each symbol.
 */
export function identityColumns(
  names: readonly string[],
  read: ReadonlySet<number>,
  series: readonly (readonly (readonly string[])[])[],
): number[] {
  const rowCount = series.reduce((sum, rows) => sum + rows.length, 0);
  return [...names.entries()].flatMap(([at, name]) => {
    const isKnown = [ID_NAMES, MAYBE_NAMES].some((known) => known.includes(name));
    if (read.has(at) || !(isKnown || IDENTITY.test(name))) return [];
    // A number of each row tells nothing.
    const changes = series.flatMap((rows) =>
      rows.filter((row, i) => i > 0 && row[at] !== rows[i - 1][at]),
    );
    return changes.length * 3 <= rowCount ? [at] : [];
  });
}

/** Looks for a column that parts rows of one stamp whose prices are of several securities. */
function columnOfParts(sample: SymbolSample, isWhole: boolean): SymbolFinding {
  const candidates = [...sample.names.keys()].filter((at) => mayPart(sample, at));
  if (candidates.length === 0) return undefined;
  const groups = [...Map.groupBy(sample.rows, sample.stampOf).values()];
  const doubled = groups.filter((rows) => rows.length > 1);
  const apart = doubled.filter((rows) => areApart(rows, sample.prices));
  if (!areSeveralSecurities(apart.length, groups.length)) {
    return isWhole ? undefined : 'look further';
  }
  const parting = candidates.filter((at) =>
    doubled.every((rows) => new Set(rows.map((row) => row[at])).size === rows.length),
  );
  // A suffix of tickers is empty for most of them.
  const isFilled = (at: number) => sample.rows.every((row) => row[at]?.trim() !== '');
  const isId = (at: number) => ID_NAMES.includes(sample.names[at]);
  const tickers = parting.filter(
    (at) =>
      !CLASSES.test(sample.names[at]) &&
      isFilled(at) &&
      valuesAt(sample, at).every((text) => isTicker(text) && isCapital(text)),
  );
  if (tickers.length === 1)
    return { at: tickers[0], isSure: true, fact: 'apart', value: undefined };
  if (tickers.length > 1) return { severalAt: [tickers[0], tickers[1]] };
  const hasLabels = (at: number) => isFilled(at) && !valuesAt(sample, at).every(isTicker);
  const other = [isId, (at: number) => isNamed(sample, at), hasLabels]
    .map((is) => parting.find(is))
    .find((at) => at !== undefined);
  return other === undefined
    ? undefined
    : { noTickersAt: other, value: valuesAt(sample, other)[0] };
}

function mayPart(sample: SymbolSample, at: number): boolean {
  if (sample.used.has(at) || OTHER_NAMES.test(sample.names[at])) return false;
  const values = valuesAt(sample, at);
  return values.length > 1 && (isNamed(sample, at) || values.every(isLabel));
}

function isNamed({ names }: SymbolSample, at: number): boolean {
  return MAYBE_NAMES.includes(names[at]) || ID_NAMES.includes(names[at]);
}

/** The different texts of a column, without empty ones. */
function valuesAt({ rows, last }: SymbolSample, at: number): string[] {
  const texts = [...rows, last].map((row) => row[at]?.trim() ?? '');
  return [...new Set(texts)].filter((text) => text !== '');
}

/** Returns true for tickers, which have no digits: `B1000` is a label of the file's author. */
function isTicker(text: string): boolean {
  return !/^[A-Z]+\d/i.test(text) && isLabel(text);
}

/** Returns true for texts like a ticker, and for what is known not to be held, such as an index. */
function isLabel(text: string): boolean {
  if (isId(text)) return false;
  const found = symbolOrFault(() => canonicalSymbol(text));
  return 'symbol' in found || found.fault !== NO_TICKER;
}

const NO_TICKER = 'is not a ticker';

/** No ticker of a US exchange begins with a digit, but numbers and CUSIPs do. */
export function isId(text: string): boolean {
  return /^\d/.test(text) && 'symbol' in symbolOrFault(() => canonicalSymbol(text));
}

/** `Apple` and `Abcdef` are words that would be read as tickers; `ABRpA` is none. */
export function isWord(text: string): boolean {
  return /^[A-Z][a-z]{2,}$/.test(text);
}

/** Longest ticker before its suffix. */
const CAPITAL = /^[A-Z]{1,5}(?![A-Za-z])/;

function isCapital(text: string): boolean {
  return CAPITAL.test(text);
}

/** Returns true if the prices of rows are not those of versions of one bar. */
function areApart(
  rows: readonly (readonly string[])[],
  [open, high, low]: SymbolSample['prices'],
): boolean {
  const numbers = (at: number) => rows.map((row) => roughNumber(row[at] ?? ''));
  const opens = numbers(open);
  const isFar = Math.max(...opens) > OPEN_RATIO_MAX * Math.min(...opens);
  return isFar || Math.max(...numbers(low)) > Math.min(...numbers(high));
}

/** The size of a number, whatever its decimal mark. */
function roughNumber(text: string): number {
  return Number.parseFloat(text.replace(/[^\d.,-]/g, '').replaceAll(',', '.'));
}
