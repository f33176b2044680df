/** Reads for how many ordinary shares a receipt stands, from the name of a security. */

const ONES = [
  ...['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
  ...['eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen'],
  'nineteen',
];
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

const PARTS = ['half', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];
const QUARTER = 'quarter';

const WORDS = `(?:${TENS.join('|')})(?:[- ](?:${ONES.slice(0, 9).join('|')}))?|${ONES.join('|')}`;
const NUMBER = `\\d{1,3}(?:,\\d{3})+|\\d+(?:\\.\\d+)?|(?:${WORDS})(?: hundred| thousand)?`;
const PART = `1/\\d+(?:th|rd|nd)?|one[- ](?:${[...PARTS, QUARTER].join('|')})`;

const REPRESENTING = new RegExp(
  `\\brepresent(?:s|ing)?\\s+(?:the right to receive\\s+)?(?:an?\\s+)?(${PART}|${NUMBER})` +
    '(?:\\s+\\(([^)]*)\\))?(?:\\s+of)?(?:\\s+(?:an?|one))?(?:\\s+shares? of)?(?:\\s+underlying)?' +
    '(?:\\s+class(?: [a-z])?)?\\s+(?:(?:ordinary|common|equity|class [a-z]) (?:shares?|stock)|ord sh|shares?)\\b',
  'i',
);

/** Shares of another kind than a filing counts, and bundles of them. */
const OTHER_SHARES = /\b(?:prefer\w*|pfd|units?|interests?|certificates?|warrants?)\b/i;

/**
 * Returns ordinary shares per receipt: `each representing five Ordinary Shares` is 5; undefined
 * where the name does not say so, or says two numbers.
 */
export function adsRatioFromName(name: string): number | undefined {
  const [, words, digits] = REPRESENTING.exec(name.replace(/\s+/g, ' ')) ?? [];
  if (words === undefined || OTHER_SHARES.test(name)) return undefined;
  const ratio = numberFromWords(words.toLowerCase());
  if (digits !== undefined && numberFromWords(digits.toLowerCase()) !== ratio) return undefined;
  return ratio > 0 && ratio < Number.POSITIVE_INFINITY ? ratio : undefined;
}

/** Returns `2` of `two`, `0.1` of `one tenth` and `1/10`; NaN for other texts. */
function numberFromWords(words: string): number {
  const part = /^one[- ](.+)$/.exec(words)?.[1] ?? '';
  if (part === QUARTER) return 1 / 4;
  if (PARTS.includes(part)) return 1 / (PARTS.indexOf(part) + 2);
  const fraction = /^1\/(\d+)(?:th|rd|nd)?$/.exec(words)?.[1];
  if (fraction !== undefined) return 1 / Number(fraction);
  const [ones, scale = ''] = words.split(/ (?=hundred|thousand)/);
  const factor = scale === 'hundred' ? 100 : scale === 'thousand' ? 1000 : 1;
  return factor * (/^\d/.test(ones) ? Number(ones.replaceAll(',', '')) : sumOfWords(ones));
}

function sumOfWords(words: string): number {
  const values = words.split(/[- ]/).map((word) => {
    const ten = TENS.indexOf(word);
    return ten >= 0 ? 10 * (ten + 2) : ONES.indexOf(word) + 1 || Number.NaN;
  });
  return values.reduce((sum, value) => sum + value, 0);
}
