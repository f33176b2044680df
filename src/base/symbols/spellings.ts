/**
 * Spellings of what stands behind the root of a ticker: one table to read and to write all vendors.
 *
 * Nasdaq Trader's table of conventions has the spellings of the exchanges: CMS with a blank, CQS
 * with a slash or small letters, and Nasdaq's own marks. The ACT column of its files is left out:
 * it gives a warrant's series, a class and a called issue the same suffix.
 */

/** Our own spelling of each kind of suffix; `@` is the letter of a class or a series. */
export const CANONICAL = {
  class: '.@',
  preferred: '.PR',
  series: '.PR@',
  warrant: '.WS',
  warrantSeries: '.WS.@',
  unit: '.U',
  right: '.RT',
  rightWhenIssued: '.RT.WI',
  whenIssued: '.WI',
  whenDistributed: '.WD',
  convertible: '.CV',
  called: '.CL',
} as const;

export type SuffixKind = keyof typeof CANONICAL;

type Spellings = Partial<Record<SuffixKind, string>>;

/** Hyphens before our own letters: what vendors write who keep dots out of addresses. */
const HYPHENS = {
  class: '-@',
  preferred: '-P',
  warrant: '-WS',
  warrantSeries: '-WS-@',
  unit: '-U',
  right: '-RT',
  rightWhenIssued: '-RT-WI',
  whenIssued: '-WI',
  whenDistributed: '-WD',
  convertible: '-CV',
  called: '-CL',
};

/** `@` is a capital letter, `%` a small one behind a root in capitals. */
export const VENDOR_SPELLINGS = {
  tapeworks: CANONICAL,
  stooq: { ...HYPHENS, preferred: '_', series: '_@', right: '-R', rightWhenIssued: '-RW' },
  yahoo: {
    class: '-@',
    preferred: '-P',
    series: '-P@',
    warrant: '-WT',
    warrantSeries: '-WT@',
    unit: '-UN',
    right: '-RI',
    rightWhenIssued: '-RW',
    whenIssued: '-WI',
  },
  eodhd: { ...HYPHENS, series: '-P@' },
  tiingo: { ...HYPHENS, series: '-P-@' },
  massive: {
    class: '.@',
    preferred: 'p',
    series: 'p@',
    right: 'r',
    rightWhenIssued: 'rw',
    whenIssued: 'w',
  },
  cqs: {
    class: '/@',
    preferred: 'p',
    series: 'p@',
    warrant: '/WS',
    warrantSeries: '/WS/@',
    unit: '/U',
    right: 'r',
    rightWhenIssued: 'rw',
    whenIssued: 'w',
    whenDistributed: '/WD',
    convertible: '/CV',
    called: '/CL',
  },
  cms: {
    class: ' @',
    preferred: ' PR',
    series: ' PR@',
    warrant: ' WS',
    warrantSeries: ' WS@',
    unit: ' U',
    right: ' RT',
    rightWhenIssued: ' RTWI',
    whenIssued: ' WI',
    whenDistributed: ' WD',
    convertible: ' CV',
    called: ' CL',
  },
  act: { preferred: '$', series: '$@', warrant: '.W', right: '.R' },
  nasdaqSite: { class: '/@', series: '^@', warrant: '/WS', unit: '/U' },
  nasdaqMarks: {
    warrant: '+',
    warrantSeries: '+@',
    unit: '=',
    right: '^',
    rightWhenIssued: '^#',
    whenIssued: '#',
    called: '*',
  },
  tradingView: { class: '.@', series: '/P@', warrant: '/WS', unit: '/U', right: '/RT' },
  etrade: { class: '.@', preferred: '.PR', series: '.PR.@', warrant: '.WT', unit: '.U' },
  broker: { class: '/@', series: '/PR@', warrant: '-W' },
  reuters: { class: '%', series: '_p%' },
} as const satisfies Record<string, Spellings>;

export type Speller = keyof typeof VENDOR_SPELLINGS;

/** Nasdaq's own column, where a hyphen is a preferred share and no class. */
export const NASDAQ_HYPHENS = {
  preferred: '-',
  series: '-@',
} as const satisfies Spellings;

/**
 * Read and never written: what brokers, pages and people make of the spellings above. Seeking Alpha
 * wrote `.P@`, in which `.PA` is Paris elsewhere.
 */
export const READ_SPELLINGS: readonly Spellings[] = [
  {
    series: '.P@',
    warrant: '/WT',
    warrantSeries: '.WS@',
    unit: '/UN',
    right: '/R',
    whenIssued: '/WI',
  },
  { series: '-PR@', warrant: ' WT', warrantSeries: '-WS@', right: '.RI' },
  { series: ' PR @', warrant: '/W', warrantSeries: '/WS@' },
  { series: '/PR/@', warrant: '.WTS', warrantSeries: '.WT@' },
  { series: '-PR-@', warrant: '-WTS' },
];

/** Suffixes behind a root without a sign between, as Fidelity writes it: no ticker has six letters. */
export const JOINED = /^([A-Z]{3,4})(?:PR([A-Z])|(WS))$/;

/** Returns the canonical spelling of `BACPRL` and `CCIVWS`; undefined for other texts. */
export function unjoined(text: string): string | undefined {
  const [, root, letter, warrant] = (text.length > 5 && JOINED.exec(text)) || [];
  if (root === undefined) return undefined;
  return root + CANONICAL[warrant ? 'warrant' : 'series'].replace('@', letter);
}

export interface SpelledSuffix {
  kind: SuffixKind;
  /** Spelling as the table has it: `-P@`. */
  template: string;
  /** Capital letter of the class or series; empty without one. */
  letter: string;
  length: number;
}

export interface SuffixRule {
  kind: SuffixKind;
  template: string;
  pattern: RegExp;
}

/** Rules of some rows of the table; the first that fits decides: exact text before a letter. */
export function suffixRules(rows: readonly Spellings[]): readonly SuffixRule[] {
  const kinds = new Map<string, SuffixKind>();
  for (const row of rows) {
    for (const [kind, template] of Object.entries(row) as [SuffixKind, string][]) {
      kinds.set(template, kind);
    }
  }
  return [...kinds]
    .map(([template, kind]) => ({ kind, template, pattern: patternOf(template) }))
    .sort((a, b) => exactLength(b) - exactLength(a) || b.template.length - a.template.length);
}

function exactLength({ template }: SuffixRule): number {
  return template.replace(/[@%]/g, '').length;
}

/** A suffix in capitals ends before the next capital; one in small letters before any letter. */
function patternOf(template: string): RegExp {
  const text = template.replace(/[$^.+*/]/g, '\\$&');
  const spelled = text.replace('@', '([A-Z])').replace('%', '([a-z])');
  return new RegExp(`^${spelled}${/[a-z%]$/.test(template) ? '(?![A-Za-z])' : '(?![A-Z])'}`);
}

/** Finds the suffix that a text begins with. */
export function suffixAt(text: string, rules: readonly SuffixRule[]): SpelledSuffix | undefined {
  for (const { kind, template, pattern } of rules) {
    const match = pattern.exec(text);
    if (!match) continue;
    const letter = (match[1] ?? '').toUpperCase();
    return { kind, template, letter, length: match[0].length };
  }
  return undefined;
}

const CANONICAL_RULES = suffixRules([CANONICAL]);

/** Spells a canonical symbol as a vendor does. What the vendor's row lacks stays as it is. */
export function spelledFor(speller: Speller, canonical: string): string {
  const row: Spellings = VENDOR_SPELLINGS[speller];
  let rest = canonical.replace(/^[^.]+/, '');
  let text = canonical.slice(0, canonical.length - rest.length);
  while (rest) {
    const suffix = suffixAt(rest, CANONICAL_RULES);
    if (!suffix) return text + rest;
    const template = row[suffix.kind] ?? suffix.template;
    text += template.replace('@', suffix.letter).replace('%', suffix.letter.toLowerCase());
    rest = rest.slice(suffix.length);
  }
  return text;
}
