/** Numbers of a sample's cells; undefined for other texts. */

import { splitFromText } from '../../values/split-text.ts';

/** Reads `51.5`, `$51.50` and `1,051.50`. */
export function numberFromCell(text = ''): number | undefined {
  const plain = text.trim().replace(/^\$/, '').replaceAll(',', '');
  const value = Number(plain);
  return plain === '' || !Number.isFinite(value) ? undefined : value;
}

/** Reads a split: `4`, `4:1`, `4-for-1`; undefined for the 0 and 1 of days without one. */
export function ratioFromCell(text = ''): number | undefined {
  const shares = splitFromText(text.trim());
  const ratio = shares && shares.numerator / shares.denominator;
  return ratio === 1 ? undefined : ratio;
}
