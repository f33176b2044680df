/** Securities that a join may mean: a ticker may have been of several. Pure. */

import { heldTwice } from './contradicting-facts.ts';
import { isWithin, type Place, type TickerFact } from './ticker-facts.ts';

/** Days of bars on the days of a place, without a longer hole than `reuseLimits.holeDays`. */
export interface Run {
  /** Index of the place. */
  place: number;
  first: number;
  last: number;
}

/** Days between the bars of two tickers, as over a weekend with a holiday, that are no hole. */
const NEXT_DAYS = 4;

/** A security that has a ticker of a join by the other facts. */
export interface Holder {
  /** The same for the same security; days that nobody is said to have are apart. */
  key: string;
  owner: number;
  /** Bars under the ticker. */
  runs: Run[];
}

/** Two securities with bars that a join may mean, in the order of its tickers. */
export type HolderPair = readonly [Holder, Holder];

/** Places that follow from the facts but joins, with the bars on them. */
export interface PlacedBars {
  facts: readonly TickerFact[];
  places: readonly Place[];
  runs: readonly Run[];
}

/**
 * Returns the pairs that a join may mean, the likeliest first: those that follow each other most
 * closely, the first ticker before the second. A pair with a delisting between comes last, after
 * one that other facts join already.
 */
export function pairsOf({ ticker, day, other, otherDay }: TickerFact, placed: PlacedBars) {
  const others = holdersOf(other!, otherDay, placed);
  return holdersOf(ticker, day, placed)
    .flatMap((one) => others.map((two): HolderPair => [one, two]))
    .map((pair) => ({ pair, rank: rankOf(pair, placed) }))
    .sort((a, b) => compareRanks(a.rank, b.rank))
    .map(({ pair }) => pair);
}

/** Returns true if other facts say what a join says. */
export function isJoined([one, other]: HolderPair): boolean {
  return one.owner === other.owner;
}

/** Returns true if a pair had two tickers on the same days by other facts. */
export function isHeldTwice([one, other]: HolderPair, { places }: PlacedBars): boolean {
  const isPast = [one, other].some(({ key }) => key.startsWith(PAST));
  return !isPast && heldTwice(places, one.owner, other.owner) !== undefined;
}

const PAST = 'past';

/** Returns the key of the holder of a run. */
export function keyOf({ place: index }: Run, places: readonly Place[]): string {
  const { role, owner } = places[index];
  return role === 'past' ? `${PAST} ${index}` : `${owner}`;
}

function holdersOf(ticker: string, day: number | null, { places, runs }: PlacedBars): Holder[] {
  const holders = new Map<string, Holder>();
  for (const run of runs) {
    const place = places[run.place];
    if (place.ticker !== ticker || !(day === null || isWithin(day, place))) continue;
    const key = keyOf(run, places);
    const holder = holders.get(key) ?? { key, owner: place.owner, runs: [] };
    holder.runs.push(run);
    holders.set(key, holder);
  }
  return [...holders.values()];
}

function rankOf(pair: HolderPair, placed: PlacedBars): number[] {
  const [one, other] = pair.map(({ runs }) => ({
    first: Math.min(...runs.map(({ first }) => first)),
    last: Math.max(...runs.map(({ last }) => last)),
  }));
  const isAfter = other.last < one.last;
  const kind = isJoined(pair) ? 1 : 2 * Number(isEnded(pair, placed));
  const pasts = pair.filter(({ key }) => key.startsWith(PAST)).length;
  return [kind, distance(pair), Number(isAfter), pasts, -one.first, -other.first];
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((one, at) => one !== b[at]);
  return i === -1 ? 0 : a[i] - b[i];
}

function distance([{ runs }, { runs: others }]: HolderPair): number {
  const all = runs.flatMap((one) =>
    others.map((two) => Math.max(one.first - two.last, two.first - one.last)),
  );
  return Math.max(0, Math.min(...all) - NEXT_DAYS);
}

/** Returns true if one of a pair was delisted before bars of the other began. */
function isEnded([one, other]: HolderPair, { facts, places }: PlacedBars): boolean {
  return facts.some(({ kind, ticker, day }) => {
    if (kind !== 'delist') return false;
    const ended = places.find((place) => place.ticker === ticker && place.toDay === day)?.owner;
    return [
      [one, other],
      [other, one],
    ].some(([a, b]) => a.owner === ended && b.runs.some(({ first }) => first > day!));
  });
}
