/** Universes of a version: members of indexes and lists by day, and those that follow from bars. */

import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import { BAR_UNIVERSES } from '../../../base/datasets/universes.ts';
import { limits } from '../../../base/limits.ts';
import { isTestIssue } from '../../../base/symbols/test-issues.ts';
import { dayFromDate } from '../../../base/time/dates.ts';
import { NULL_INT } from '../format/batch-layout.ts';
import { EVERYTHING } from '../lists/specs.ts';
import { companyOn, keepApart, lastDaysOfNames, tickerOn } from './current-symbols.ts';
import { listedRows } from './directory-table.ts';
import { marketDayOf } from './market-day.ts';
import type { Snapshot } from './snapshot.ts';

/** End of a membership that has none. */
export const OPEN_DAY = 2147483647;

/** Memberships of a universe, one or more of a security. */
export class Universe {
  readonly name: string;
  readonly title: string;
  /** By membership: directory row, and the days, inclusive; `OPEN_DAY` without an end. */
  readonly rows: Int32Array;
  readonly fromDays: Int32Array;
  readonly toDays: Int32Array;
  #byRow: Map<number, number[]> | undefined;

  /** @param spans In the order of rows: answers are nearly sorted then, and cost a tenth. */
  constructor(
    { name, title }: Pick<Universe, 'name' | 'title'>,
    { rows, fromDays, toDays }: Pick<Universe, 'rows' | 'fromDays' | 'toDays'>,
  ) {
    this.name = name;
    this.title = title;
    this.rows = rows;
    this.fromDays = fromDays;
    this.toDays = toDays;
  }

  /** Returns the memberships of a day. */
  on(day: number): number[] {
    return this.between(day, day);
  }

  /** Returns the memberships with any day from `fromDay` to `toDay`. */
  between(fromDay: number, toDay: number): number[] {
    const found: number[] = [];
    for (let at = 0; at < this.rows.length; at++) {
      if (this.fromDays[at] <= toDay && this.#endOf(at) >= fromDay) found.push(at);
    }
    return found;
  }

  /** Returns true if a membership counts on a day. */
  isOn(at: number, day: number): boolean {
    return this.fromDays[at] <= day && day <= this.#endOf(at);
  }

  /** Returns true if the security of a directory row is a member on a day. */
  has(row: number, day: number): boolean {
    if (!this.#byRow) {
      this.#byRow = new Map();
      for (const [at, of] of this.rows.entries()) {
        const known = this.#byRow.get(of);
        if (known) known.push(at);
        else this.#byRow.set(of, [at]);
      }
    }
    const own = this.#byRow.get(row) ?? [];
    return own.some((at) => this.isOn(at, day));
  }

  /** All securities that ever had bars stay in `all`. */
  #endOf(at: number): number {
    return this.name === 'all' ? OPEN_DAY : this.toDays[at];
  }
}

/** By directory, which versions share while it is the same, what was read last. */
class Kept<T> {
  readonly #known = new WeakMap<Snapshot['listings'], { key: string; value: T }>();

  get({ listings }: Snapshot, key: string, read: () => T): T {
    const before = this.#known.get(listings);
    if (before?.key === key) return before.value;
    const value = read();
    this.#known.set(listings, { key, value });
    return value;
  }
}

const keptSpans = new Kept<BarSpans>();
const keptListed = new Kept<readonly Universe[]>();

/** Returns all universes of a version, ascending by name. */
export function universesOf(snapshot: Snapshot): Universe[] {
  const { universes } = spansOf(snapshot);
  return [...universes, ...listedUniverses(snapshot)].sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function universeNames(snapshot: Snapshot): string[] {
  return [...BAR_UNIVERSES, ...listedUniverses(snapshot).map(({ name }) => name)].sort();
}

export function universeNamed(snapshot: Snapshot, name: string): Universe | undefined {
  const isOfBars = (BAR_UNIVERSES as readonly string[]).includes(name);
  const universes = isOfBars ? spansOf(snapshot).universes : listedUniverses(snapshot);
  return universes.find((one) => one.name === name);
}

/** Returns the newest day of the market; undefined without bars. */
export function newestBarDay(snapshot: Snapshot): number | undefined {
  return spansOf(snapshot).newestDay;
}

const TITLES = {
  all: 'With bars by the day',
  active: 'Traded on the day',
} as const;

interface BarSpans {
  universes: readonly Universe[];
  newestDay: number | undefined;
}

/** Returns the days from first to last bar of each security with bars. */
function spansOf(snapshot: Snapshot): BarSpans {
  return keptSpans.get(snapshot, snapshot.id, () => readSpans(snapshot));
}

function readSpans(snapshot: Snapshot): BarSpans {
  const { listings } = snapshot;
  const count = listings.symbol.length;
  const [rows, fromDays, toDays] = [0, 0, 0].map(() => new Int32Array(count));
  let length = 0;
  for (const [row, symbol] of listings.symbol.entries()) {
    const days = isTestIssue(symbol) ? undefined : snapshot.barDays(symbol);
    if (!days) continue;
    const [firstDay, lastDay] = days;
    rows[length] = row;
    fromDays[length] = firstDay;
    toDays[length++] = lastDay;
  }
  const symbols = Array.from(rows.subarray(0, length), (row) => listings.symbol[row]);
  const newestDay = marketDayOf(snapshot, symbols, toDays.subarray(0, length));
  for (let at = 0; at < length; at++) {
    const delisted = listings.delistedOn[rows[at]];
    if (delisted !== NULL_INT) toDays[at] = delisted;
    else if (toDays[at] >= newestDay! - limits.symbols.activeDays) toDays[at] = OPEN_DAY;
  }
  const spans = {
    rows: rows.subarray(0, length),
    fromDays: fromDays.subarray(0, length),
    toDays: toDays.subarray(0, length),
  };
  const universes = BAR_UNIVERSES.map((name) => new Universe({ name, title: TITLES[name] }, spans));
  return { universes, newestDay };
}

interface MemberRow {
  index: string;
  title: string;
  symbol: string;
  to: string | null;
}

/** Returns the universes that files state; a delisted security is a member up to its last day. */
function listedUniverses(snapshot: Snapshot): readonly Universe[] {
  return keptListed.get(snapshot, snapshot.listsId, () => readListed(snapshot));
}

function readListed(snapshot: Snapshot): Universe[] {
  const { listings } = snapshot;
  const rowOf = listedRows(listings);
  const list = snapshot.list('members', EVERYTHING);
  const rows = list.page(undefined, list.count).map(({ json, timestampMs }) => ({
    ...(JSON.parse(json) as MemberRow),
    fromDay: timestampMs / MILLIS_PER_DAY,
  }));
  return [...Map.groupBy(rows, ({ index }) => index)].map(([name, of]) => {
    const spans = of.flatMap(({ symbol, fromDay, to }): [number, number, number][] => {
      const row = rowOf.get(symbol);
      if (row === undefined) return [];
      const delisted = listings.delistedOn[row];
      const lastDay = delisted === NULL_INT ? OPEN_DAY : delisted;
      // A check of each date would take most of the time.
      const toDay = to === null ? OPEN_DAY : Date.parse(to) / MILLIS_PER_DAY;
      return [[row, fromDay, Math.min(toDay, lastDay)]];
    });
    spans.sort(([a], [b]) => a - b);
    const columns = {
      rows: Int32Array.from(spans, ([row]) => row),
      fromDays: Int32Array.from(spans, ([, fromDay]) => fromDay),
      toDays: Int32Array.from(spans, ([, , toDay]) => toDay),
    };
    return new Universe({ name, title: of[0].title }, columns);
  });
}

/** A member of a universe, as it was called on some days. */
export interface Member {
  /** Number of the membership in its universe. */
  at: number;
  symbol: string;
  companyName: string | null;
  /** Directory row. */
  row: number;
  /** The member in a response, once it was written. */
  json?: string;
}

/** A membership under one ticker and company name, and the days of these. */
interface NamedMembership extends Member {
  fromDay: number;
  toDay: number;
}

/** A day after all others that has a date, as names of the day are looked up by date. */
export const LAST_DAY = dayFromDate('9999-12-31');

/** By memberships, which `all` and `active` share. */
const keptNames = new WeakMap<Universe['rows'], readonly NamedMembership[]>();

/** Returns the memberships of a universe under all of their names, ascending by ticker. */
export function namedMemberships({ listings }: Snapshot, { rows }: Universe) {
  const known = keptNames.get(rows);
  if (known) return known;
  const [present, former]: NamedMembership[][] = [[], []];
  for (const [at, row] of rows.entries()) {
    const lastDays = new Set(lastDaysOfNames(listings, row)).add(LAST_DAY);
    let fromDay = Number.NEGATIVE_INFINITY;
    for (const toDay of [...lastDays].sort((a, b) => a - b)) {
      const symbol = tickerOn(listings, row, toDay);
      const { companyName } = companyOn(listings, row, toDay);
      const group = symbol === listings.symbol[row] ? present : former;
      group.push({ at, symbol, companyName, row, fromDay, toDay });
      fromDay = toDay + 1;
    }
  }
  const named = mergedMembers(present, former.sort(bySymbol));
  keptNames.set(rows, named);
  return named;
}

/** Returns the members of a day, ascending by the tickers that they had then. */
export function membersOn(snapshot: Snapshot, universe: Universe, day: number): Member[] {
  const found: Member[] = namedMemberships(snapshot, universe).filter(
    ({ at, fromDay, toDay }) => fromDay <= day && day <= toDay && universe.isOn(at, day),
  );
  const isShared = found.some(({ symbol }, i) => symbol === found[i + 1]?.symbol);
  return isShared ? membersApart(snapshot, found, day) : found;
}

/** Returns members of which some share a ticker, under a name of their own each. */
function membersApart({ listings }: Snapshot, found: readonly Member[], day: number): Member[] {
  const rows = found.map(({ row }) => row);
  const symbols = rows.map((row) => listings.symbol[row]);
  const names = found.map(({ symbol }) => symbol);
  keepApart(listings, names, { symbols, rows }, day);
  const [same, others]: Member[][] = [[], []];
  for (const [i, { at, row, symbol, companyName }] of found.entries()) {
    if (names[i] === symbol) same.push(found[i]);
    else others.push({ at, row, symbol: names[i], companyName });
  }
  return mergedMembers(same, others.sort(bySymbol));
}

const bySymbol = (a: Member, b: Member) => (a.symbol < b.symbol ? -1 : 1);

/** Merges sorted members; to sort them together would take half of an answer's time. */
function mergedMembers<T extends Member>(some: readonly T[], others: readonly T[]): T[] {
  const merged: T[] = [];
  let next = 0;
  for (const one of some) {
    while (next < others.length && others[next].symbol < one.symbol) merged.push(others[next++]);
    merged.push(one);
  }
  for (; next < others.length; next++) merged.push(others[next]);
  return merged;
}

/** Returns the present symbols of the members of any of some days, ascending, each once. */
export function symbolsBetween(
  { listings }: Pick<Snapshot, 'listings'>,
  universe: Universe,
  { fromDay, toDay }: { fromDay: number; toDay: number },
): string[] {
  const rows = universe.between(fromDay, toDay).map((at) => universe.rows[at]);
  return [...new Set(rows)].sort((a, b) => a - b).map((row) => listings.symbol[row]);
}
