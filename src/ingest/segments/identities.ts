/** Compares what columns such as `name`, `cik` and `exchange` say of the security of two parts. */

/** Columns with values in both parts, by whether they change. */
export interface Identities {
  changes: IdentityChange[];
  /** Names of the others, in small letters without signs. */
  kept: ReadonlySet<string>;
}

interface IdentityChange {
  /** Header of the column as written. */
  header: string;
  /** The same in small letters without signs. */
  name: string;
  from: string;
  to: string;
}

/** Numbers that a security keeps through renames, splits and reorganisations. */
const SECURITY_IDS = new Set([
  ...['id', 'permno', 'conid', 'instrumentid', 'securityid', 'secid'],
  ...['figi', 'compositefigi', 'shareclassfigi'],
]);
/** Class of a share (CRSP). A company has a security for each, with its name and its numbers. */
const CLASSES = new Set(['shrcls', 'shareclass']);
/** Numbers that a company keeps. Only a reorganisation, as into a holding, gives another one. */
const COMPANY_IDS = new Set(['permco', 'gvkey', 'cik']);
/** Numbers that a share changes at once. */
const SHARE_IDS = new Set(['cusip', 'isin', 'sedol', 'wkn']);
/** Facts about a company that stay when its name and numbers change. */
const COMPANY_FACTS = new Set(['country', 'sector', 'industry', 'currency']);
const CHANGES_MIN = 2;

const plain = (text: string) => text.replace(/[^a-z]/gi, '').toLowerCase();
const isName = (name: string) => name.endsWith('name') || name === 'company' || name === 'security';

/** @param texts Values by column as JSON, of the earlier and the later part. */
export function comparedIdentities(texts: readonly (string | null)[]): Identities {
  const [a, b] = texts.map((text) => JSON.parse(text ?? '{}') as Record<string, string | null>);
  const found = Object.keys(a).flatMap((header): IdentityChange[] => {
    const [from, to] = [a[header], b[header]];
    return from && to ? [{ header, name: plain(header), from, to }] : [];
  });
  const isSame = ({ name, from, to }: IdentityChange) =>
    isName(name) ? areAlike(from, to) : from === to;
  return {
    changes: found.filter((change) => !isSame(change)),
    kept: new Set(found.filter(isSame).map(({ name }) => name)),
  };
}

const hasAny = (names: Iterable<string>, of: ReadonlySet<string>) =>
  Iterator.from(names).some((name) => of.has(name));

/** Returns true if the columns are of two securities, unless the bars go on (`isReorganised`). */
export function areOtherSecurities({ changes, kept }: Identities): boolean {
  const names = changes.map(({ name }) => name);
  if (hasAny(names, SECURITY_IDS)) return true;
  if (hasAny(kept, SECURITY_IDS)) return false;
  if (hasAny(names, CLASSES)) return !hasAny(kept, SHARE_IDS);
  if (hasAny(names, COMPANY_IDS)) return true;
  if (hasAny(kept, COMPANY_IDS)) return false;
  // A company that keeps its name moves to another exchange, or is put into another sector.
  if (keepsName({ kept })) return false;
  // A reverse split gives a share new numbers, all at once.
  return new Set(names.map((name) => (SHARE_IDS.has(name) ? 'number' : name))).size >= CHANGES_MIN;
}

/** Returns true if a column of names has one company in both parts. */
export function keepsName({ kept }: Pick<Identities, 'kept'>): boolean {
  return [...kept].some(isName);
}

/**
 * Returns true if the columns may change with a reorganisation, as of Google into Alphabet: a number
 * of the company changes, and what it does stays.
 */
export function mayBeReorganised({ changes }: Identities): boolean {
  const names = changes.map(({ name }) => name);
  const hasNumber = hasAny(names, COMPANY_IDS) || hasAny(names, SECURITY_IDS);
  return hasNumber && !hasAny(names, COMPANY_FACTS);
}

/** Words for the legal form of a company, and for the kind of its shares. */
const FORMS = new Set(
  'inc incorporated corp corporation co company companies ltd limited plc llc lp sa nv ag se ab asa spa the group holding holdings com new class cl a b c common stock ordinary share shares ord adr ads'.split(
    ' ',
  ),
);

/** Returns true for spellings of one name: `PepsiCo Inc` and `PEPSICO, INC.`, `Pepsico`. */
function areAlike(from: string, to: string): boolean {
  const [a, b] = [from, to].map(wordsOf);
  if (a.join(' ') === b.join(' ')) return true;
  const [few, many] = a.length < b.length ? [a, b] : [b, a];
  // A name that was cut off, or got a word more.
  return few.length > 0 && few.every((word, at) => many[at] === word);
}

function wordsOf(name: string): string[] {
  const words =
    name
      .toLowerCase()
      .replace(/['’.]/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const own = words.filter((word) => !FORMS.has(word));
  return own.length > 0 ? own : words;
}

/** `"cik" (1288776, 1652044) and "name" (Google Inc, Alphabet Inc)`. */
export function changesText({ changes }: Identities, hasValues = false): string {
  return changes
    .map(({ header, from, to }) => `"${header}"${hasValues ? ` (${from}, ${to})` : ''}`)
    .join(' and ');
}
