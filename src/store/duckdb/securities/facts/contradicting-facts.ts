import { TapeworksError } from '../../../../base/errors.ts';
import { dateFromDay } from '../../../../base/time/dates.ts';
import { foldTickers } from './fold-tickers.ts';
import {
  cutsOf,
  fromOf,
  isOfTwo,
  isWithin,
  type Place,
  STATED,
  type TickerFact,
  toOf,
} from './ticker-facts.ts';

/**
 * @throws {TapeworksError} one of the facts can't be true with the new one, whatever else is. The
 *   message has both.
 */
export function requireNoContradiction(facts: readonly TickerFact[], fact: TickerFact): void {
  const other = facts.find(
    (one) =>
      contradicts(one, fact) ||
      leavesTwice(one, fact, facts) ||
      (areTwo(one, fact) && !facts.some((two) => two !== one && isOfReuse(two, one))),
  );
  if (other) {
    throw new TapeworksError(
      `${sentenceOf(fact)} contradicts what was stated before: ${sentenceOf(other)}. ${REMEDY}`,
    );
  }
  const all = [...facts, fact];
  const places = foldTickers(all.filter(({ kind }) => kind !== 'join'));
  for (const join of all.filter(({ kind }) => kind === 'join')) {
    const twice = joinedTwice(places, join);
    if (!twice) continue;
    const [one, two] = twice.map((place) => `${place.ticker} ${spanOf(place)}`);
    const told = all.filter(
      (near) => near.kind !== 'join' && twice.some((place) => bounds(near, place)),
    );
    throw new TapeworksError(
      `${sentenceOf(join)} contradicts other facts: it would have ${one} and ${two}, since ` +
        `${told.map(sentenceOf).join(', and ')}. ${REMEDY}`,
    );
  }
}

const REMEDY = 'Take that back first with --undo, if it is wrong';

/**
 * Returns two places that a join would give one security at once, if all securities that it may
 * mean have such. One that takes a ticker later is not known yet.
 */
function joinedTwice(
  places: readonly Place[],
  { ticker, day, other, otherDay }: TickerFact,
): [Place, Place] | undefined {
  const ownersOf = (name: string, on: number | null) =>
    places.filter((one) => one.ticker === name && (on === null || isWithin(on, one)));
  const others = ownersOf(other!, otherDay);
  const pairs = ownersOf(ticker, day).flatMap(({ owner }) =>
    others.flatMap((two) => (two.owner === owner ? [] : [[owner, two.owner] as const])),
  );
  const twices = pairs.map(([one, two]) => heldTwice(places, one, two));
  return twices.includes(undefined) ? undefined : twices[0];
}

/** Finds places of two securities on the same days, if facts say of both who had them. */
export function heldTwice(
  places: readonly Place[],
  owner: number,
  otherOwner: number,
): [Place, Place] | undefined {
  const [own, others] = [owner, otherOwner].map((one) =>
    places.filter((place) => place.owner === one && place.role === 'held'),
  );
  for (const one of own) {
    const other = others.find((two) => isAtOnce(one, two));
    if (other) return [one, other];
  }
  return undefined;
}

function isAtOnce(one: Place, two: Place): boolean {
  return one.ticker !== two.ticker && fromOf(one) <= toOf(two) && fromOf(two) <= toOf(one);
}

/** Returns true if a fact says where a place begins or ends. */
function bounds(fact: TickerFact, { ticker, fromDay, toDay }: Place): boolean {
  const end = toDay === null ? null : toDay + 1;
  return cutsOf(fact).some(([cut, day]) => cut === ticker && (day === fromDay || day === end));
}

/** Returns the days of a place in words. */
function spanOf({ fromDay, toDay }: Place): string {
  const [from, to] = [fromDay, toDay].map((day) => (day === null ? null : dateFromDay(day)));
  if (from === null) return `until ${to}`;
  return to === null ? `from ${from} on` : `from ${from} to ${to}`;
}

function contradicts(a: TickerFact, b: TickerFact): boolean {
  if (a.kind === 'rename' && b.kind === 'rename' && a.day === b.day) {
    return (a.ticker === b.ticker) !== (a.other === b.other);
  }
  if (a.kind === 'assign' && b.kind === 'assign' && a.ticker === b.ticker) {
    const isOtherDay = a.otherDay !== null && b.otherDay !== null && a.otherDay !== b.otherDay;
    const isOther = a.other !== b.other || isOtherDay;
    return isOther && (touches(a, b) || touches(b, a));
  }
  if (isOfTwo(a.kind) && a.kind === b.kind && a.day === b.day) {
    if (a.ticker === b.ticker) return a.other !== b.other;
    return a.ticker === b.other && a.other === b.ticker;
  }
  return endsTwice(a, b) || endsTwice(b, a);
}

/** Returns true if the last trading day is the day before a rename of the same ticker. */
function endsTwice(a: TickerFact, b: TickerFact): boolean {
  return (
    a.kind === 'delist' && b.kind === 'rename' && a.ticker === b.ticker && a.day === b.day! - 1
  );
}

/** Days in which a ticker is not taken and left again, unless a fact says who took it. */
const TAKEN_DAYS = 7;

/** Returns true if two facts say on different days when one security left a ticker. */
function leavesTwice(a: TickerFact, b: TickerFact, all: readonly TickerFact[]): boolean {
  if (a.ticker !== b.ticker || a.source !== STATED || b.source !== STATED) return false;
  // One ticker after the other may be left by chains of renames.
  if (a.kind === 'rename' && b.kind === 'rename' && a.other !== b.other) return false;
  const [left, leftAgain] = [a, b].map(leavingDay).sort((one, other) => one - other);
  const isNear = left < leftAgain && leftAgain <= left + TAKEN_DAYS;
  return isNear && !all.some((fact) => isTaken(fact, a.ticker, left, leftAgain));
}

/** Longest time between two days that sources give one spin-off. */
const SPUN_DAYS = 30;

/**
 * Returns true if one fact joins the two securities of the other, or both are one spin-off on two
 * days; a ticker that had several owners may mean another one in each.
 */
function areTwo(a: TickerFact, b: TickerFact): boolean {
  if (a.kind === 'spinoff' && b.kind === 'spinoff' && a.ticker === b.ticker) {
    return Math.abs(a.day! - b.day!) <= SPUN_DAYS && a.day !== b.day;
  }
  const [join, one] = a.kind === 'join' ? [a, b] : [b, a];
  if (join.kind !== 'join' || !isOfTwo(one.kind)) return false;
  const isOfPair = [join.ticker, join.other].every(
    (own) => own === one.ticker || own === one.other,
  );
  return isOfPair && join.day === null && join.otherDay === null;
}

/** Returns true if a fact says that one of the tickers of another was taken or left. */
function isOfReuse(fact: TickerFact, { ticker, other }: TickerFact): boolean {
  const [first, last] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return [ticker, other!].some(
    (own) =>
      isTaken(fact, own, first, last) || (fact.ticker === own && !Number.isNaN(leavingDay(fact))),
  );
}

/** Returns the first day on which a security has the ticker of a fact no more; NaN for none. */
function leavingDay({ kind, day }: TickerFact): number {
  if (kind === 'rename') return day!;
  return kind === 'delist' ? day! + 1 : Number.NaN;
}

/** Returns true if a fact says who has a ticker between two days. */
function isTaken(
  { kind, ticker: own, other, day }: TickerFact,
  ticker: string,
  from: number,
  to: number,
): boolean {
  if (kind === 'assign' || kind === 'join') return own === ticker || other === ticker;
  const taken = kind === 'rename' ? other : own;
  const isTaking = kind === 'rename' || kind === 'part' || kind === 'spinoff';
  return isTaking && taken === ticker && from <= day! && day! <= to;
}

function touches(a: TickerFact, b: TickerFact): boolean {
  const span = { fromDay: a.day, toDay: a.endDay };
  return isWithin(b.day ?? Number.NEGATIVE_INFINITY, span);
}

/** Returns a fact in words. */
export function sentenceOf({ kind, ticker, day, endDay, other }: TickerFact): string {
  const on = day === null ? 'the first day' : dateFromDay(day);
  if (kind === 'rename') return `${ticker} became ${other} on ${on}`;
  if (kind === 'delist') {
    const into = other === null ? '' : `, taken over by ${other}`;
    return `${ticker} was traded for the last time on ${on}${into}`;
  }
  if (kind === 'part') return `${ticker} means another security from ${on} on`;
  if (kind === 'spinoff') return `${ticker} was spun off from ${other} on ${on}`;
  if (kind === 'listed') return `${ticker} was listed on ${on}`;
  if (kind === 'join') return `${ticker} and ${other} are one security`;
  const end = endDay === null ? 'now' : dateFromDay(endDay);
  return `${ticker} from ${on} to ${end} means ${other ?? 'a security of its own'}`;
}
