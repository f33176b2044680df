/**
 * Converts canonical symbols to the spelling of vendors, and back. Plain tickers are the same.
 * Pure.
 */

import { OtherKindError, validOr } from '../../../base/errors.ts';
import { spelledFor } from '../../../base/symbols/spellings.ts';
import { canonicalSymbol } from '../../../base/symbols.ts';

/** `ABR.PRA` → `ABRpA`, `GIG.RT` → `GIGr`, `AMTM.WI` → `AMTMw`; classes keep their dot. */
export function massiveSymbol(canonical: string): string {
  return spelledFor('massive', canonical);
}

/** `BRK.B` → `BRK-B`, `ABR.PRA` → `ABR-P-A`. */
export function tiingoSymbol(canonical: string): string {
  return spelledFor('tiingo', canonical);
}

/** `BRK.B` → `BRK-B`, `ABR.PRA` → `ABR-PA`; without the exchange's suffix `.US`. */
export function eodhdSymbol(canonical: string): string {
  return spelledFor('eodhd', canonical);
}

/** `BRK.B` → `BRK-B`, `ABR.PRA` → `ABR-PA`; suffixes of exchanges (`WSU.DE`) stay. */
export function yahooSymbol(canonical: string): string {
  return spelledFor('yahoo', canonical);
}

/** Returns the canonical symbol of a vendor's; undefined where it is no ticker. */
export function symbolOfVendor(text: string): string | undefined {
  return validOr(() => canonicalSymbol(text), undefined);
}

/**
 * Returns true if a vendor's symbol names what is not held, such as a stock of London. Lists of all
 * markets have many; their rows are left out, not refused.
 */
export function isOtherKind(text: string): boolean {
  try {
    canonicalSymbol(text);
    return false;
  } catch (error) {
    return error instanceof OtherKindError;
  }
}
