/** Finds the clock of a symbol with few bars, by the half hours of days that have one. */

import {
  type BetterClock,
  type ClockOf,
  HALVES_PER_DAY,
  NEW_YORK_CLOCK,
  OFFSETS,
  type Session,
  type SessionProfile,
  UTC_CLOCK,
} from './session-profile.ts';

/** Chance that a bar is in extended hours, and that it is in none. */
const EXTENDED_CHANCE = 0.2;
const OTHER_CHANCE = 0.001;
/** Half hours of New York's date in which extended hours begin, and before which they end. */
const EXTENDED = { first: 8, last: 40 } as const;
/**
 * Least likelihood of the other clock, as a multiple: to be sure of one symbol of ten thousand, with
 * many offsets, and to be told.
 */
const LIKELIER = { sure: 1e7, told: 1e3 };
/** Part of the half hours that must lie in sessions of the other clock. */
const INSIDE_MIN = 0.95;

/**
 * Finds a clock by which nearly all half hours with bars are in sessions, where they are not by
 * another. Some bars near noon show none.
 */
export function clockOfFewBars(
  profile: SessionProfile,
  clock: ClockOf,
): (BetterClock & { isSure: boolean }) | undefined {
  const sessions = new Map(profile.sessions.map((session) => [session.day, session]));
  const own = likelihoodOf(profile, sessions, clock);
  const [first] = profile.sessions;
  if (first === undefined) return undefined;
  const clocks = [NEW_YORK_CLOCK, UTC_CLOCK, ...OFFSETS.map((offset) => () => offset)];
  const best = clocks
    .map((other) => ({ other, ...likelihoodOf(profile, sessions, other) }))
    .filter(({ inside }) => inside >= profile.halves.size * INSIDE_MIN)
    .toSorted((a, b) => b.log - a.log)[0];
  const likelier = best === undefined ? 0 : Math.exp(best.log - own.log);
  if (best === undefined || likelier < LIKELIER.told) return undefined;
  return {
    isSure: likelier >= LIKELIER.sure,
    halves: best.other(first) - clock(first),
    day: first.day,
    sessions: profile.sessions.length,
  };
}

/** Logarithm of the chance of the half hours that have bars, and their number in sessions. */
function likelihoodOf(
  { halves }: SessionProfile,
  sessions: ReadonlyMap<number, Session>,
  clock: ClockOf,
): { log: number; inside: number } {
  let [log, inside] = [0, 0];
  for (const half of halves.keys()) {
    const day = Math.floor(half / HALVES_PER_DAY);
    const near = [day, day - 1, day + 1].flatMap((at) => sessions.get(at) ?? []);
    const place = near
      .map((session) => chanceAt(half - clock(session), session))
      .toSorted((a, b) => b.chance - a.chance)[0];
    log += Math.log(place?.chance ?? OTHER_CHANCE);
    if (place?.isInside) inside++;
  }
  return { log, inside };
}

function chanceAt(half: number, { day, open, close }: Session) {
  if (half >= open && half < close) {
    return { chance: (1 - EXTENDED_CHANCE) / (close - open), isInside: true };
  }
  const time = half - day * HALVES_PER_DAY;
  const isExtended = time >= EXTENDED.first && time < EXTENDED.last;
  const others = EXTENDED.last - EXTENDED.first - (close - open);
  return { chance: isExtended ? EXTENDED_CHANCE / others : OTHER_CHANCE, isInside: false };
}
