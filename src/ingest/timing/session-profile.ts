/**
 * The profile of a file's sessions: which offset of its clock from New York's puts its bars into
 * sessions. Regular hours have most of the volume, and a steep rise at the open.
 */

import { MILLIS_PER_DAY } from '../../base/bars.ts';
import {
  CALENDAR_FIRST_DAY,
  CALENDAR_LAST_DAY,
  newYorkOffsetMs,
  sessionCloseMs,
  sessionOpenMs,
  sessionsBetween,
} from '../../base/time/calendar.ts';
import { weekdayFromDay } from '../../base/time/dates.ts';

/** Bars of half an hour of a file's clock. */
export interface HalfHour {
  /** Half hours from the epoch to its start, by the file's clock. */
  half: number;
  bars: number;
  volume: number;
  /** Bars and volume of the stamps at its start, and one bar later. */
  firstBars: number;
  firstVolume: number;
  nextBars: number;
  nextVolume: number;
  /** A bit for each of its minutes that has a bar of some symbol. */
  minutes: number;
}

export const HALF_HOUR_MS = 30 * 60 * 1000;
export const HALVES_PER_DAY = MILLIS_PER_DAY / HALF_HOUR_MS;

/** A session on the clocks of New York, in half hours since the epoch. */
export interface Session {
  day: number;
  open: number;
  close: number;
  /** Half hours from New York's clock to UTC. */
  toUtc: number;
  /** Days whose zones are as far apart: clocks change on other days in Europe. */
  regime: number;
}

/** Offset of a file's clock from New York's, in half hours, by session. */
export type ClockOf = (session: Pick<Session, 'toUtc' | 'open'>) => number;

export const NEW_YORK_CLOCK: ClockOf = () => 0;
export const UTC_CLOCK: ClockOf = ({ toUtc }) => toUtc;

export interface SessionProfile {
  sessions: readonly Session[];
  halves: ReadonlyMap<number, HalfHour>;
  /** Part of the volume of its date that a half hour has. */
  shares: ReadonlyMap<number, number>;
  /** Bars of a whole session. */
  barsPerHalf: number;
}

/** @param stepS Length of a bar in seconds. */
export function sessionProfile(halfHours: readonly HalfHour[], stepS: number): SessionProfile {
  const volumes = new Map<number, number>();
  for (const { half, volume } of halfHours) {
    const date = Math.floor(half / HALVES_PER_DAY);
    volumes.set(date, (volumes.get(date) ?? 0) + volume);
  }
  const shares = new Map<number, number>();
  for (const { half, volume } of halfHours) {
    const total = volumes.get(Math.floor(half / HALVES_PER_DAY)) ?? 0;
    shares.set(half, total > 0 ? volume / total : 0);
  }
  const dates = [...volumes.keys()];
  const halves = new Map(halfHours.map((halfHour) => [halfHour.half, halfHour]));
  const barsPerHalf = HALF_HOUR_MS / 1000 / stepS;
  return { sessions: sessionsOf(dates), halves, shares, barsPerHalf };
}

/**
 * Counts the bars from one half hour to before another.
 * @param isAtEnd True to count a stamp at the start of a half hour with the one before.
 */
export function barsBetween(
  { halves }: SessionProfile,
  from: number,
  to: number,
  isAtEnd = false,
): number {
  let bars = 0;
  for (let half = from; half < to; half++) bars += halves.get(half)?.bars ?? 0;
  if (!isAtEnd) return bars;
  return bars - (halves.get(from)?.firstBars ?? 0) + (halves.get(to)?.firstBars ?? 0);
}

function sessionsOf(dates: readonly number[]): Session[] {
  if (dates.length === 0) return [];
  const [first, last] = dates.reduce(
    ([least, most], date) => [Math.min(least, date), Math.max(most, date)],
    [dates[0], dates[0]],
  );
  const near = new Set(dates.flatMap((date) => [date - 1, date, date + 1]));
  const from = Math.max(first - 1, CALENDAR_FIRST_DAY);
  const to = Math.min(last + 1, CALENDAR_LAST_DAY);
  if (from > to) return [];
  return [...sessionsBetween(from, to)]
    .filter((day) => near.has(day))
    .map((day) => {
      const openMs = sessionOpenMs(day);
      const offsetMs = newYorkOffsetMs(openMs);
      const toUtc = -offsetMs / HALF_HOUR_MS;
      return {
        day,
        open: Math.floor((openMs + offsetMs) / HALF_HOUR_MS),
        close: Math.floor((sessionCloseMs(day) + offsetMs) / HALF_HOUR_MS),
        toUtc,
        regime: toUtc * 2 + (isEuropeanSummer(day) ? 1 : 0),
      };
    });
}

/** Clocks in Europe change on the last Sundays of March and October. */
function isEuropeanSummer(day: number): boolean {
  const date = new Date(day * MILLIS_PER_DAY);
  const lastSunday = (month: number) => {
    const end = Date.UTC(date.getUTCFullYear(), month + 1, 0) / MILLIS_PER_DAY;
    return end - weekdayFromDay(end);
  };
  return day >= lastSunday(2) && day < lastSunday(9);
}

/** Sums over sessions at an offset of the clock, of bars or of shares of volume. */
interface Sums {
  inside: number;
  /** The first half hour of sessions, and the one before it. */
  open: number;
  before: number;
  /** The last half hour of sessions, and the one after it. */
  close: number;
  after: number;
}

interface Fit {
  bars: Sums;
  volume: Sums;
}

function fitOf(profile: SessionProfile, sessions: readonly Session[], offset: ClockOf): Fit {
  const sums = (): Sums => ({ inside: 0, open: 0, before: 0, close: 0, after: 0 });
  const [bars, volume] = [sums(), sums()];
  const { halves, shares } = profile;
  const barsAt = (half: number) => halves.get(half)?.bars ?? 0;
  const shareAt = (half: number) => shares.get(half) ?? 0;
  // A half hour whose first bar belongs to the session is as long as one with it.
  const withoutFirst = profile.barsPerHalf / Math.max(profile.barsPerHalf - 1, 1);
  for (const session of sessions) {
    const open = session.open + offset(session);
    const close = session.close + offset(session);
    const end = halves.get(close);
    // The bar at the close may have the closing price, or the end of the last minute.
    const endBars = end?.firstBars ?? 0;
    const endShare =
      end !== undefined && end.volume > 0 ? (shareAt(close) * end.firstVolume) / end.volume : 0;
    for (let half = open; half < close; half++) {
      bars.inside += barsAt(half);
      volume.inside += shareAt(half);
    }
    bars.inside += endBars;
    bars.open += barsAt(open);
    bars.before += barsAt(open - 1);
    bars.close += barsAt(close - 1);
    bars.after += (barsAt(close) - endBars) * withoutFirst;
    volume.inside += endShare;
    volume.open += shareAt(open);
    volume.before += shareAt(open - 1);
    volume.close += shareAt(close - 1);
    volume.after += (shareAt(close) - endShare) * withoutFirst;
  }
  return { bars, volume };
}

/** Offsets of zones from New York, in half hours: whole hours, and India's. */
export const OFFSETS = [...Array.from({ length: 29 }, (_, i) => (i - 12) * 2), 19, 21];

/** Bars below this number show no profile. */
export const BARS_MIN = 60;
/** Part of the bars of a whole session that shows its clock, as a divisor. */
const DENSE = 4;
/** Sessions in a row of another clock than the others. */
const RUN_MIN = 3;

/**
 * A session has edges: a rise at the open and a fall at the close, both by `edge`. A clock that
 * lacks one of them, by `noEdge`, is wrong if another one with edges has more inside. Few bars may
 * have edges by chance: it is wrong, too, if the other has twice the volume.
 */
const VOLUME = { edge: 2, noEdge: 1.5, better: 0.95, clear: 0.9, chance: 0.5 };
const BARS = { edge: 1.3, noEdge: 1.15, better: 0.98, clear: 0.9 };

/** Returns the lesser of the rise at the open and the fall at the close, as factors. */
function edgeOf({ open, before, close, after }: Sums): number {
  return Math.min(factor(open, before), factor(close, after));
}

function factor(inside: number, outside: number): number {
  return outside > 0 ? inside / outside : inside > 0 ? Number.POSITIVE_INFINITY : 0;
}

/** Returns true if another offset explains sessions that a clock does not. */
function isBetter(found: Fit, own: Fit, part: 'better' | 'clear'): boolean {
  const hasVolume = own.volume.inside > 0 || found.volume.inside > 0;
  if (hasVolume) {
    const isSteep = edgeOf(found.volume) >= VOLUME.edge;
    const least = edgeOf(own.volume) < VOLUME.noEdge ? VOLUME[part] : VOLUME.chance;
    if (isSteep && own.volume.inside < found.volume.inside * least) return true;
    if (edgeOf(own.volume) >= VOLUME.edge) return false;
  }
  const isDense = edgeOf(found.bars) >= BARS.edge && edgeOf(own.bars) < BARS.noEdge;
  const more = found.bars.inside - own.bars.inside;
  return isDense && own.bars.inside < found.bars.inside * BARS[part] && more >= 10;
}

/** Takes the edge of the other end where bars begin after the open or end before the close. */
function withoutCuts({ bars, volume }: Fit): Fit {
  return { bars: withoutCut(bars), volume: withoutCut(volume) };
}

function withoutCut(sums: Sums): Sums {
  const { open, before, close, after } = sums;
  if (open + before === 0) return { ...sums, open: close, before: after };
  return close + after === 0 ? { ...sums, close: open, after: before } : sums;
}

/** Half hours by which another clock explains the bars better than a clock; with the first day. */
export interface BetterClock {
  halves: number;
  day: number;
  sessions: number;
}

/**
 * Finds another clock that explains the bars better, by the sessions between two changes of clocks in New York or Europe, and by runs
 * of sessions.
 * @param others Clocks that a part of the file may have, tested by each session.
 * @param isStated True if the stamps say their clock: one edge in its place is then enough.
 */
export function betterClock(
  profile: SessionProfile,
  clock: ClockOf,
  others: readonly ClockOf[],
  isStated = false,
): BetterClock | undefined {
  const { sessions } = profile;
  let total = 0;
  for (const { bars } of profile.halves.values()) total += bars;
  if (total < BARS_MIN || sessions.length === 0) return undefined;
  for (const group of Map.groupBy(sessions, ({ regime }) => regime).values()) {
    const own = ownFit(profile, group, clock, isStated);
    const better = bestOffset(profile, group, clock, { own, part: 'better' });
    if (better === undefined || better.fit.bars.inside < BARS_MIN / 2) continue;
    const { halves } = better;
    if (isStated && isOfOtherHours(profile, group, own, (one) => clock(one) + halves)) continue;
    return { halves, day: group[0].day, sessions: group.length };
  }
  return betterRun(profile, clock, others, isStated);
}

/** Returns true for bars of other hours alone whose volume shows a session on a day or two. */
function isOfOtherHours(
  profile: SessionProfile,
  sessions: readonly Session[],
  own: Fit,
  better: ClockOf,
): boolean {
  if (own.bars.inside > 0) return false;
  const shown = sessions.filter((one) => fitOf(profile, [one], better).bars.inside > 0);
  return shown.length < RUN_MIN;
}

function ownFit(
  profile: SessionProfile,
  sessions: readonly Session[],
  clock: ClockOf,
  isStated: boolean,
): Fit {
  const fit = fitOf(profile, sessions, clock);
  return isStated ? withoutCuts(fit) : fit;
}

function bestOffset(
  profile: SessionProfile,
  sessions: readonly Session[],
  clock: ClockOf,
  { own, part }: { own: Fit; part: 'better' | 'clear' },
): { halves: number; fit: Fit } | undefined {
  const ownOffset = clock(sessions[0]);
  let best: { halves: number; fit: Fit } | undefined;
  for (const offset of OFFSETS) {
    if (offset === ownOffset) continue;
    const fit = fitOf(profile, sessions, () => offset);
    if (!isBetter(fit, own, part)) continue;
    const isBest =
      best === undefined ||
      fit.volume.inside > best.fit.volume.inside ||
      (fit.volume.inside === best.fit.volume.inside && fit.bars.inside > best.fit.bars.inside);
    if (isBest) best = { halves: offset - ownOffset, fit };
  }
  return best;
}

/** Finds sessions in a row, dense ones, that another offset explains; one is enough for `others`. */
function betterRun(
  profile: SessionProfile,
  clock: ClockOf,
  others: readonly ClockOf[],
  isStated: boolean,
): BetterClock | undefined {
  let run = { halves: 0, day: 0, sessions: 0 };
  for (const session of profile.sessions) {
    const own = ownFit(profile, [session], clock, isStated);
    const least = ((session.close - session.open) * profile.barsPerHalf) / DENSE;
    const isOther = isStated && own.bars.inside === 0;
    const known = others.find((other) => isClearly(fitOf(profile, [session], other), own, least));
    if (known !== undefined && !isOther) {
      return { halves: known(session) - clock(session), day: session.day, sessions: 1 };
    }
    const better = bestOffset(profile, [session], clock, { own, part: 'clear' });
    if (better === undefined || better.fit.bars.inside < least) {
      if (own.bars.inside > 0) run = { halves: 0, day: 0, sessions: 0 };
      continue;
    }
    const isNext = run.halves === better.halves;
    run = {
      halves: better.halves,
      day: isNext ? run.day : session.day,
      sessions: (isNext ? run.sessions : 0) + 1,
    };
    if (run.sessions >= RUN_MIN) return run;
  }
  return undefined;
}

/** Returns true if a clock explains one session that has enough bars, and has more of them inside. */
function isClearly(found: Fit, own: Fit, least: number): boolean {
  const isFewer =
    own.bars.inside < found.bars.inside * BARS.clear ||
    own.volume.inside < found.volume.inside * VOLUME.clear;
  return found.bars.inside >= least && isFewer && isBetter(found, own, 'clear');
}
