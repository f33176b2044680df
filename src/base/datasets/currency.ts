/** Currencies of amounts. Prices here are in US dollars. */

export const PRICE_CURRENCY = 'USD';

/** Parts of a unit in which exchanges quote and companies declare: 100 pence are a pound. */
const HUNDREDTHS: Readonly<Record<string, string>> = {
  GBX: 'GBP',
  GBp: 'GBP',
  GBx: 'GBP',
  ZAc: 'ZAR',
  ZAC: 'ZAR',
  ILA: 'ILS',
  ILa: 'ILS',
};

export interface Money {
  amount: number;
  /** ISO 4217; undefined for that of the prices. */
  currency?: string;
}

/**
 * Reads an amount with the currency that its source states; without one it is that of the prices.
 * @returns undefined if the text is no currency code.
 */
export function moneyFrom(amount: number, code: unknown): Money | undefined {
  const text = String(code ?? '').trim();
  const whole = HUNDREDTHS[text];
  // Rounded, as 0.9 pence are no 0.009000000000000001 pounds.
  if (whole) return { amount: Number((amount / 100).toPrecision(15)), currency: whole };
  const currency = text.toUpperCase() || PRICE_CURRENCY;
  if (!/^[A-Z]{3}$/.test(currency)) return undefined;
  return currency === PRICE_CURRENCY ? { amount } : { amount, currency };
}
