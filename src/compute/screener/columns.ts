/** What a screen looks at: one row per symbol, ascending by symbol. */

/** Columns of numbers a screen filters and sorts by. NaN is null. */
export const SCREENER_NUMBERS = [
  'price',
  'changePct',
  'volume',
  'rsi14',
  'marketCap',
  'peRatio',
  'dividendYield',
] as const;

export type ScreenerNumber = (typeof SCREENER_NUMBERS)[number];

/** Columns of dictionary codes a screen filters by; 0 is the code of a null. */
export const SCREENER_TEXTS = ['sector', 'industry', 'country', 'exchange'] as const;

export type ScreenerText = (typeof SCREENER_TEXTS)[number];

/** Columns of equal length. */
export type ScreenerColumns = Record<ScreenerNumber, Float64Array> &
  Record<ScreenerText, Uint16Array> & {
    /** Date of the symbol's own newest bar, in days since the epoch. */
    lastBarDay: Int32Array;
  };

export type SortDirection = 'asc' | 'desc';
