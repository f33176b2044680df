/** Finds the side of a bar that stamps mark, by the volume at the open and the close of sessions. */

import { BARS_MIN, type ClockOf, type SessionProfile } from './session-profile.ts';

/** Side of a bar that stamps mark, by the sessions of a clock. */
export interface SideFinding {
  side: 'start' | 'end' | 'unclear';
  /** Sessions with bars in their first half hour, with a bar at the open, and at the close. */
  sessions: number;
  opens: number;
  closes: number;
}

/** Volume of the stamp at the open, as a part of that of the next one: none, and a first minute's. */
const OPEN_PART = { end: 1 / 3, start: 3 / 4 };
/** Volume of a first or last minute, as a multiple of the others of the first half hour. */
const PEAK = 1.5;
/** Volume of a minute in a session, as a multiple of one beside it, which tells them apart. */
const CONTRAST_MIN = 4;
/** Number of opens whose absence is no chance. */
const OPENS_MIN = 3;

/** Stamps of one place of all sessions, and their volume as shares of that of their dates. */
interface Place {
  count: number;
  share: number;
}

/**
 * Stamps at the end leave the open without a bar and give one at the close. Where extended hours
 * have bars at both, the open has the volume of a minute before the session, and the next stamp and
 * the close have those of the first and the last minute.
 */
export function stampSide(profile: SessionProfile, clock: ClockOf): SideFinding {
  const places = placesOf(profile, clock);
  const { sessions, open, close } = places;
  return { side: sideOf(places, profile), sessions, opens: open.count, closes: close.count };
}

function sideOf(
  { sessions, open, next, first, close, ...around }: ReturnType<typeof placesOf>,
  { halves, barsPerHalf }: SessionProfile,
): SideFinding['side'] {
  let total = 0;
  for (const { bars } of halves.values()) total += bars;
  if (total < BARS_MIN) return 'start';
  // Opens that are expected if the open is as any other stamp of the first half hour.
  const expected = first.count / Math.max(barsPerHalf - 2, 1);
  const isRegular = next.count * 2 >= sessions && close.count * 2 >= sessions;
  if (open.count === 0 && (isRegular || expected >= OPENS_MIN)) {
    return close.count > 0 ? 'end' : 'unclear';
  }
  // A quiet open has the volume of the session, or that of the minutes before it.
  const isOpenInside = isInside(open, first, around.before);
  const isCloseInside = isInside(close, around.last, around.after);
  if (isOpenInside === false) return isCloseInside ? 'end' : 'unclear';
  if (close.count === 0) return 'start';
  const usual = mean(first);
  const isPeak = (place: Place) => place.count > 0 && mean(place) > usual * PEAK;
  const part = next.share > 0 ? open.share / next.share : 1;
  if (isPeak(close) && isPeak(next) && part < OPEN_PART.end) return 'end';
  if (isPeak(open) && part >= OPEN_PART.start) return 'start';
  const isUnclear = isPeak(close) && isPeak(next) && !isOpenInside;
  return isUnclear || (open.count === 0 && isCloseInside) ? 'unclear' : 'start';
}

/** Tells if a place has the volume of a session or of hours beside it; undefined if neither shows. */
function isInside(place: Place, session: Place, beside: Place): boolean | undefined {
  if (place.count === 0 || session.share === 0) return undefined;
  if (beside.count === 0) return true;
  if (mean(session) < mean(beside) * CONTRAST_MIN) return undefined;
  return mean(place) > Math.sqrt(mean(session) * mean(beside));
}

function mean({ count, share }: Place): number {
  return count > 0 ? share / count : 0;
}

/** Sums the places of the sessions that have bars in their first half hour. */
function placesOf(profile: SessionProfile, clock: ClockOf) {
  const place = (): Place => ({ count: 0, share: 0 });
  const [open, next, first, close] = [place(), place(), place(), place()];
  const [before, last, after] = [place(), place(), place()];
  let sessions = 0;
  for (const session of profile.sessions) {
    const at = (half: number) => halfAt(profile, half + clock(session));
    const opening = at(session.open);
    if (opening === undefined) continue;
    sessions++;
    addFirst(open, opening);
    add(next, opening.nextBars > 0 ? 1 : 0, opening.nextVolume * opening.unit);
    addOthers(first, opening);
    addFirst(close, at(session.close));
    addOthers(before, at(session.open - 1));
    addOthers(last, at(session.close - 1));
    addOthers(after, at(session.close));
  }
  return { sessions, open, next, first, close, before, last, after };
}

type SharedHalf = ReturnType<typeof halfAt>;

/** Adds the stamps at the start of a half hour. Several symbols of a file share them. */
function addFirst(sum: Place, half: SharedHalf): void {
  if (half !== undefined) add(sum, half.firstBars > 0 ? 1 : 0, half.firstVolume * half.unit);
}

/** Adds the stamps of a half hour but the first two. */
function addOthers(sum: Place, half: SharedHalf): void {
  if (half === undefined) return;
  const volume = half.volume - half.firstVolume - half.nextVolume;
  add(sum, half.bars - half.firstBars - half.nextBars, volume * half.unit);
}

/** A half hour with the factor from its volume to a share of its date's. */
function halfAt({ halves, shares }: SessionProfile, at: number) {
  const half = halves.get(at);
  if (half === undefined) return undefined;
  return { ...half, unit: half.volume > 0 ? (shares.get(at) ?? 0) / half.volume : 0 };
}

function add(sum: Place, count: number, share: number): void {
  sum.count += count;
  sum.share += share;
}
