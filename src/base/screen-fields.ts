/**
 * Fields of a company that a screen's expression can use by name, each declared once. They have one
 * value at the moment of a screen, so an expression over earlier bars can't use them.
 */

interface ScreenField {
  kind: 'number' | 'text';
  /** Its text in the reference. */
  description: string;
}

export const SCREEN_FIELDS = {
  price: { kind: 'number', description: 'Close of the newest bar (a minute or a day).' },
  change_pct: { kind: 'number', description: 'Change since the previous session, in percent.' },
  market_cap: { kind: 'number', description: 'Price times shares outstanding.' },
  pe_ratio: {
    kind: 'number',
    description: 'Price over the diluted earnings per share of the last twelve months filed.',
  },
  dividend_yield: {
    kind: 'number',
    description: "The last year's dividends as a fraction of the price.",
  },
  days_to_earnings: {
    kind: 'number',
    description: 'Days to the next expected report; 0 on its day, null if none is known.',
  },
  symbol: { kind: 'text', description: 'Ticker.' },
  company_name: { kind: 'text', description: 'Name of the company.' },
  sector: { kind: 'text', description: 'Sector.' },
  industry: { kind: 'text', description: 'Industry.' },
  country: { kind: 'text', description: 'Two-letter country code (ISO 3166).' },
  exchange: { kind: 'text', description: 'Exchange that lists it.' },
  type: { kind: 'text', description: 'Kind of security: stock, etf and so on.' },
} as const satisfies Record<string, ScreenField>;

export type ScreenFieldName = keyof typeof SCREEN_FIELDS;

/** Returns the declaration of a field, without the literal types of `SCREEN_FIELDS`. */
export function screenField(name: ScreenFieldName): ScreenField {
  return SCREEN_FIELDS[name];
}
