/** Reads how prices are adjusted from a column of words: `is_adjusted`, `adjustment_type`. */

import type { Basis } from '../../../base/bars.ts';

const NAME =
  /^(?:is|price|prices|auto|bar)?adj(?:ust(?:ed|ment|ments)?)?(?:type|mode|method|basis|flag|for)?$/;

/** Words without marks, in small letters. Backward-adjusted prices (`hfq`) have no basis of ours. */
const WORDS: readonly (readonly [word: RegExp, basis: Basis | 'adjusted'])[] = [
  [/^(?:false|no|n|none|raw|un(?:adj(?:usted)?)?|not?adj(?:usted)?|actual|astraded)$/, 'raw'],
  [/^(?:true|yes|y|adj(?:usted)?)$/, 'adjusted'],
  [/^splits?(?:only|adj(?:usted)?|adjustments?)?$/, 'split'],
  [
    /^(?:all|full|qfq|totalreturn|splits?(?:and|&|\+|_)?div(?:s|idends?)?|div(?:s|idends?)?(?:and|&|\+|_)?splits?)$/,
    'all',
  ],
];

interface Table {
  header: readonly string[];
  rows: readonly (readonly string[])[];
  last: readonly string[];
}

/**
 * Returns what all rows of a sample state, and the fact; undefined where no column does. Columns of
 * numbers, such as tidyquant's `adjusted`, state nothing.
 * @param names Names of the columns, as `plainName` gives them.
 */
export function basisOfWords(
  names: readonly string[],
  { header, rows, last }: Table,
): { basis: Basis | 'adjusted'; fact: string } | undefined {
  for (const [at, name] of names.entries()) {
    if (!NAME.test(name)) continue;
    const texts = new Set([...rows, last].map((row) => (row[at] ?? '').trim()));
    const [text = ''] = texts;
    const plain = text.toLowerCase().replaceAll(/[\s_.,/-]/g, '');
    const basis = WORDS.find(([word]) => word.test(plain))?.[1];
    if (texts.size > 1 || basis === undefined) continue;
    return { basis, fact: `its column "${header[at]}" says ${text}` };
  }
  return undefined;
}
