/**
 * Ticker symbols: turns the spellings of all vendors into one canonical spelling.
 *
 * The canonical spelling is upper case. Each part after the company's own letters follows a dot:
 *
 * | security | canonical | Stooq | Yahoo, SEC | Nasdaq Trader: ACT, CQS, Nasdaq column |
 * |---|---|---|---|---|
 * | share class | `BRK.B` | `brk-b` | `BRK-B` | `BRK.B` in all |
 * | preferred, series A | `ABR.PRA` | `abr_a` | `ABR-PA` | `ABR$A`, `ABRpA`, `ABR-A` |
 * | preferred, no series | `MTB.PR` | `mtb_` | `MTB-P` | `MTB$`, `MTBp`, `MTB-` |
 * | warrant | `AIG.WS` | `aig-ws` | `AIG-WT` | `AIG.W`, `AIG.WS`, `AIG+` |
 * | warrant, series B | `TDW.WS.B` | `tdw-ws-b` | `TDW-WTB` | `TDW.B`, `TDW.WS.B`, `TDW+B` |
 * | unit | `CIC.U` | `cic-u` | `CIC-UN` | `CIC.U`, `CIC.U`, `CIC=` |
 * | right | `GIG.RT` | `gig-r` | `GIG-RI` | `GIG.R`, `GIGr`, `GIG^` |
 * | when issued | `AMTM.WI` | `amtm-wi` | `AMTM-WI` | `AMTM.WI`, `AMTMw`, `AMTM#` |
 * | called for redemption | `ALL.PRD.CL` | `all_d-cl` | | `ALL$D`, `ALLpD.CL`, `ALL-D*` |
 * | delisted in that month, ticker reused | `XYZ.201512` | | | |
 *
 * The ACT column does not distinguish a warrant's series (`TDW.B`) from a share class, nor a
 * called issue from others. Readers of those files use the CQS or the Nasdaq column.
 */

import { OtherKindError, ParameterError } from './errors.ts';
import { quoted } from './quoted.ts';
import { foreignPlace, otherKind } from './symbols/other-kinds.ts';

/**
 * Spelling of a text; `files` is for names of users' own files. The text alone shows every spelling
 * except Nasdaq's, so `any` reads all others.
 */
export type SymbolForm = 'any' | 'stooq' | 'yahoo' | 'nasdaq' | 'sec' | 'files';

/** Start of a suffix behind the root, and its canonical form. */
type SuffixRule = readonly [spelling: RegExp, canonical: (series: string) => string];

/** Characters of a ticker: ASCII only, since `ß`, `ı` and `ſ` become letters in upper case. */
const TEXT = /^[!-~]{1,24}$/;
const ROOT = /^[A-Z0-9]{1,10}/;

/** Nearly every symbol. No pair of currencies is as short. */
const PLAIN = /^[A-Za-z]{1,5}$/;

const preferred = (series: string): string => `.PR${series}`;
const warrant = (series: string): string => (series ? `.WS.${series}` : '.WS');

/** Rules for suffixes; the first match wins. `(?![A-Z])` never splits a longer suffix. */
const RULES: readonly SuffixRule[] = [
  [/^[_$]([A-Z]?)(?![A-Z])/, preferred],
  [/^-P([A-Z]?)(?![A-Z])/, preferred],
  [/^-WT([A-Z]?)(?![A-Z])/, warrant],
  [/^\+([A-Z]?)(?![A-Z])/, warrant],
  [/^[.-]WS[.-]([A-Z])(?![A-Z])/, warrant],
  [/^[.-]W(?![A-Z])/, warrant],
  [/^-UN(?![A-Z])/, () => '.U'],
  [/^=/, () => '.U'],
  [/^-RW(?![A-Z])/, () => '.RT.WI'],
  [/^\^#/, () => '.RT.WI'],
  [/^-RI(?![A-Z])/, () => '.RT'],
  [/^[.-]R(?![A-Z])/, () => '.RT'],
  [/^\^/, () => '.RT'],
  [/^#/, () => '.WI'],
  [/^\*/, () => '.CL'],
  [/^[.-]([A-Z]{1,3})(?![A-Z])/, (letters) => `.${letters}`],
  [/^\.((?:19|20)\d\d(?:0[1-9]|1[0-2]))$/, (month) => `.${month}`],
];

/** Rules for Nasdaq's own column, where a hyphen means a preferred share, not a class. */
const NASDAQ_RULES: readonly SuffixRule[] = [[/^-([A-Z]?)(?![A-Z])/, preferred], ...RULES];

/** The market that Stooq and EODHD write behind every US ticker. */
const US_MARKET = /(?<=.)\.US$/;

/** Suffixes that CQS writes in lower case, as in `ABRpA` and `RIVrw`. */
const CQS = /^([A-Z]+)(?:(p)([A-Z]?)|(rw)|(r)|(w))(?=$|\.)/;

function upperFromCqs(text: string): string {
  return text.replace(
    CQS,
    (_all, root, p, series, rw, r) =>
      root + (p ? `.PR${series}` : rw ? '.RT.WI' : r ? '.RT' : '.WI'),
  );
}

/**
 * Returns the canonical spelling of a symbol. Canonical text comes back unchanged in every form.
 *
 * @param text Ticker in any letter case, without blanks around it. NAN, TRUE and NULL are tickers
 *   here.
 * @param form Spelling of the text, if known. `nasdaq` reads all three columns of Nasdaq Trader's
 *   files; the others read a hyphen as a class (`BRK-B`) and ignore letter case.
 * @param field Name of the parameter in the error.
 * @throws {OtherKindError} the text names something that is not held, such as a cryptocurrency.
 * @throws {ParameterError} the text is not a ticker.
 */
export function canonicalSymbol(text: string, form: SymbolForm = 'any', field = 'symbol'): string {
  const spelled = form === 'nasdaq' ? upperFromCqs(text) : text;
  if (PLAIN.test(spelled)) return spelled.toUpperCase();
  const upper = spelled.toUpperCase().replace(US_MARKET, '');
  const kind = TEXT.test(text) && otherKind(upper);
  if (kind) throw otherKindError(field, text, kind);
  const root = TEXT.test(text) && ROOT.exec(upper)?.[0];
  if (!root) throw notASymbol(field, text);
  const rules = form === 'nasdaq' ? NASDAQ_RULES : RULES;
  let canonical = root;
  let rest = upper.slice(root.length);
  while (rest) {
    const suffix = suffixOf(rest, rules);
    if (!suffix) throw notASymbol(field, text);
    canonical += suffix.canonical;
    rest = rest.slice(suffix.length);
  }
  const place = foreignPlace(canonical);
  if (place) throw otherKindError(field, text, `trades in ${place}`, seriesHint(canonical));
  return canonical;
}

function suffixOf(
  rest: string,
  rules: readonly SuffixRule[],
): { canonical: string; length: number } | undefined {
  for (const [spelling, canonical] of rules) {
    const match = spelling.exec(rest);
    if (match) return { canonical: canonical(match[1] ?? ''), length: match[0].length };
  }
  return undefined;
}

function notASymbol(field: string, text: string): ParameterError {
  return new ParameterError(
    field,
    `${field} must be a ticker like AAPL, BRK.B or ABR.PRA, got ${quoted(text)}`,
  );
}

function otherKindError(field: string, text: string, predicate: string, hint = '') {
  const message = `${field} must be a US stock or fund, got ${quoted(text)}, which ${predicate}${hint}`;
  return new OtherKindError(field, predicate, message);
}

/** Spells the preferred share that a text like `BAC.PA` may mean. */
function seriesHint(canonical: string): string {
  const [, root, series] = /^([A-Z]+)\.P([A-Z])$/.exec(canonical) ?? [];
  return root === undefined
    ? ''
    : ` (series ${series} of a preferred share is ${root}.PR${series})`;
}

/** Reads a symbol by `read`; for a refused one, says why: `is an index`, `is not a ticker`. */
export function symbolOrFault(read: () => string): { symbol: string } | { fault: string } {
  try {
    return { symbol: read() };
  } catch (error) {
    if (error instanceof OtherKindError) return { fault: error.predicate };
    if (error instanceof ParameterError) return { fault: 'is not a ticker' };
    throw error;
  }
}

const KNOWN_ENDING = /\.(csv|txt|jsonl|parquet|parq|pq|gz)$/i;

/**
 * Returns the canonical symbol that a data file is named after: `abr_a.us.txt` → `ABR.PRA`.
 *
 * @param name File name or path; known endings and then one `.us` are cut off.
 * @throws {ParameterError} `symbol`: the rest is not a ticker. `AAPL.201512.csv` is refused: it is
 *   more likely a month of AAPL than a security delisted in that month.
 */
export function symbolFromFileName(name: string, form: SymbolForm = 'files'): string {
  let stem = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  while (KNOWN_ENDING.test(stem)) stem = stem.replace(KNOWN_ENDING, '');
  const symbol = canonicalSymbol(stem.replace(/\.us$/i, ''), form);
  if (/\.\d{6}$/.test(symbol)) throw notASymbol('symbol', stem);
  return symbol;
}
