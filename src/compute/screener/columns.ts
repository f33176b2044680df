/** Columns of the screener: one row per symbol, ascending by symbol. */

import type { ScreenerNumber, ScreenerText } from '../../base/quote-fields.ts';

/**
 * Columns of equal length. In numbers, NaN is null. Texts are dictionary codes, of which 0 is the
 * code of null.
 */
export type ScreenerColumns = Record<ScreenerNumber, Float64Array> &
  Record<ScreenerText, Uint16Array> & {
    /** Date of the symbol's newest bar, in days since the epoch. */
    lastBarDay: Int32Array;
  };

export type SortDirection = 'asc' | 'desc';
