/** Parses company and type from a security's name, which holds both. */

import { adsRatioFromName } from './ads-ratio.ts';

export type SecurityType =
  | 'stock'
  | 'adr'
  | 'etf'
  | 'etn'
  | 'preferred'
  | 'warrant'
  | 'right'
  | 'unit'
  | 'note';

const SUFFIX_TYPES: readonly (readonly [suffix: RegExp, type: SecurityType])[] = [
  [/\.PR[A-Z]?(\.|$)/, 'preferred'],
  [/\.WS(\.|$)/, 'warrant'],
  [/\.RT(\.|$)/, 'right'],
  [/\.U$/, 'unit'],
];

/** Returns the type that a canonical symbol's suffix names; undefined where it names none. */
export function typeFromSuffix(symbol: string): SecurityType | undefined {
  return SUFFIX_TYPES.find(([suffix]) => suffix.test(symbol))?.[1];
}

const EXCHANGE_TRADED_NOTE = /\bETNs?\b|\bexchange[- ]traded notes?\b/i;
const DEBT = /\b(notes?|debentures?)\b.*\bdue\b/i;

/** Receipts for foreign shares, misspelled ones too; those for preferred shares trade alike. */
const RECEIPT =
  /\bamerican dep\w*s\w*ry (shares?|receipts?)\b|\bdepositary receipts?\b|\(each represent(s|ing) (?![^()]*\b(prefer|interest))[^()]*\bshares?\b/i;

/** Short words for receipts behind a company; a fund may hold them. */
const SHORT_RECEIPT =
  /\S[ .](AD[RS]s?|Ads(?= Common\b))\b(?!-)(?!.*\b([Ff]und|[Ii]ndex|ETF|[Tt]rust)\b)/;

/** Parts of shares without `American`: banks sell preferred shares so. */
const DEPOSITARY_SHARES = /\bdepositary (shares?|shs?)\b/i;

/** Patterns of the issue, first match first. */
const ISSUE_TYPES: readonly (readonly [words: RegExp, type: SecurityType])[] = [
  [/^(american deposit[ao]ry\b|AD[RS]s?\b)/i, 'adr'],
  [/\bwarrants?\b/i, 'warrant'],
  [/\brights?\b/i, 'right'],
  [/\b(preferred|preference)\b/i, 'preferred'],
  [/\b(notes?|debentures?)\b/i, 'note'],
  [/^units?$/i, 'unit'],
];

/** Types by the words of a class in a filing; the words that come first decide. */
const TITLE_TYPES: readonly (readonly [words: RegExp, type: SecurityType])[] = [
  [/\b(common|ordinary|preferred|capital)?\s*(stock|shares?)\s+(purchase\s+)?rights?\b/i, 'right'],
  [/\b(common|ordinary)?\s*(stock|shares?)\s+(purchase\s+)?warrants?\b/i, 'warrant'],
  [EXCHANGE_TRADED_NOTE, 'etn'],
  [/\b(american deposit[ao]ry\b|AD[RS]s?\b)/i, 'adr'],
  [/\bwarrants?\b/i, 'warrant'],
  [/\brights?\b/i, 'right'],
  [/\b(preferred|preference|deposit[ao]ry shares)\b/i, 'preferred'],
  [/\b(notes?|debentures?|bonds?)\b/i, 'note'],
  [/\b(common\s+(stock|shares?|units?)|ordinary\s+shares?|capital\s+stock)\b/i, 'stock'],
  [/\bshares?\s+of\s+beneficial\s+interest\b/i, 'stock'],
  // Voting shares of Canadian and registered ones of Swiss companies, but no rights to them.
  [
    /\b(class\s+[a-z]|voting|registered)\s+(stock|shares?)\b(?!\s+(purchase\s+)?(warrants?|rights?))/i,
    'stock',
  ],
  [/\bunits?\b/i, 'unit'],
];

/** Returns the type of a class as a filing describes it; undefined if its words name none. */
export function typeFromTitle(title: string): SecurityType | undefined {
  const found = TITLE_TYPES.flatMap(([words, type], rank) => {
    const match = words.exec(title);
    return match ? [{ at: match.index, rank, type }] : [];
  });
  const fund = /\b(ETF|fund|trust)\b/i.test(title) ? 'etf' : undefined;
  return found.sort((a, b) => a.at - b.at || a.rank - b.rank)[0]?.type ?? fund;
}

/** Start of the issue in a name where nothing stands before it. */
const SHARES =
  /\s+(new\s+)?((class|series)\s+[A-Z0-9]+\s+)?(common\s+(stock|shares?|units?)|ordinary\s+shares?|american\s+deposit[ao]ry\s+(shares?|receipts?))\b/i;
const RIGHTS_TO_SHARES = /\s+(series\s+[A-Z]\s+|stapled\s+)?(warrants?|rights?|units?)\b/i;

const SEPARATOR = ' - ';

/** Splits `Alcoa Corporation Common Stock`. The name of a fund (`isFund`) stays whole. */
export function companyFromSecurity(
  name: string,
  symbol: string,
  isFund: boolean,
): { companyName: string; type: SecurityType } {
  const whole = name.trim().replace(/\s+/g, ' ');
  if (isFund) return { companyName: whole, type: 'etf' };
  if (EXCHANGE_TRADED_NOTE.test(whole)) return { companyName: whole, type: 'etn' };
  const cut = whole.lastIndexOf(SEPARATOR);
  const issue = cut < 0 ? '' : whole.slice(cut + SEPARATOR.length);
  const company = cut < 0 ? whole : whole.slice(0, cut);
  const type =
    typeFromSuffix(symbol) ??
    ISSUE_TYPES.find(([words]) => words.test(issue))?.[1] ??
    typeFromName(whole);
  const companyName = company.split(issueStart(type), 1)[0];
  // A receipt of one share has the price of a share.
  return { companyName, type: isOfShares(type) && adsRatioFromName(whole) === 1 ? 'stock' : type };
}

function isOfShares(type: SecurityType): boolean {
  return type === 'adr' || type === 'preferred';
}

/** Returns the type that a name as a whole says. */
function typeFromName(name: string): SecurityType {
  if (DEBT.test(name)) return 'note';
  if (RECEIPT.test(name) || SHORT_RECEIPT.test(name)) return 'adr';
  return DEPOSITARY_SHARES.test(name) ? 'preferred' : 'stock';
}

function issueStart(type: SecurityType): RegExp {
  return type === 'warrant' || type === 'right' || type === 'unit' ? RIGHTS_TO_SHARES : SHARES;
}
