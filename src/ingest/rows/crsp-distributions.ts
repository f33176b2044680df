/** Kinds of CRSP's distributions, by the first digit of their code. */

/** Digits behind the point of a factor. */
const PLACES = 6;

/**
 * Reads CRSP's `DISTCD` and `FACPR`, the new shares for each old one: 1 is 2:1, −0.9 is 1:10.
 * @returns undefined for liquidations, exchanges, rights and spin-offs, which are told apart by
 *   columns that files often leave out.
 */
export function crspDistribution(
  code: string,
  factor: string,
): { type: 'dividend' } | { type: 'split'; ratio: string } | undefined {
  if (/^1\d{3}$/.test(code)) return { type: 'dividend' };
  const newShares = Number(factor);
  const isSplit = /^5\d{3}$/.test(code) && factor !== '' && newShares !== 0 && newShares > -1;
  return isSplit ? { type: 'split', ratio: (1 + newShares).toFixed(PLACES) } : undefined;
}
