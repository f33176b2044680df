/** Lists of symbols in requests. */

import { z } from 'zod';
import { ParameterError, SymbolFaultError } from '../../base/errors.ts';
import { quoted } from '../../base/quoted.ts';
import { canonicalSymbol } from '../../base/symbols.ts';

export function bodySymbolsField(symbolsMax: number) {
  const rule = `must be a list of 1 to ${symbolsMax} symbols`;
  const item = z.string({ error: 'must be a symbol' }).min(1, { error: 'must be a symbol' });
  return z.array(item, { error: rule }).min(1, { error: rule }).max(symbolsMax, { error: rule });
}

/** Returns the distinct canonical symbols in the given order. @throws {ParameterError} */
export function canonicalSymbols(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text, i) => listedSymbol(text, `symbols.${i}`, 'a symbol')))];
}

/** Returns a symbol of a list in canonical form. @throws {ParameterError} */
export function listedSymbol(text: string, field: string, wanted: string): string {
  try {
    return canonicalSymbol(text, 'any', field);
  } catch (cause) {
    if (cause instanceof SymbolFaultError) throw cause;
    throw new ParameterError(field, `${field} must be ${wanted}, got ${quoted(text)}`, { cause });
  }
}
