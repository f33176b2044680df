/** Finds the side of a bar that stamps mark, by the bars and the volume at opens and closes. */

import { bitCount } from './session-edges.ts';
import {
  type ClockOf,
  HALVES_PER_DAY,
  type HalfHour,
  type SessionProfile,
} from './session-profile.ts';

/** Side of a bar that stamps mark, by the sessions of a clock. */
export interface SideFinding {
  side: 'start' | 'end' | 'unclear';
  /** Sessions with bars, with a bar at the open, and at the close. */
  sessions: number;
  opens: number;
  closes: number;
}

/** Ratio of likelihoods that proves a side. */
const PROOF = Math.log(50);
/** Least chance of a bar beside sessions, and in files without any bar in those hours. */
const CHANCE_MIN = 0.01;
const CHANCE_NONE = 0.004;
/** Half hours before the open, from 04:00, and after the close, to 20:00. */
const EARLY_HALVES = 11;
const LATE_HALVES = 8;
/** Volume of the stamp at the open, as a part of that of the next one: none, and a first minute's. */
const OPEN_PART = { end: 1 / 3, start: 3 / 4 };
/** Volume of a minute in a session, as a multiple of one beside it, which tells them apart. */
const CONTRAST_MIN = 4;
/** Sessions whose opens, or whose closes, decide alone by their volume. */
const SESSIONS_MIN = 3;
/** Bars beside an open or a close whose density counts, and the part of them that a cut file ends in. */
const WINDOW_BARS = 29;
const CUT_PART = 0.6;

/** Half hours of a date in which whole extended hours begin and end, 04:00 to 20:00. */
const HOURS = { first: 8, last: 39 } as const;
/** Part of the minutes of such half hours, and of the dates, that show the side. */
const DENSE_PART = 0.8;
const DATES_PART = 0.9;
/** Volume of the opening minute, as a multiple of those beside it, which tells it alone. */
const SPIKE_MIN = 2;

/** Stamps of one place of all sessions, and their volume as shares of that of their dates. */
interface Place {
  count: number;
  share: number;
}

/** Bars of minutes near a place, and how many there could be. */
interface Density {
  bars: number;
  slots: number;
}

/**
 * Stamps at the end leave the open without a bar and give one at the close. Where few minutes have
 * bars, that may be chance. Where all have, the volume at the open and at the close decides.
 */
export function stampSide(profile: SessionProfile, clock: ClockOf): SideFinding {
  const places = placesOf(profile, clock);
  const { sessions, open, close } = places;
  return { side: sideOf(places), sessions, opens: open.count, closes: close.count };
}

type Places = ReturnType<typeof placesOf>;

function sideOf(places: Places): SideFinding['side'] {
  const byBars = logRatio(places);
  const byVolume = sideByVolume(places);
  const byHours = sideByHours(places);
  const [first, ...others] = [byVolume, byHours].filter((side) => side !== undefined);
  if (others.some((side) => side !== first)) return 'unclear';
  if (Math.abs(byBars) < PROOF) return first ?? 'unclear';
  const side = byBars > 0 ? 'start' : 'end';
  return first === undefined || first === side ? side : 'unclear';
}

/** Tells the side by the ends of extended hours that have a bar in all minutes. */
function sideByHours({ hours: { dates, starts, ends } }: Places): SideFinding['side'] | undefined {
  const most = dates * DATES_PART;
  if (dates === 0) return undefined;
  if (starts >= most && ends <= dates - most) return 'start';
  return ends >= most && starts <= dates - most ? 'end' : undefined;
}

/** Logarithm of how much likelier the bars are with stamps at the start than at the end. */
function logRatio({ openings, closings, open, close, ...near }: Places): number {
  const [first, last] = [chanceIn(near.first), chanceIn(near.last)];
  const before = near.early === 0 ? CHANCE_NONE : chanceIn(near.before);
  const after = near.late === 0 ? CHANCE_NONE : chanceIn(near.after);
  const atOpen = logBusy(open.count, openings, first) - logChance(open.count, openings, before);
  // Feeds may give the closing auction a bar of its own, as often as they like.
  const auctions = logUniform(close.count, closings);
  const atClose = Math.max(logChance(close.count, closings, after), auctions);
  return atOpen + atClose - logBusy(close.count, closings, last);
}

/** Logarithm of the same for a first or last minute of sessions, as busy as the others or more. */
function logBusy(count: number, of: number, chance: number): number {
  return logChance(count, of, Math.max(chance, Math.min(count / of, 1 - CHANCE_MIN) || 0));
}

function logChance(count: number, of: number, chance: number): number {
  return count * Math.log(chance) + (of - count) * Math.log(1 - chance);
}

/** Logarithm of the likelihood of so many of some, where any part of them is as likely. */
function logUniform(count: number, of: number): number {
  let sum = -Math.log(of + 1);
  for (let k = 1; k <= count; k++) sum += Math.log(k) - Math.log(of - count + k);
  return sum;
}

function chanceIn({ bars, slots }: Density): number {
  const chance = (bars + 0.5) / (slots + 1);
  return Math.min(Math.max(chance, CHANCE_MIN), 1 - CHANCE_MIN);
}

/** Tells the side by the volume at opens and closes; undefined where it tells nothing. */
function sideByVolume(places: Places): SideFinding['side'] | undefined {
  const { open, next, close, inFirst, inLast, inBefore, inAfter } = places;
  const isOpenInside = isInside(open, inFirst, inBefore);
  const isCloseInside = isInside(close, inLast, inAfter);
  if (isOpenInside !== undefined && isCloseInside !== undefined) {
    if (isOpenInside !== isCloseInside) return isOpenInside ? 'start' : 'end';
    if (open.count < SESSIONS_MIN) return undefined;
    return isOpenInside && mean(open) >= mean(next) * OPEN_PART.start ? 'start' : 'unclear';
  }
  if (open.count < SESSIONS_MIN || next.share === 0) return undefined;
  if (isOpenInside !== undefined) return isOpenInside ? 'start' : 'unclear';
  const beside = Math.max(mean(inFirst), mean(inBefore));
  const isSpike = mean(open) > beside * SPIKE_MIN && mean(open) > mean(next) * OPEN_PART.start;
  if (isSpike && beside > 0) return 'start';
  const part = mean(open) / mean(next);
  const isSteep = mean(next) > mean(inFirst) * 1.5;
  if (part < OPEN_PART.end && isSteep) return mean(close) > mean(inLast) * 1.5 ? 'end' : 'unclear';
  return undefined;
}

/** Tells if a place has the volume of a session or of hours beside it; undefined if neither shows. */
function isInside(place: Place, session: Place, beside: Place): boolean | undefined {
  if (place.count === 0 || session.share === 0 || beside.count === 0) return undefined;
  if (mean(session) < mean(beside) * CONTRAST_MIN) return undefined;
  return mean(place) > Math.sqrt(mean(session) * mean(beside));
}

function mean({ count, share }: Place): number {
  return count > 0 ? share / count : 0;
}

/** Sums the places of the sessions that have bars in their first, or their last, half hour. */
function placesOf(profile: SessionProfile, clock: ClockOf) {
  const place = (): Place => ({ count: 0, share: 0 });
  const density = (): Density => ({ bars: 0, slots: 0 });
  const sums = {
    ...{ sessions: 0, openings: 0, closings: 0, early: 0, late: 0 },
    ...{ open: place(), next: place(), close: place() },
    ...{ inFirst: place(), inLast: place(), inBefore: place(), inAfter: place() },
    ...{ first: density(), last: density(), before: density(), after: density() },
    hours: { dates: 0, starts: 0, ends: 0 },
  };
  for (const session of profile.sessions) {
    const offset = clock(session);
    const [opening, closing] = [session.open + offset, session.close + offset];
    const at = (half: number) => halfAt(profile, half);
    for (let k = 1; k <= EARLY_HALVES; k++) sums.early += at(opening - k)?.bars ?? 0;
    for (let k = 0; k < LATE_HALVES; k++) {
      sums.late += bitCount((at(closing + k)?.minutes ?? 0) & (k === 0 ? ~1 : ~0));
    }
    addHours(
      sums.hours,
      (half) => at(session.day * HALVES_PER_DAY + offset + half)?.minutes ?? 0,
      profile,
    );
    if (at(opening) !== undefined) {
      sums.openings++;
      addFirst(sums.open, at(opening));
      addNext(sums.next, at(opening));
      addOthers(sums.inFirst, at(opening));
      addOthers(sums.inBefore, at(opening - 1));
      addDensity(sums.first, presence(profile, opening, 1));
      addDensity(sums.before, presence(profile, opening, -1), true);
    }
    if (at(closing - 1) !== undefined) {
      sums.closings++;
      addFirst(sums.close, at(closing));
      addOthers(sums.inLast, at(closing - 1));
      addOthers(sums.inAfter, at(closing));
      addDensity(sums.last, presence(profile, closing, -1));
      addDensity(sums.after, presence(profile, closing, 1), true);
    }
  }
  sums.sessions = Math.max(sums.openings, sums.closings);
  return sums;
}

/** Adds a date that has bars in all minutes from 04:00 to 20:00, at both ends, and none at night. */
function addHours(
  sum: Places['hours'],
  minutesAt: (half: number) => number,
  { barsPerHalf }: SessionProfile,
): void {
  const [first, last] = [minutesAt(HOURS.first), minutesAt(HOURS.last)];
  const evening = minutesAt(HOURS.last + 1);
  const isDense = Math.min(bitCount(first), bitCount(last)) >= barsPerHalf * DENSE_PART;
  if (!isDense || minutesAt(HOURS.first - 1) !== 0 || (evening & ~1) !== 0) return;
  sum.dates++;
  sum.starts += first & 1;
  sum.ends += evening & 1;
}

/** Tells for each bar after the start of a half hour, or before it, nearest first, if it is there. */
function presence({ halves, barsPerHalf }: SessionProfile, half: number, way: 1 | -1): boolean[] {
  const step = 30 / barsPerHalf;
  return Array.from({ length: WINDOW_BARS }, (_, index) => {
    const bar = way * (index + 1);
    const own = halves.get(half + Math.floor(bar / barsPerHalf))?.minutes ?? 0;
    const place = ((bar % barsPerHalf) + barsPerHalf) % barsPerHalf;
    return ((own >>> (place * step)) & 1) === 1;
  });
}

/** @param isWhole True to count all bars that could be there; else those up to the last one. */
function addDensity(sum: Density, there: readonly boolean[], isWhole = false): void {
  const bars = there.filter(Boolean).length;
  const last = there.lastIndexOf(true);
  // The last one is there by definition.
  const isCut = !isWhole && last < there.length * CUT_PART;
  sum.bars += isCut ? Math.max(bars - 1, 0) : bars;
  sum.slots += isCut ? Math.max(last, 0) : there.length;
}

/** Adds the stamps at the start of a half hour. Several symbols of a file share them. */
function addFirst(sum: Place, half: SharedHalf): void {
  if (half !== undefined && half.firstBars > 0) add(sum, 1, half.firstVolume * half.unit);
}

function addNext(sum: Place, half: SharedHalf): void {
  if (half !== undefined && half.nextBars > 0) add(sum, 1, half.nextVolume * half.unit);
}

/** Adds the minutes of a half hour but the first two. */
function addOthers(sum: Place, half: SharedHalf): void {
  if (half === undefined) return;
  const volume = half.volume - half.firstVolume - half.nextVolume;
  const edges = Number(half.firstBars > 0) + Number(half.nextBars > 0);
  add(sum, bitCount(half.minutes) - edges, volume * half.unit);
}

type SharedHalf = (HalfHour & { unit: number }) | undefined;

/** A half hour with the factor from its volume to a share of its date's. */
function halfAt({ halves, shares }: SessionProfile, at: number): SharedHalf {
  const half = halves.get(at);
  if (half === undefined) return undefined;
  return { ...half, unit: half.volume > 0 ? (shares.get(at) ?? 0) / half.volume : 0 };
}

function add(sum: Place, count: number, share: number): void {
  sum.count += count;
  sum.share += share;
}
