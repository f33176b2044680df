/** Universes in requests, found in the published data. */

import { MICROS_PER_DAY } from '../../base/bars.ts';
import type { Mode } from '../../base/config/data-dir.ts';
import { BAR_UNIVERSES, universeName } from '../../base/datasets/universes.ts';
import { HttpError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { quoted } from '../../base/quoted.ts';
import { dateFromDay, dayFromDate } from '../../base/time/dates.ts';
import {
  companyOn,
  lastDaysOfNames,
  tickerOn,
} from '../../store/arrow/snapshot/current-symbols.ts';
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

/** The row of a membership under one name. */
interface NamedRow {
  symbol: string;
  companyName: string | null;
  text: string;
}

/**
 * By the memberships of a version, the rows of each. A security has few names, and to write rows
 * again for each day would take most of the time.
 */
const keptRows = new WeakMap<Universe['rows'], NamedRow[][]>();

/** Returns what gives the row of a membership as JSON, under the names of a day. */
function rowWriter({ listings }: Snapshot, { rows, fromDays, toDays }: Universe) {
  const kept = keptRows.get(rows) ?? Array.from(rows, (): NamedRow[] => []);
  keptRows.set(rows, kept);
  return (at: number, symbol: string, day: number): string => {
    const { companyName } = companyOn(listings, rows[at], day);
    const own = kept[at];
    for (const one of own) {
      if (one.symbol === symbol && one.companyName === companyName) return one.text;
    }
    const days = { from: dateFromDay(fromDays[at]), to: dateOrNull(toDays[at]) };
    const text = JSON.stringify({ symbol, companyName, ...days });
    own.push({ symbol, companyName, text });
    return text;
  };
}

/** Returns the members of a day as JSON, by the tickers and names of the day. */
export function memberRows(snapshot: Snapshot, universe: Universe, day: number): string[] {
  const rowOf = rowWriter(snapshot, universe);
  return membersOn(snapshot, universe, day).map(({ at, symbol }) => rowOf(at, symbol, day));
}

/** Days before the newest one that are read until the code is compiled: past ones have other names. */
const WARM_DAYS = [0, 365, 1095, 2555, 5110];

/** Memberships whose rows are written in one step: some milliseconds. */
const STEP_ROWS = 1000;

/**
 * Returns what a first request of members would wait for, in steps: reading all lists, writing the
 * rows of all members under all of their names, and code that is compiled as it runs.
 */
export function universeSteps(snapshot: Snapshot): (() => unknown)[] {
  const { listings } = snapshot;
  const write = (first: number) => {
    // All universes of bars have the same memberships.
    const universe = universeNamed(snapshot, BAR_UNIVERSES[0])!;
    const rowOf = rowWriter(snapshot, universe);
    for (let at = first; at < Math.min(first + STEP_ROWS, universe.rows.length); at++) {
      const row = universe.rows[at];
      for (const day of [...lastDaysOfNames(listings, row), LAST_DAY]) {
        rowOf(at, tickerOn(listings, row, day), day);
      }
    }
  };
  const firsts: number[] = [];
  for (let at = 0; at < listings.cik.length; at += STEP_ROWS) firsts.push(at);
  return [
    () => newestBarDay(snapshot),
    () => universesOf(snapshot),
    ...firsts.map((first) => () => write(first)),
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
