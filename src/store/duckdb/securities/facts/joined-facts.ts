/** Renames that follow from a join and the days of bars: each day has the ticker of its bars. Pure. */

import { type HolderPair, keyOf, type PlacedBars, type Run } from './join-pairs.ts';
import { type Place, STATED, type TickerFact } from './ticker-facts.ts';

/** Days of bars of one ticker of a joined security. */
interface Stretch {
  ticker: string;
  key: string;
  /** Last day of the place of the ticker; null: open. */
  toDay: number | null;
  first: number;
  last: number;
}

/** Returns what pairs of securities that are one give: renames, and days under a left ticker. */
export function factsOfPairs(pairs: readonly HolderPair[], placed: PlacedBars): TickerFact[] {
  const { places } = placed;
  return groupsOf(pairs).flatMap((keys) => {
    const runs = placed.runs.filter((run) => isNaming(run, placed) && keys.has(keyOf(run, places)));
    const stretches = stretchesOf(runs, places);
    const renames = stretches.slice(1).flatMap((next, i) => renameOf(stretches[i], next));
    return [...renames, ...unions(runs, stretches, places), ...tails(runs, stretches, places)];
  });
}

function groupsOf(pairs: readonly HolderPair[]): Set<string>[] {
  let groups: Set<string>[] = [];
  for (const pair of pairs) {
    const keys = new Set(pair.map(({ key }) => key));
    const met = groups.filter((group) => !group.isDisjointFrom(keys));
    groups = groups.filter((group) => !met.includes(group));
    groups.push(met.reduce((all, group) => all.union(group), keys));
  }
  return groups;
}

/** Returns true for bars under the ticker that their security had then. */
function isNaming({ place }: Run, { places }: PlacedBars): boolean {
  return !['late', 'given'].includes(places[place].role);
}

/**
 * Returns whose bars name each day, in order of time. Of two tickers with bars on the same days, it
 * is the one that ends first: the other may list the whole past of who has it by now.
 */
function stretchesOf(runs: readonly Run[], places: readonly Place[]): Stretch[] {
  const ordered = runs.toSorted(
    (a, b) =>
      a.last - b.last ||
      b.first - a.first ||
      (places[a.place].ticker < places[b.place].ticker ? -1 : 1),
  );
  const stretches: Stretch[] = [];
  for (const run of ordered) {
    const { ticker, toDay } = places[run.place];
    const free = stretches.reduce(without, [{ first: run.first, last: run.last }]);
    stretches.push(...free.map((days) => ({ ticker, toDay, key: keyOf(run, places), ...days })));
  }
  return stretches.sort((a, b) => a.first - b.first);
}

interface Days {
  first: number;
  last: number;
}

function without(all: readonly Days[], taken: Days): Days[] {
  return all.flatMap(({ first, last }) =>
    [
      { first, last: Math.min(last, taken.first - 1) },
      { first: Math.max(first, taken.last + 1), last },
    ].filter((days) => days.first <= days.last),
  );
}

/** Other facts name the change between tickers of one security, or say that the first one ended. */
function renameOf(before: Stretch, { ticker: other, key, first: day }: Stretch): TickerFact[] {
  const { ticker, toDay } = before;
  if (before.key === key || ticker === other || (toDay !== null && toDay < day - 1)) return [];
  return [{ kind: 'rename', ticker, day, endDay: null, other, otherDay: null, source: STATED }];
}

/** Joins the securities themselves, each by a day on which it has a ticker. */
function unions(
  runs: readonly Run[],
  stretches: readonly Stretch[],
  places: readonly Place[],
): TickerFact[] {
  const days = new Map<string, { ticker: string; day: number }>();
  for (const { key, ticker, first: day } of stretches) {
    if (!days.has(key)) days.set(key, { ticker, day });
  }
  for (const run of runs) {
    const key = keyOf(run, places);
    const { ticker } = places[run.place];
    if (!days.has(key)) days.set(key, { ticker, day: run.first });
  }
  const all = [...days.values()];
  return all.slice(1).map(({ ticker: other, day: otherDay }, i): TickerFact => {
    return { kind: 'join', ...all[i], endDay: null, other, otherDay, source: STATED };
  });
}

/** Gives bars under a ticker that was left to who left it, as far as they go on. */
function tails(
  runs: readonly Run[],
  stretches: readonly Stretch[],
  places: readonly Place[],
): TickerFact[] {
  return [...Map.groupBy(runs, ({ place }) => places[place].ticker)].flatMap(([ticker, own]) => {
    const named = stretches.findLast((one) => one.ticker === ticker);
    const endDay = Math.max(...own.map(({ last }) => last));
    const next = named && stretches.find(({ first }) => first > named.last);
    if (!next || endDay < next.first) return [];
    const { ticker: other, first: day } = next;
    return [{ kind: 'assign', ticker, day, endDay, other, otherDay: day, source: STATED }];
  });
}
