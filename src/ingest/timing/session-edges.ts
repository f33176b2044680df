/** Proof of a clock: bars set in at the opens of its sessions, and cease at their closes. */

import { type ClockOf, OFFSETS, type Session, type SessionProfile } from './session-profile.ts';

/** Bars on one side of an open or a close, and the shares of their dates' volume. */
interface Side {
  bars: number;
  volume: number;
}

/** Chance of a jump where there is no edge, and its least height: for a clock, and against it. */
const PROOF = { chance: 0.02, height: 2 };
const DOUBT = { chance: 0.05, height: 1.5 };
/**
 * Bars on each side whose volumes can be compared, the height of their jump, and the part of the
 * volume beside edges that another clock must have beside its own.
 */
const VOLUME = { barsMin: 8, height: 3, other: 0.5 };
/**
 * Bars in a row that begin a session, and the volume of the first as a multiple of the others': for
 * one session four times as much, because one bar of thirty is as high by chance as for many.
 */
const RUN = 2;
const PEAK = 2;
const PEAK_OF_ONE = 8;
/** Bars of a sample, which has no profile. */
const FEW_BARS = 30;

/**
 * Returns true if the sessions show both edges, or begin in a row at the very open, and those between
 * two changes of clocks in New York do, too. No other offset must have these edges.
 */
export function isProven(profile: SessionProfile, clock: ClockOf): boolean {
  const sessions = profile.sessions.filter((session) => hasBars(profile, session, clock));
  if (sessions.length === 0) return false;
  const { open, close } = edgesOf(profile, sessions, clock, PROOF);
  if (!(open && close) && !beginAtOpen(profile, sessions, clock)) return false;
  const groups = [...Map.groupBy(sessions, ({ toUtc }) => toUtc).values()];
  return groups.every((group) => isShownBy(profile, group, clock));
}

function isShownBy(profile: SessionProfile, sessions: readonly Session[], clock: ClockOf): boolean {
  const own = edgesOf(profile, sessions, clock, DOUBT);
  const isWhole = own.open && own.close;
  if (!isWhole && !beginAtOpen(profile, sessions, clock)) return false;
  const ownOffset = clock(sessions[0]);
  return OFFSETS.every((offset) => {
    if (offset === ownOffset) return true;
    const other = edgesOf(profile, sessions, () => offset, DOUBT);
    if (!isWhole) return !other.open;
    const isQuiet = own.areMany && other.volume < own.volume * VOLUME.other;
    return !(other.open && other.close) || isQuiet;
  });
}

function hasBars({ halves }: SessionProfile, session: Session, clock: ClockOf): boolean {
  const offset = clock(session);
  for (let half = session.open; half < session.close; half++) {
    if (halves.has(half + offset)) return true;
  }
  return false;
}

/** Tells which edges the sessions have at an offset, and the volume of their half hours. */
function edgesOf(
  profile: SessionProfile,
  sessions: readonly Session[],
  clock: ClockOf,
  least: typeof PROOF,
): { open: boolean; close: boolean; volume: number; areMany: boolean } {
  const [before, open, close, after]: Side[] = [-1, 0, 0, 0].map(() => ({ bars: 0, volume: 0 }));
  for (const session of sessions) {
    const offset = clock(session);
    add(before, profile, session.open + offset - 1);
    add(open, profile, session.open + offset);
    add(close, profile, session.close + offset - 1);
    // The stamp at the close may be of the last minute, or of the closing auction.
    add(after, profile, session.close + offset, true);
  }
  return {
    open: isEdge(open, before, least),
    close: isEdge(close, after, least),
    volume: open.volume + close.volume,
    areMany: areMany(open, before) && areMany(close, after),
  };
}

function add(side: Side, { halves, shares }: SessionProfile, at: number, isAfter = false): void {
  const half = halves.get(at);
  if (half === undefined) return;
  const share = half.volume > 0 ? (shares.get(at) ?? 0) / half.volume : 0;
  side.bars += bitCount(isAfter ? half.minutes & ~1 : half.minutes);
  side.volume += (half.volume - (isAfter ? half.firstVolume : 0)) * share;
}

function isEdge(inside: Side, outside: Side, { chance, height }: typeof PROOF): boolean {
  if (inside.bars >= outside.bars * height && chanceOf(inside.bars, outside.bars) <= chance) {
    return true;
  }
  return areMany(inside, outside) && inside.volume > outside.volume * VOLUME.height;
}

function areMany(inside: Side, outside: Side): boolean {
  return Math.min(inside.bars, outside.bars) >= VOLUME.barsMin;
}

/** Returns the chance that of bars on two like sides so many or more fall on one. */
function chanceOf(inside: number, outside: number): number {
  const total = inside + outside;
  if (total > EXACT_MAX) return inside > outside + 3 * Math.sqrt(total) ? 0 : 1;
  let term = 0.5 ** total;
  let sum = 0;
  for (let count = 0; count <= outside; count++) {
    sum += term;
    term *= (total - count) / (count + 1);
  }
  return sum;
}

/** Number of bars up to which the chance is summed exactly. */
const EXACT_MAX = 200;

/**
 * Returns true if each session's bars begin in a row at its open, with the volume of an opening. A
 * file of few bars needs no volume: it is a sample from the open on.
 */
function beginAtOpen(
  profile: SessionProfile,
  sessions: readonly Session[],
  clock: ClockOf,
): boolean {
  const peak = peakOf(profile, sessions, clock);
  if (peak === undefined) return false;
  const total = profile.halves.values().reduce((sum, { bars }) => sum + bars, 0);
  return total <= FEW_BARS || peak > PEAK + (PEAK_OF_ONE - PEAK) / sessions.length ** 2;
}

/**
 * Returns the volume of the first bars of sessions as a multiple of the others' in their half hour;
 * NaN without volume, and where sessions do not begin in a row at the open.
 */
export function openingPeak(profile: SessionProfile, clock: ClockOf): number {
  const sessions = profile.sessions.filter((session) => hasBars(profile, session, clock));
  return (sessions.length > 0 && peakOf(profile, sessions, clock)) || Number.NaN;
}

/** Undefined if sessions do not begin in a row at their open. */
function peakOf(
  { halves, shares, barsPerHalf }: SessionProfile,
  sessions: readonly Session[],
  clock: ClockOf,
): number | undefined {
  const step = 30 / barsPerHalf;
  let [first, others, othersCount] = [0, 0, 0];
  for (const session of sessions) {
    const at = session.open + clock(session);
    const half = halves.get(at);
    if (half === undefined || halves.has(at - 1)) return undefined;
    const own = [0, 1, 2].map((bar) => (half.minutes >>> (bar * step)) & 1);
    // Stamps at the end leave the open without a bar.
    const run = own[0] === 1 ? own.slice(0, RUN) : own.slice(1, RUN + 1);
    if (run.includes(0)) return undefined;
    const share = half.volume > 0 ? (shares.get(at) ?? 0) / half.volume : 0;
    const volume = own[0] === 1 ? half.firstVolume : half.nextVolume;
    first += volume * share;
    others += (half.volume - volume) * share;
    othersCount += bitCount(half.minutes) - 1;
  }
  return (first * othersCount) / (others * sessions.length);
}

export function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
