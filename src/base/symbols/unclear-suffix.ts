/** Suffixes that vendors use for different securities. */

import type { SpelledSuffix } from './spellings.ts';

/** Classes that US securities have. Behind a hyphen, Nasdaq writes other letters for series. */
const CLASSES = 'ABCV';

/** Codes of exchanges at Reuters, where `P` may also be a preferred share. No security has them. */
const EXCHANGES = 'KNOP';

/** Letters of exchanges abroad behind a dot. No US security has them as a class. */
const ABROAD: Readonly<Record<string, string>> = { F: 'Frankfurt', L: 'London', T: 'Tokyo' };

/**
 * Returns the two meanings of a suffix behind a root; undefined for a clear one.
 * @param isStooqs True if it may be Stooq's: `BRK_B` in capitals is Quandl's class B.
 */
export function unclearMeanings(
  root: string,
  { kind, template, letter }: SpelledSuffix,
  isStooqs: boolean,
): string | undefined {
  const series = `series ${letter} of a preferred share (${root}.PR${letter})`;
  if (template === '_@' && !isStooqs && CLASSES.includes(letter)) return classOr(series);
  if (template === '.P@' && 'KQ'.includes(letter)) return `${root} over the counter or ${series}`;
  if (kind !== 'class') return undefined;
  const place = ABROAD[letter];
  if (place !== undefined)
    return template === '-@' ? `${series} or a stock of ${place}` : undefined;
  if (EXCHANGES.includes(letter)) {
    const preferred = letter === 'P' ? `a preferred share (${root}.PR)` : series;
    return `${root} with the code of an exchange or ${preferred}`;
  }
  const isNasdaqs = template === '-@' || template === '%';
  return isNasdaqs && !CLASSES.includes(letter) ? classOr(series) : undefined;

  function classOr(other: string): string {
    return `class ${letter} (${root}.${letter}) or ${other}`;
  }
}
