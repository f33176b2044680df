/** Tables of a document: an item a row, a peer a column, ratios to ours. */

import { type Summary, summaryOf } from '../measure/summary.ts';
import { type BenchDocument, type Check, type Group, OURS, taskOf } from './document.ts';

export interface TimeUnit {
  name: string;
  ns: number;
}

const TIME_UNITS: readonly TimeUnit[] = [
  { name: 'ms', ns: 1e6 },
  { name: 'µs', ns: 1e3 },
  { name: 'ns', ns: 1 },
];

export interface Cell {
  program: string;
  load: string;
  summary: Summary;
  /** Median time over ours: 3 means that ours is three times as fast. */
  ratio: number;
  status: Check['status'] | undefined;
  /** True if it takes less time than ours for our values, and is no floor. */
  isFaster: boolean;
}

export interface Row {
  item: string;
  ours: { load: string; summary: Summary; wall?: Summary };
  /** By peer, in the order of the document. */
  cells: readonly (Cell | undefined)[];
}

export interface Table {
  group: Group;
  /** Unit of its times, in which the shortest of ours has at least one digit before the point. */
  time: TimeUnit;
  programs: readonly string[];
  rows: readonly Row[];
}

/** Returns one table per group that has measurements of ours. */
export function tablesOf(document: BenchDocument): Table[] {
  const { measurements, checks } = document;
  const named = new Set(
    document.programs.filter(({ isFloor }) => !isFloor).map(({ name }) => name),
  );
  const byTask = new Map<string, Map<string, (typeof measurements)[number]>>();
  for (const one of measurements) {
    const known = byTask.get(one.task) ?? new Map();
    known.set(one.program, one);
    byTask.set(one.task, known);
  }
  const statuses = new Map(
    checks.map(({ item, program, status }) => [`${program} ${item}`, status]),
  );
  return document.groups.flatMap((group) => {
    const items = [...byTask.keys()]
      .filter((task) => task.startsWith(`${group.id}/`))
      .map((task) => task.slice(group.id.length + 1));
    const measuredOf = (item: string) => byTask.get(taskOf(group.peersOf ?? group.id, item));
    const programs = [...new Set(items.flatMap((item) => [...(measuredOf(item)?.keys() ?? [])]))];
    const others = programs.filter((program) => program !== OURS);
    const rows = items.flatMap((item) => {
      const own = byTask.get(taskOf(group.id, item))?.get(OURS);
      if (!own) return [];
      const ours = {
        load: own.load,
        summary: summaryOf(own.samplesNs),
        ...(own.wallNs && { wall: summaryOf(own.wallNs) }),
      };
      const cells = others.map((program) => {
        const measured = measuredOf(item)?.get(program);
        if (!measured) return undefined;
        const summary = summaryOf(measured.samplesNs);
        const ratio = summary.median / ours.summary.median;
        const status = statuses.get(`${program} ${item}`);
        const isFaster = ratio < 1 && status !== 'different' && named.has(program);
        return { program, load: measured.load, summary, ratio, status, isFaster };
      });
      return [{ item, ours, cells }];
    });
    if (rows.length === 0) return [];
    const shortest = Math.min(...rows.map(({ ours }) => ours.summary.median));
    const time = TIME_UNITS.find(({ ns }) => shortest >= ns) ?? TIME_UNITS[2];
    return [{ group, time, programs: others, rows }];
  });
}

/** A row in which a peer with equal values is faster than ours. */
export interface Behind {
  group: Group;
  item: string;
  program: string;
  ratio: number;
}

export function behindOf(tables: readonly Table[]): Behind[] {
  return tables.flatMap(({ group, rows }) =>
    rows.flatMap(({ item, cells }) => {
      const faster = cells.filter((cell) => cell?.isFaster) as Cell[];
      const [fastest] = faster.toSorted((a, b) => a.ratio - b.ratio);
      return fastest ? [{ group, item, program: fastest.program, ratio: fastest.ratio }] : [];
    }),
  );
}
