/** Universes in requests, found in the published data. */

import { MICROS_PER_DAY } from '../../base/bars.ts';
import type { Mode } from '../../base/config/data-dir.ts';
import { BAR_UNIVERSES, universeName } from '../../base/datasets/universes.ts';
import { HttpError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { quoted } from '../../base/quoted.ts';
import { dateFromDay } from '../../base/time/dates.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import {
  LAST_DAY,
  type Member,
  membersOn,
  namedMemberships,
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

/** Returns the day that a request without one means. */
export function newestDayOf(snapshot: Snapshot): number {
  // Without any bar only the members without an end are left.
  return newestBarDay(snapshot) ?? LAST_DAY;
}

export const dateOrNull = (day: number) => (day === OPEN_DAY ? null : dateFromDay(day));

/** Writes a member as JSON, once under each name: each time would take most of an answer. */
function memberText({ fromDays, toDays }: Universe, member: Member): string {
  const { at, symbol, companyName } = member;
  const days = () => ({ from: dateFromDay(fromDays[at]), to: dateOrNull(toDays[at]) });
  member.json ??= JSON.stringify({ symbol, companyName, ...days() });
  return member.json;
}

/** Returns the members of a day as JSON, by the tickers and names of the day. */
export function memberRows(snapshot: Snapshot, universe: Universe, day: number): string[] {
  return membersOn(snapshot, universe, day).map((member) => memberText(universe, member));
}

/** Days before the newest one that are read until the code is compiled: past ones have other names. */
const WARM_DAYS = [0, 365, 1095, 2555, 5110];

/** Securities whose rows are written in one step: some milliseconds. */
const STEP_ROWS = 1000;

/**
 * Returns what a first request of members would wait for, in steps: reading all lists, writing the
 * rows of all members under all of their names, and code that is compiled as it runs.
 */
export function universeSteps(snapshot: Snapshot): (() => unknown)[] {
  const parts = Math.ceil(snapshot.listings.cik.length / STEP_ROWS);
  const writePart = (part: number) => {
    // All universes of bars have the same memberships.
    const universe = universeNamed(snapshot, BAR_UNIVERSES[0])!;
    const named = namedMemberships(snapshot, universe);
    const [from, to] = [part, part + 1].map((one) => Math.ceil((one * named.length) / parts));
    for (const one of named.slice(from, to)) memberText(universe, one);
  };
  return [
    () => newestBarDay(snapshot),
    () => universesOf(snapshot),
    ...Array.from({ length: parts }, (_, part) => () => writePart(part)),
    ...WARM_DAYS.flatMap((daysBefore) =>
      BAR_UNIVERSES.map((name) => () => {
        memberRows(snapshot, universeNamed(snapshot, name)!, newestDayOf(snapshot) - daysBefore);
      }),
    ),
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
