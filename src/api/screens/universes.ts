/** Universes as of past days, kept for the screens that follow. */

import { ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { dateFromDay } from '../../base/time/dates.ts';
import { universeAsOf } from '../../screens/run/as-of.ts';
import type { ScreenMemory } from '../../screens/run/screen-memory.ts';
import type { ScreenUniverse } from '../../screens/run/screen-universe.ts';
import { universeOf } from '../../screens/run/universe.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';

/** By version and day; a Map iterates in order of insertion. */
const pastUniverses = new WeakMap<Snapshot, Map<number, ScreenUniverse>>();

/** @throws {ParameterError} `as_of`: the version has no bars of that time. */
export function* screenUniverse(
  snapshot: Snapshot,
  memory: ScreenMemory,
  asOfDay: number | undefined,
): Generator<void, ScreenUniverse> {
  if (asOfDay === undefined) return universeOf(snapshot);
  const known = pastUniverses.get(snapshot) ?? new Map<number, ScreenUniverse>();
  pastUniverses.set(snapshot, known);
  let universe = known.get(asOfDay);
  known.delete(asOfDay);
  universe ??= yield* universeAsOf(snapshot, memory, asOfDay);
  known.set(asOfDay, universe);
  if (known.size > limits.screenThread.pastDaysMax) known.delete(known.keys().next().value!);
  if (universe.series.length === 0 && snapshot.symbols.length > 0) {
    const date = dateFromDay(asOfDay);
    throw new ParameterError(
      'as_of',
      `as_of must not lie before the first daily bar, got "${date}"`,
    );
  }
  return universe;
}
