/** Amounts as they are written for people. Pure. */

const AMOUNT = /^(\(?)([+-]?)\$?([+-]?)(\d{1,3}(?:,\d{3})+|\d+)?(\.\d+)?(\)?)$/;
const NOTHING = new Set(['', 'n/a', 'na', '-', '--']);

/**
 * `$1.42`, `-$0.12`, `($1,234.50)` (a loss); null for what says that there is none.
 *
 * @returns undefined for a text that is neither.
 */
export function amountFromText(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (NOTHING.has(trimmed.toLowerCase())) return null;
  const match = AMOUNT.exec(trimmed);
  if (!match) return undefined;
  const [, open, sign, innerSign, whole = '', fraction = '', close] = match;
  const isWhole = (open === '(') === (close === ')') && !(sign && innerSign) && whole + fraction;
  if (!isWhole) return undefined;
  const amount = Number(whole.replaceAll(',', '') + fraction);
  const isLoss = open === '(' || sign === '-' || innerSign === '-';
  return isLoss && amount !== 0 ? -amount : amount;
}
