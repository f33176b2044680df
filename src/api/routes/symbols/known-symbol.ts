import type { Mode } from '../../../base/config/data-dir.ts';
import { HttpError } from '../../../base/errors.ts';
import { quoted } from '../../../base/quoted.ts';
import { canonicalSymbol } from '../../../base/symbols.ts';
import type { Snapshot } from '../../../store/arrow/snapshot/snapshot.ts';

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
