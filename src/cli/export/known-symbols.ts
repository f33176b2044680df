/** The option `--symbols` of exports. */

import { firstNames } from '../../api/routes/candles/symbols.ts';
import { ParameterError } from '../../base/errors.ts';
import type { PublishedVersion } from '../../store/arrow/read/published-version.ts';

/** Returns the current symbols of known names, each once. */
export function knownSymbols(version: PublishedVersion, names: readonly string[]): string[] {
  const unknown = names.filter((name) => version.resolve(name) === undefined);
  if (unknown.length > 0) {
    throw new ParameterError('symbols', `--symbols are unknown: ${firstNames(unknown)}`);
  }
  return [...new Set(names.map((name) => version.resolve(name)!))];
}
