/** The option `--symbols` of exports. */

import { asOfUniverse, universeOfList } from '../../api/responses/symbols.ts';
import { knownUniverse, membersInWindow } from '../../api/responses/universes.ts';
import type { CandleWindow } from '../../api/routes/candles/series.ts';
import { firstNames } from '../../api/routes/candles/symbols.ts';
import { ParameterError } from '../../base/errors.ts';
import { type BarsSnapshot, isWhole } from '../../store/arrow/snapshot/snapshot.ts';

const NO_WINDOW = { fromUs: undefined, toUs: undefined };

/**
 * Returns the current symbols of known names, each once, or of the members of a universe.
 *
 * @param window Days of which any makes a member; by default all.
 * @param isLatest True if without a start only the last day counts.
 */
export function knownSymbols(
  version: BarsSnapshot,
  names: readonly string[],
  window: Pick<CandleWindow, 'fromUs' | 'toUs'> = NO_WINDOW,
  isLatest = false,
): string[] {
  const universe = universeOfList(names[0]);
  if (universe !== undefined) {
    if (!isWhole(version)) throw asOfUniverse('--as-of', universe);
    return membersInWindow(version, knownUniverse(version, 'this', universe), window, isLatest);
  }
  const unknown = names.filter((name) => version.resolve(name) === undefined);
  if (unknown.length > 0) {
    throw new ParameterError('symbols', `--symbols are unknown: ${firstNames(unknown)}`);
  }
  return [...new Set(names.map((name) => version.resolve(name)!))];
}
