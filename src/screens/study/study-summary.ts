/** Summary of events by group and horizon. */

import { GroupReturns, type HorizonReturns, ReturnsPiece } from './group-returns.ts';
import type { UniverseReturns } from './return-sums.ts';
import { clusteredT, medianOfCounted } from './statistics.ts';
import { EVENTS_AT_ONCE, type EventCell, type StudyEvents } from './study-events.ts';
import { byMarketDay, type StudyMarket } from './study-market.ts';

/** Events that all cells read before any goes on: 13 bytes each stay in the second cache. */
const RANGE_EVENTS = 32_768;

/** Groups that read pieces together: their sums, some 100 KB each over ten years, are bounded. */
const GROUPS_AT_ONCE = 32;

/** Groups of events that are read together, and the cells that their events are in. */
export interface GroupBlock {
  groupCount: number;
  cells: readonly EventCell[];
}

/** Returns blocks of groups that have no event in common. @param groups Places, ascending. */
export function blocksOf(groups: readonly Int32Array[]): GroupBlock[] {
  const blocks: GroupBlock[] = [];
  for (let first = 0; first < groups.length; first += GROUPS_AT_ONCE) {
    const some = groups.slice(first, first + GROUPS_AT_ONCE);
    const cells = some.map((places, group) => ({ places, groups: [group] }));
    blocks.push({ groupCount: some.length, cells });
  }
  return blocks;
}

/** Counts, and statistics of returns as fractions; NaN where the events define none. */
export interface HorizonSummary {
  horizon: number;
  events: number;
  entered: number;
  returns: number;
  early: number;
  open: number;
  days: number;
  symbols: number;
  mean: number;
  median: number;
  hit: number;
  sd: number;
  p05: number;
  p25: number;
  p75: number;
  p95: number;
  universeMean: number;
  universeMedian: number;
  excessMean: number;
  excessMedian: number;
  tClustered: number;
  extreme: number;
  flagged: number;
}

/** Facts about the events of a group that no horizon changes. */
type EventGroup = Pick<HorizonSummary, 'events' | 'entered' | 'days' | 'symbols'>;

type MarketDays = Pick<StudyMarket, 'marketDays'>;

/**
 * Summarises groups of events. Those of a block read a piece of the events before any reads the next
 * one: a group alone would fetch each of its returns from memory.
 *
 * @param horizons Sessions of each horizon of the events' columns.
 * @param universe By horizon.
 * @returns by group, block by block, and horizon.
 */
export function* horizonSummaries(
  events: StudyEvents,
  blocks: readonly GroupBlock[],
  horizons: readonly number[],
  universe: readonly UniverseReturns[],
  market: MarketDays,
): Generator<undefined, HorizonSummary[][]> {
  const sessionCount = universe[0].means.length;
  const facts: EventGroup[] = [];
  for (const block of blocks) facts.push(...(yield* factsOf(events, block, sessionCount)));
  const pool: GroupReturns[] = [];
  const summaries = facts.map((): HorizonSummary[] => []);
  for (const [place, horizon] of horizons.entries()) {
    const of = { events, horizon: place, means: universe[place].means };
    let group = 0;
    for (const block of blocks) {
      const sums = yield* readBlock(of, block, (at) => {
        pool[at] ??= new GroupReturns(sessionCount);
        pool[at].clear();
        return pool[at];
      });
      for (const found of sums) {
        const summary = summaryOf(facts[group], found, universe[place], { horizon, market });
        summaries[group++].push(summary);
        yield;
      }
    }
  }
  return summaries;
}

/** Reads the events of a block at a horizon. @returns the sums of its groups. */
function* readBlock(
  of: HorizonReturns,
  { groupCount, cells }: GroupBlock,
  sumsAt: (at: number) => GroupReturns,
): Generator<undefined, GroupReturns[]> {
  const groups = Array.from({ length: groupCount }, (_, at) => sumsAt(at));
  let used = groupCount;
  const sums = cells.map((cell) => (isShared(cell) ? sumsAt(used++) : groups[cell.groups[0]]));
  yield* inPieces(of, cells, (cell, piece) => sums[cell].addReturns(piece));
  for (const [at, cell] of cells.entries()) {
    if (isShared(cell)) for (const group of cell.groups) groups[group].add(sums[at]);
  }
  for (const group of groups) group.turn();
  yield* inPieces(of, cells, (cell, piece) => {
    for (const group of cells[cell].groups) groups[group].addDeviations(piece);
  });
  return groups;
}

function isShared({ groups }: EventCell): boolean {
  return groups.length > 1;
}

/** Reads the events of cells piece by piece. */
function* inPieces(
  of: HorizonReturns,
  cells: readonly EventCell[],
  read: (cell: number, piece: ReturnsPiece) => void,
): Generator<undefined> {
  const piece = new ReturnsPiece();
  yield* inRanges(of.events, cells, ({ places }, at, start, end) => {
    const next = piece.take(of, places, start, end);
    read(at, piece);
    return next;
  });
}

/**
 * Reads the events of cells; other work may run after some.
 *
 * @param read Reads places of a cell from one on, up to an event. It returns the next place.
 */
function* inRanges(
  { count }: StudyEvents,
  cells: readonly EventCell[],
  read: (cell: EventCell, at: number, start: number, end: number) => number,
): Generator<undefined> {
  const next = new Uint32Array(cells.length);
  let handled = 0;
  for (let end = RANGE_EVENTS; end < count + RANGE_EVENTS; end += RANGE_EVENTS) {
    for (const [at, cell] of cells.entries()) {
      while (cell.places[next[at]] < end) {
        const start = next[at];
        next[at] = read(cell, at, start, end);
        handled += (next[at] - start) * cell.groups.length;
        if (handled < EVENTS_AT_ONCE / 2) continue;
        handled = 0;
        yield;
      }
    }
  }
}

function* factsOf(
  events: StudyEvents,
  { groupCount, cells }: GroupBlock,
  sessionCount: number,
): Generator<undefined, EventGroup[]> {
  const { sessions, numbers, numberEnd, entered } = events;
  // 1 for each session with an event, and behind them for each symbol.
  const blank = () => new Uint8Array(sessionCount + numberEnd);
  const seen = Array.from({ length: groupCount }, blank);
  const facts = seen.map(() => ({ events: 0, entered: 0, days: 0, symbols: 0 }));
  const own = cells.map((cell) => (isShared(cell) ? blank() : seen[cell.groups[0]]));
  const counts = new Uint32Array(cells.length);
  yield* inRanges(events, cells, ({ places }, at, start, end) => {
    let [i, count] = [start, 0];
    for (; places[i] < end; i++) {
      const event = places[i];
      own[at][sessions[event]] = 1;
      own[at][sessionCount + numbers[event]] = 1;
      count += entered[event];
    }
    counts[at] += count;
    return i;
  });
  for (const [at, cell] of cells.entries()) {
    for (const group of cell.groups) {
      facts[group].events += cell.places.length;
      facts[group].entered += counts[at];
      if (isShared(cell)) markEach(seen[group], own[at]);
    }
  }
  for (const [group, marks] of seen.entries()) {
    facts[group].days = countOf(marks.subarray(0, sessionCount));
    facts[group].symbols = countOf(marks.subarray(sessionCount));
  }
  return facts;
}

function markEach(marks: Uint8Array, more: Uint8Array): void {
  for (let i = 0; i < marks.length; i++) marks[i] |= more[i];
}

function countOf(marks: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < marks.length; i++) count += marks[i];
  return count;
}

function summaryOf(
  { events, entered, days, symbols }: EventGroup,
  found: GroupReturns,
  universe: UniverseReturns,
  { horizon, market }: { horizon: number; market: MarketDays },
): HorizonSummary {
  const { count, counts, early, hits, extreme, flagged, size, mean, sd, excessMean } = found;
  const { median, p05, p25, p75, p95, excessMedian } = found.quantiles();
  const bySession = byMarketDay(market, found.deviations(excessMean));
  return {
    ...{ horizon, events, returns: count, entered, early, open: entered - count },
    ...{ days, symbols, mean, median, hit: hits / count, sd, p05, p25, p75, p95 },
    universeMean: found.universeMean(universe),
    universeMedian: medianOfCounted(universe.means, universe.order, counts, count),
    ...{ excessMean, excessMedian },
    tClustered: clusteredT(bySession, { center: excessMean, count, size }, horizon),
    ...{ extreme, flagged },
  };
}
