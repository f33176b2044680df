/** Rows of a study's answer as columns. */

import { dateFromDay } from '../../base/time/dates.ts';
import type { Decile } from '../../screens/study/run-deciles.ts';
import type { StudyRun } from '../../screens/study/run-study.ts';
import type { StudyMarket } from '../../screens/study/study-market.ts';
import {
  type HorizonSummary,
  horizonSummary,
  universeReturn,
} from '../../screens/study/study-summary.ts';
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
  ...(['days', 'symbols', 'extreme'] as const),
];

/** Returns a row for each group, where there is one, and horizon. */
export function summaryTable(
  parts: readonly StudyPart[],
  groupsOf: (part: StudyPart) => EventGroups,
  groupName: string | undefined,
): Table {
  const texts: string[] = [];
  const combinations: Combination[] = [];
  const summaries: HorizonSummary[] = [];
  for (const part of parts) {
    for (const [group, places] of groupsOf(part)) {
      for (const [place, sessions] of part.horizons.entries()) {
        const { events, universe } = part.run;
        summaries.push(horizonSummary(events, places, { place, sessions }, universe[place]));
        texts.push(group);
        combinations.push(part.combination);
      }
    }
  }
  return [
    ...combinationColumns(combinations),
    ...(groupName === undefined ? [] : [{ name: groupName, type: 'text' as const, values: texts }]),
    ...summaryColumns(summaries),
  ];
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
  ...(['tClustered', 'extreme'] as const),
];

function summaryColumns(summaries: readonly HorizonSummary[]): TableColumn[] {
  return SUMMARY_NAMES.map((name) => ({
    name,
    type: COUNTS.includes(name) ? 'integer' : 'number',
    values: Float64Array.from(summaries, (summary) => summary[name]),
  }));
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
export function daysTable({ run, market, horizons }: StudyPart): Table {
  const { events, universe } = run;
  const places = events.ordered();
  const sessions = [...new Set(places.map((at) => events.sessions[at]))];
  const rowOf = new Map(sessions.map((session, row) => [session, row]));
  const counts = new Float64Array(sessions.length);
  for (const at of places) counts[rowOf.get(events.sessions[at])!]++;
  const columns: TableColumn[] = [
    { name: 'date', type: 'date', values: daysOf(market, sessions) },
    { name: 'events', type: 'integer', values: counts },
  ];
  for (const [place, horizon] of horizons.entries()) {
    const [sums, returns] = [new Float64Array(sessions.length), new Float64Array(sessions.length)];
    for (const at of places) {
      const value = events.returns[place][at];
      if (Number.isNaN(value)) continue;
      sums[rowOf.get(events.sessions[at])!] += value;
      returns[rowOf.get(events.sessions[at])!]++;
    }
    columns.push(
      { name: `returns_${horizon}`, type: 'integer', values: returns },
      {
        name: `mean_${horizon}`,
        type: 'number',
        values: sums.map((sum, row) => sum / returns[row]),
      },
      {
        name: `universe_${horizon}`,
        type: 'number',
        values: Float64Array.from(sessions, (session) => universeReturn(universe[place], session)),
      },
    );
  }
  return columns;
}

export function daysOf({ sessions }: StudyMarket, numbers: readonly number[]): Int32Array {
  return Int32Array.from(numbers, (number) => sessions[number]);
}

/** Returns all events in one group. */
export function oneGroup({ run }: StudyPart): EventGroups {
  return new Map([['', run.events.ordered()]]);
}

/** Returns the events by the year or month of their day. */
export function periodGroups(part: StudyPart, period: 'year' | 'month'): EventGroups {
  const { run, market } = part;
  const chars = period === 'year' ? 'YYYY'.length : 'YYYY-MM'.length;
  const texts = new Map<number, string>();
  return groupedBy(run.events.ordered(), (at) => {
    const session = run.events.sessions[at];
    const known = texts.get(session) ?? dateFromDay(market.sessions[session]).slice(0, chars);
    texts.set(session, known);
    return known;
  });
}

export function groupedBy(places: Int32Array, groupOf: (at: number) => string): EventGroups {
  const groups = new Map<string, number[]>();
  for (const at of places) {
    const group = groupOf(at);
    const some = groups.get(group);
    if (some) some.push(at);
    else groups.set(group, [at]);
  }
  const ordered = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(ordered.map(([group, some]) => [group, Int32Array.from(some)]));
}
