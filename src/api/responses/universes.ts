/** Universes in requests, found in the published data. */

import { MICROS_PER_DAY } from '../../base/bars.ts';
import type { Mode } from '../../base/config/data-dir.ts';
import { BAR_UNIVERSES, universeName } from '../../base/datasets/universes.ts';
import { HttpError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { quoted } from '../../base/quoted.ts';
import { dateFromDay, dayFromDate } from '../../base/time/dates.ts';
import { companyOn } from '../../store/arrow/snapshot/current-symbols.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import {
  membersOn,
  newestBarDay,
  OPEN_DAY,
  symbolsBetween,
  type Universe,
  universeNamed,
  universeNames,
  universesOf,
} from '../../store/arrow/snapshot/universes.ts';

/**
 * Finds a universe by its name, in any spelling.
 *
 * @throws {HttpError} 404: the published data of the mode does not have it.
 */
export function knownUniverse(snapshot: Snapshot, mode: Mode | 'this', text: string): Universe {
  const found = universeNamed(snapshot, universeName(text));
  if (found) return found;
  const nearest = nearestName(text, universeNames(snapshot));
  const advice = nearest === undefined ? '' : `: did you mean ${nearest}?`;
  throw new HttpError(404, `Unknown universe ${quoted(text)} in ${mode} data${advice}`);
}

/** A day after all others that has a date, as names of the day are looked up by date. */
const LAST_DAY = dayFromDate('9999-12-31');

/** Returns the day that a request without one means. */
export function newestDayOf(snapshot: Snapshot): number {
  // Without any bar only the members without an end are left.
  return newestBarDay(snapshot) ?? LAST_DAY;
}

export const dateOrNull = (day: number) => (day === OPEN_DAY ? null : dateFromDay(day));

/** By the memberships of a version, the row of each member under its present name. */
const presentRows = new WeakMap<Universe['rows'], string[]>();

/**
 * Returns the members of a day as JSON, by the tickers and names of the day. Most have the same row
 * on each of their days, which is kept: to write them again would take most of the time.
 */
export function memberRows(snapshot: Snapshot, universe: Universe, day: number): string[] {
  const { listings } = snapshot;
  const kept = presentRows.get(universe.rows) ?? [];
  presentRows.set(universe.rows, kept);
  return membersOn(snapshot, universe, day).map(({ at, symbol, row, fromDay, toDay }) => {
    const isPresent = symbol === listings.symbol[row] && listings.formerNames[row] === '';
    if (isPresent && kept[at] !== undefined) return kept[at];
    const { companyName } = companyOn(listings, row, day);
    const days = { from: dateFromDay(fromDay), to: dateOrNull(toDay) };
    const text = JSON.stringify({ symbol, companyName, ...days });
    if (isPresent) kept[at] = text;
    return text;
  });
}

/**
 * Returns what a first request of members would wait for, in steps: reading all lists, and code that
 * is compiled as it runs.
 */
export function universeSteps(snapshot: Snapshot): (() => unknown)[] {
  return [
    () => newestBarDay(snapshot),
    () => universesOf(snapshot),
    ...BAR_UNIVERSES.map((name) => () => {
      memberRows(snapshot, universeNamed(snapshot, name)!, newestDayOf(snapshot));
    }),
  ];
}

/** Returns an id that changes when any universe may. */
export function universesId({ id, listsId }: Snapshot): string {
  return `${id} ${listsId}`;
}

/** Window of a request, in microseconds. */
interface BarWindow {
  fromUs: bigint | undefined;
  toUs: bigint | undefined;
}

/**
 * Returns the present symbols of all that were members on any day of a window.
 *
 * @param isLatest True if without a start only the last day counts.
 */
export function membersInWindow(
  snapshot: Snapshot,
  universe: Universe,
  { fromUs, toUs }: BarWindow,
  isLatest = false,
): string[] {
  const dayOf = (us: bigint) => Number(us / MICROS_PER_DAY);
  const lastDay = toUs === undefined ? newestDayOf(snapshot) : dayOf(toUs);
  const firstDay = isLatest ? lastDay : Number.NEGATIVE_INFINITY;
  const fromDay = fromUs === undefined ? firstDay : dayOf(fromUs);
  return symbolsBetween(snapshot, universe, { fromDay, toDay: lastDay });
}
