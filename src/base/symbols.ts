/**
 * Ticker symbols: turns the spellings of all vendors into one canonical spelling.
 *
 * The canonical spelling is upper case, and a dot stands before each part behind the company's own
 * letters: `BRK.B`, `ABR.PRA`, `AIG.WS`.
 *
 * `symbols/spellings.ts` is the table; docs/symbols.md shows it to users. A ticker that was reused
 * after a delisting has the month of the delisting behind it: `XYZ.201512`.
 */

import { OtherKindError, ParameterError, SymbolFaultError, UnclearSymbolError } from './errors.ts';
import { quoted } from './quoted.ts';
import { EXCHANGE_PLACES } from './symbols/exchange-suffixes.ts';
import { foreignPlace, otherKind } from './symbols/other-kinds.ts';
import {
  CANONICAL,
  NASDAQ_HYPHENS,
  READ_SPELLINGS,
  type SpelledSuffix,
  type SuffixRule,
  suffixAt,
  suffixRules,
  unjoined,
  VENDOR_SPELLINGS,
} from './symbols/spellings.ts';
import { isTestIssue } from './symbols/test-issues.ts';
import { unclearMeanings } from './symbols/unclear-suffix.ts';
import { MARKET_BEFORE, MARKET_BEHIND } from './symbols/us-markets.ts';

/**
 * Spelling of a text; `files` is for names of users' own files. The text alone shows every spelling
 * except Nasdaq's and Stooq's in capitals, so `any` reads all others.
 */
export type SymbolForm = 'any' | 'stooq' | 'yahoo' | 'nasdaq' | 'sec' | 'files';

/** Characters of a ticker: ASCII only, since `ß`, `ı` and `ſ` become letters in upper case. */
const TEXT = /^(?! )[ -~]{1,24}(?<! )$/;
const ROOT = /^[A-Z0-9]{1,10}/;

/** Nearly every symbol. No pair of currencies is as short. */
const PLAIN = /^(?:[A-Z]{1,5}|[a-z]{1,5})$/;

/** All rules, the first of which that fits decides. */
export const RULES = suffixRules([...Object.values(VENDOR_SPELLINGS), ...READ_SPELLINGS]);

/** Rules for Nasdaq's own column, where a hyphen means a preferred share, not a class. */
const NASDAQ_RULES = [...suffixRules([NASDAQ_HYPHENS]), ...RULES];

/** Markets of Reuters that no US security has as a class: both of Nasdaq, and both of the NYSE. */
const REUTERS_MARKET = /^\.(?:OQ?|N|K)$/;

const DELISTED = /^\.(?:19|20)\d\d(?:0[1-9]|1[0-2])$/;
const EXCHANGE = /^[.-]([A-Z]{2,3})$/;

/**
 * Capitals before small letters, where case has a meaning: `ABRp`, `TpA`. `Ko` and `Aapl` are
 * names of companies as people write them.
 */
export const MIXED = /^(?:[A-Z]{2,}[a-z]|[A-Z]+_p[a-z]|[A-Z]p[A-Z])/;
const MIXED_OF_NASDAQ = /^[A-Z]+[a-z]/;

/**
 * Returns the canonical spelling of a symbol. Canonical text comes back unchanged in every form.
 *
 * @param text Ticker in capitals or small letters, without blanks around it. Small letters behind
 *   capitals have the meaning of CQS (`ABRpA`) and Reuters (`BRKb`). NAN, TRUE and NULL are tickers
 *   here.
 * @param form Spelling of the text, if known. `nasdaq` reads all three columns of Nasdaq Trader's
 *   files; the others read a hyphen as a class (`BRK-B`).
 * @param field Name of the parameter in the error.
 * @throws {OtherKindError} the text names something that is not held, such as a cryptocurrency.
 * @throws {UnclearSymbolError} the text may mean two securities.
 * @throws {ParameterError} the text is not a ticker.
 */
export function canonicalSymbol(text: string, form: SymbolForm = 'any', field = 'symbol'): string {
  if (PLAIN.test(text)) return text.toUpperCase();
  const bare = text.replace(MARKET_BEFORE, '');
  if (bare !== text) return canonicalSymbol(bare, form, field);
  const upper = text.toUpperCase().replace(MARKET_BEHIND, '');
  const isText = TEXT.test(text) && upper !== 'N/A';
  const kind = isText && otherKind(upper);
  if (kind) throw otherKindError(field, text, kind);
  if (!isText) throw notASymbol(field, text);
  const asWritten = text.slice(0, upper.length);
  const read = { text, field, form, isOfMarket: /\.us$/i.test(text) };
  const canonical =
    unjoined(upper) ?? readSymbol(isMixed(asWritten, form) ? asWritten : upper, read);
  if (canonical === undefined) throw notASymbol(field, text);
  const place = foreignPlace(canonical);
  if (place) throw otherKindError(field, text, `trades in ${place}`, seriesHint(upper));
  return canonical;
}

function isMixed(text: string, form: SymbolForm): boolean {
  return (form === 'nasdaq' ? MIXED_OF_NASDAQ : MIXED).test(text);
}

interface SymbolRead {
  /** The whole text, for errors. */
  text: string;
  field: string;
  form: SymbolForm;
  /** True if `.US` stood behind it. */
  isOfMarket: boolean;
}

/** @returns undefined where the text is no ticker. */
function readSymbol(spelled: string, read: SymbolRead): string | undefined {
  const root = ROOT.exec(spelled)?.[0];
  if (root === undefined) return undefined;
  const rules: readonly SuffixRule[] = read.form === 'nasdaq' ? NASDAQ_RULES : RULES;
  let canonical = root;
  let rest = spelled.slice(root.length);
  while (rest) {
    if (!isTestIssue(root) && REUTERS_MARKET.test(rest)) return canonical;
    const suffix = suffixAt(rest, rules);
    const place = EXCHANGE.exec(rest)?.[1] ?? '';
    if (EXCHANGE_PLACES.has(place) && suffix?.template !== '-P@') return `${canonical}.${place}`;
    if (!suffix) return DELISTED.test(rest) ? canonical + rest : undefined;
    refuseUnclear(root, suffix, read);
    canonical += CANONICAL[suffix.kind].replace('@', suffix.letter);
    rest = rest.slice(suffix.length);
  }
  // A letter behind a preferred share without a series is its series, not a class or a unit.
  return canonical.replace(/\.PR\.([A-Z])(?=\.|$)/, '.PR$1');
}

/** @throws {UnclearSymbolError} vendors use the suffix for different securities. */
function refuseUnclear(root: string, suffix: SpelledSuffix, { text, field, ...read }: SymbolRead) {
  // Stooq writes small letters or the ending `.US`.
  const isStooqs = read.form === 'stooq' || read.isOfMarket || text === text.toLowerCase();
  const meanings = isTestIssue(root) ? undefined : unclearMeanings(root, suffix, isStooqs);
  if (meanings === undefined) return;
  const message = `${field} must name one security, got ${quoted(text)}, which may be ${meanings}`;
  throw new UnclearSymbolError(field, `may be ${meanings}`, message);
}

function otherKindError(field: string, text: string, predicate: string, hint = '') {
  const message = `${field} must be a US stock or fund, got ${quoted(text)}, which ${predicate}${hint}`;
  return new OtherKindError(field, predicate, message);
}

/** Error of a text that is no ticker. */
export function notASymbol(field: string, text: string): ParameterError {
  return new ParameterError(
    field,
    `${field} must be a ticker like AAPL, BRK.B or ABR.PRA, got ${quoted(text)}`,
  );
}

/** Spells the preferred share that a text like `BAC.PA` may mean. */
function seriesHint(upper: string): string {
  const [, root, series] = /^([A-Z]+)\.P([A-Z])$/.exec(upper) ?? [];
  return root === undefined
    ? ''
    : ` (series ${series} of a preferred share is ${root}.PR${series})`;
}

/** Reads a symbol by `read`; for a refused one, says why: `is an index`, `is not a ticker`. */
export function symbolOrFault(read: () => string): { symbol: string } | { fault: string } {
  try {
    return { symbol: read() };
  } catch (error) {
    if (error instanceof SymbolFaultError) return { fault: error.predicate };
    if (error instanceof ParameterError) return { fault: 'is not a ticker' };
    throw error;
  }
}
