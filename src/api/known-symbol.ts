import type { Mode } from '../data-dir.ts';
import { HttpError } from '../errors.ts';
import { quoted } from '../quoted.ts';
import type { Snapshot } from '../store/serving/snapshot.ts';
import { canonicalSymbol } from '../symbols.ts';

/**
 * The current symbol that a path means: any vendor's spelling, a former ticker too.
 *
 * @throws {ParameterError} it can be no symbol.
 * @throws {HttpError} 404: the mode's published data knows no such symbol.
 */
export function knownSymbol(snapshot: Snapshot, mode: Mode, text: string): string {
  const canonical = canonicalSymbol(text);
  const symbol = snapshot.resolve(canonical);
  if (symbol === undefined) {
    throw new HttpError(404, `Unknown symbol ${quoted(canonical)} in ${mode} data`);
  }
  return symbol;
}
