/** Numbers of a sample's cells; undefined for other texts. */

/** Reads `51.5`, `$51.50` and `1,051.50`. */
export function numberFromCell(text = ''): number | undefined {
  const plain = text.trim().replace(/^\$/, '').replaceAll(',', '');
  const value = Number(plain);
  return plain === '' || !Number.isFinite(value) ? undefined : value;
}

/** Reads a split: `4`, `4:1` or `4/1`; undefined for the 0 and 1 of days without one. */
export function ratioFromCell(text = ''): number | undefined {
  const [to, from = 1, more] = text.split(/[:/]/).map(numberFromCell);
  const ratio = to === undefined || more !== undefined ? Number.NaN : to / from;
  return ratio > 0 && Number.isFinite(ratio) && ratio !== 1 ? ratio : undefined;
}
