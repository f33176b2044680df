/**
 * Converts canonical symbols to the spelling of vendors, and back. Plain tickers are the same.
 * Pure.
 */

import { OtherKindError, validOr } from '../../../base/errors.ts';
import { canonicalSymbol } from '../../../base/symbols.ts';

/** `ABR.PRA` → `ABRpA`, `GIG.RT` → `GIGr`, `AMTM.WI` → `AMTMw`; classes keep their dot. */
export function massiveSymbol(canonical: string): string {
  return canonical
    .replace(/\.PR([A-Z]?)(?=\.|$)/, 'p$1')
    .replace(/\.RT\.WI$/, 'rw')
    .replace(/\.RT$/, 'r')
    .replace(/\.WI$/, 'w');
}

/** `BRK.B` → `BRK-B`, `ABR.PRA` → `ABR-P-A`. */
export function tiingoSymbol(canonical: string): string {
  return canonical.replace(/\.PR([A-Z])/, '-P-$1').replaceAll('.', '-');
}

/** `BRK.B` → `BRK-B`, `ABR.PRA` → `ABR-PA`; without the exchange's suffix `.US`. */
export function eodhdSymbol(canonical: string): string {
  return canonical.replace(/\.PR/, '-P').replaceAll('.', '-');
}

/** `BRK.B` → `BRK-B`, `ABR.PRA` → `ABR-PA`; suffixes of exchanges (`WSU.DE`) stay. */
export function yahooSymbol(canonical: string): string {
  return canonical
    .replace(/\.PR([A-Z]?)$/, '-P$1')
    .replace(/\.WS(?:\.([A-Z]))?$/, '-WT$1')
    .replace(/\.U$/, '-UN')
    .replace(/\.RT$/, '-RI')
    .replace(/\.(WI|[A-Z])$/, '-$1');
}

/** Returns the canonical symbol of a vendor's; undefined where it is no ticker. */
export function symbolOfVendor(text: string, form: 'any' | 'nasdaq' = 'any'): string | undefined {
  return validOr(() => canonicalSymbol(text, form), undefined);
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
