/** Rows of a study's answer as columns. */

import { dateFromDay } from '../../base/time/dates.ts';
import { type DecileSummary, decileSummaries } from '../../screens/study/decile-summaries.ts';
import type { Decile } from '../../screens/study/run-deciles.ts';
import { placesOf, type StudyRun } from '../../screens/study/run-study.ts';
import { EVENTS_AT_ONCE } from '../../screens/study/study-events.ts';
import type { StudyMarket } from '../../screens/study/study-market.ts';
import {
  blocksOf,
  type GroupBlock,
  type HorizonSummary,
  horizonSummaries,
} from '../../screens/study/study-summary.ts';
import { Sums } from '../../screens/study/sums.ts';
import type { Combination } from '../../screens/study/sweep.ts';
import type { Table, TableColumn } from '../responses/table.ts';

/** A study of one combination, with what its rows are made from. */
export interface StudyPart {
  combination: Combination;
  run: StudyRun;
  market: StudyMarket;
  horizons: readonly number[];
}

/** Places of events by group, in the order of the answer. */
export type EventGroups = ReadonlyMap<string, Int32Array>;

const COUNTS: readonly (keyof HorizonSummary)[] = [
  ...(['horizon', 'events', 'entered', 'returns', 'early', 'open'] as const),
  ...(['days', 'symbols', 'extreme', 'flagged'] as const),
];

/** Collects a row for each study, group and horizon. */
export class SummaryRows {
  readonly #groups: string[] = [];
  readonly #combinations: Combination[] = [];
  readonly #summaries: HorizonSummary[] = [];

  /** Adds studies with the same events, each as one group. */
  *addAll(parts: readonly StudyPart[]): Generator<undefined> {
    const found = new Map<StudyPart, HorizonSummary[]>();
    for (const [universe, some] of Map.groupBy(parts, ({ run }) => run.universe)) {
      const { run, market, horizons } = some[0];
      const blocks: GroupBlock[] = [];
      for (const batch of new Set(some.map((part) => part.run.batch))) {
        blocks.push({ groupCount: batch.studyCount, cells: batch.cells() });
        yield;
      }
      const made = yield* horizonSummaries(run.events, blocks, horizons, universe, market);
      for (const [i, part] of some.entries()) found.set(part, made[i]);
    }
    for (const part of parts) this.#add(part, '', found.get(part)!);
  }

  /** Adds a study in groups. */
  *addGroups(part: StudyPart, groups: EventGroups): Generator<undefined> {
    const { run, market, horizons } = part;
    const blocks = blocksOf([...groups.values()]);
    const made = yield* horizonSummaries(run.events, blocks, horizons, run.universe, market);
    for (const [i, group] of [...groups.keys()].entries()) this.#add(part, group, made[i]);
  }

  #add({ combination }: StudyPart, group: string, summaries: readonly HorizonSummary[]): void {
    for (const summary of summaries) {
      this.#summaries.push(summary);
      this.#groups.push(group);
      this.#combinations.push(combination);
    }
  }

  /** True if there are rows, and none has the name of a group. */
  get isUngrouped(): boolean {
    return this.#groups.length > 0 && this.#groups.every((group) => group === '');
  }

  /** Rows of the table. */
  get count(): number {
    return this.#summaries.length;
  }

  /** Returns the sum of a count over all rows. */
  sum(name: 'extreme' | 'flagged'): number {
    return this.#summaries.reduce((sum, summary) => sum + summary[name], 0);
  }

  table(isGrouped: boolean): Table {
    return [
      ...combinationColumns(this.#combinations),
      ...(isGrouped ? [{ name: 'group', type: 'text' as const, values: this.#groups }] : []),
      ...summaryColumns(this.#summaries),
    ];
  }
}

function combinationColumns(combinations: readonly Combination[]): TableColumn[] {
  return Object.keys(combinations[0] ?? {}).map((name) => ({
    name,
    type: 'number',
    values: Float64Array.from(combinations, (one) => Number(one[name])),
  }));
}

const SUMMARY_NAMES: readonly (keyof HorizonSummary)[] = [
  ...(['horizon', 'events', 'entered', 'returns', 'early', 'open', 'days', 'symbols'] as const),
  ...(['mean', 'median', 'hit', 'sd', 'p05', 'p25', 'p75', 'p95'] as const),
  ...(['universeMean', 'universeMedian', 'excessMean', 'excessMedian'] as const),
  ...(['tClustered', 'extreme', 'flagged'] as const),
];

function summaryColumns(summaries: readonly HorizonSummary[]): TableColumn[] {
  return SUMMARY_NAMES.map((name) => ({
    name,
    type: COUNTS.includes(name) ? 'integer' : 'number',
    values: Float64Array.from(summaries, (summary) => summary[name]),
  }));
}

/** Tenths of a factor of one combination. */
export interface TenthsPart {
  combination: Combination;
  deciles: readonly Decile[];
}

/** Returns a row for each combination, horizon and tenth of a factor, over all months. */
export function tenthsTable(parts: readonly TenthsPart[], market: StudyMarket): Table {
  const combinations: Combination[] = [];
  const rows = parts.flatMap(({ combination, deciles }) => {
    const summaries = decileSummaries(deciles, market);
    for (const _ of summaries) combinations.push(combination);
    return summaries;
  });
  const column = (type: 'integer' | 'number') => (name: keyof DecileSummary) => ({
    ...{ name, type, values: Float64Array.from(rows, (row) => row[name]) },
  });
  return [
    ...combinationColumns(combinations),
    ...(['horizon', 'decile', 'months'] as const).map(column('integer')),
    ...(['mean', 'median', 'turnover', 'ic', 'tIc', 'spread', 'tSpread'] as const).map(
      column('number'),
    ),
  ];
}

/** Returns a row for each month, horizon and tenth of a factor. */
export function decilesTable(deciles: readonly Decile[]): Table {
  const numbers = (name: 'mean' | 'median' | 'turnover' | 'ic'): TableColumn => ({
    name,
    type: 'number',
    values: Float64Array.from(deciles, (one) => one[name]),
  });
  const counts = (name: 'horizon' | 'decile' | 'symbols'): TableColumn => ({
    name,
    type: 'integer',
    values: Float64Array.from(deciles, (one) => one[name]),
  });
  return [
    { name: 'date', type: 'date', values: Int32Array.from(deciles, ({ day }) => day) },
    ...(['horizon', 'decile', 'symbols'] as const).map(counts),
    ...(['mean', 'median', 'turnover', 'ic'] as const).map(numbers),
  ];
}

/** Returns a row for each day with an event: its count and, by horizon, mean returns. */
export function* daysTable({ run, market, horizons }: StudyPart): Generator<undefined, Table> {
  const { events, universe } = run;
  const places = placesOf(run);
  const { length } = market.sessions;
  const counts = new Float64Array(length);
  const returns = horizons.map(() => new Float64Array(length));
  const sums = horizons.map(() => new Sums(length));
  for (const [i, at] of places.entries()) {
    const session = events.sessions[at];
    counts[session]++;
    for (const [place, values] of events.returns.entries()) {
      if (Number.isNaN(values[at])) continue;
      sums[place].add(session, values[at]);
      returns[place][session]++;
    }
    if (i % EVENTS_AT_ONCE === 0) yield;
  }
  const sessions = Int32Array.from(counts.keys()).filter((session) => counts[session] > 0);
  const numbers = (of: (session: number) => number) => Float64Array.from(sessions, of);
  const columns: TableColumn[] = [
    { name: 'date', type: 'date', values: sessions.map((session) => market.sessions[session]) },
    { name: 'events', type: 'integer', values: numbers((session) => counts[session]) },
  ];
  for (const [place, horizon] of horizons.entries()) {
    const means = numbers((session) => sums[place].of(session) / returns[place][session]);
    const ofUniverse = numbers((session) => universe[place].means[session]);
    columns.push(
      {
        name: `returns_${horizon}`,
        type: 'integer',
        values: numbers((session) => returns[place][session]),
      },
      { name: `mean_${horizon}`, type: 'number', values: means },
      { name: `universe_${horizon}`, type: 'number', values: ofUniverse },
    );
  }
  return columns;
}

/** Returns the events by the year or month of their day. */
export function periodGroups(
  part: StudyPart,
  period: 'year' | 'month',
): Generator<undefined, EventGroups> {
  const { run, market } = part;
  const chars = period === 'year' ? 'YYYY'.length : 'YYYY-MM'.length;
  const texts = new Map<number, string>();
  return groupedBy(placesOf(run), (at) => {
    const session = run.events.sessions[at];
    const known = texts.get(session) ?? dateFromDay(market.sessions[session]).slice(0, chars);
    texts.set(session, known);
    return known;
  });
}

export function* groupedBy(
  places: Int32Array,
  groupOf: (at: number) => string,
): Generator<undefined, EventGroups> {
  const groups = new Map<string, number[]>();
  for (const [i, at] of places.entries()) {
    const group = groupOf(at);
    const some = groups.get(group);
    if (some) some.push(at);
    else groups.set(group, [at]);
    if (i % EVENTS_AT_ONCE === 0) yield;
  }
  const ordered = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(ordered.map(([group, some]) => [group, Int32Array.from(some)]));
}
