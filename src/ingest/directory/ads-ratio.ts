/** Reads for how many ordinary shares a receipt stands, from the name of a security. */

const WORDS = [
  ...['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
  ...['eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen'],
  ...['nineteen', 'twenty'],
];

const PARTS = ['half', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];
const QUARTER = 'quarter';

const NUMBER = `\\d+(?:\\.\\d+)?|${WORDS.join('|')}`;
const PART = `1/\\d+(?:th|rd|nd)?|one[- ](?:${[...PARTS, QUARTER].join('|')})`;

/** Preferred shares and interests in them are no ordinary shares. */
const REPRESENTING = new RegExp(
  `\\brepresent(?:s|ing)?\\s+(?:the right to receive\\s+)?(?:an?\\s+)?(${PART}|${NUMBER})` +
    '(?:\\s+\\(\\d+\\))?(?:\\s+of)?(?:\\s+an?)?(?:\\s+shares? of)?(?:\\s+class [a-z])?\\s+' +
    '(?:ordinary|common|equity|class [a-z]) (?:shares?|stock)',
  'i',
);

/**
 * Returns ordinary shares per receipt: `each representing five Ordinary Shares` is 5; undefined
 * where the name does not say so.
 */
export function adsRatioFromName(name: string): number | undefined {
  const words = REPRESENTING.exec(name.replace(/\s+/g, ' '))?.[1].toLowerCase();
  if (words === undefined) return undefined;
  const part = /^one[- ](.+)$/.exec(words)?.[1];
  if (part !== undefined) return 1 / (part === QUARTER ? 4 : PARTS.indexOf(part) + 2);
  const fraction = /^1\/(\d+)/.exec(words)?.[1];
  if (fraction !== undefined) return Number(fraction) > 0 ? 1 / Number(fraction) : undefined;
  const place = WORDS.indexOf(words);
  const ratio = place === -1 ? Number(words) : place + 1;
  return ratio > 0 ? ratio : undefined;
}
