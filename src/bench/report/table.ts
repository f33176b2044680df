/** Tables of a document: an item a row, a rival a column, ratios to ours. */

import { type Summary, summaryOf } from '../measure/summary.ts';
import { type BenchDocument, type Check, type Group, OURS, taskOf } from './document.ts';

export interface Cell {
  rival: string;
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
  ours: { load: string; summary: Summary };
  /** By rival, in the order of the document. */
  cells: readonly (Cell | undefined)[];
}

export interface Table {
  group: Group;
  rivals: readonly string[];
  rows: readonly Row[];
}

/** Returns one table per group that has measurements of ours. */
export function tablesOf(document: BenchDocument): Table[] {
  const { measurements, checks } = document;
  const named = new Set(document.rivals.filter(({ isFloor }) => !isFloor).map(({ name }) => name));
  const byTask = new Map<string, Map<string, (typeof measurements)[number]>>();
  for (const one of measurements) {
    const known = byTask.get(one.task) ?? new Map();
    known.set(one.rival, one);
    byTask.set(one.task, known);
  }
  const statuses = new Map(checks.map(({ item, rival, status }) => [`${rival} ${item}`, status]));
  return document.groups.flatMap((group) => {
    const items = [...byTask.keys()]
      .filter((task) => task.startsWith(`${group.id}/`))
      .map((task) => task.slice(group.id.length + 1));
    const measuredOf = (item: string) => byTask.get(taskOf(group.rivalsOf ?? group.id, item));
    const rivals = [...new Set(items.flatMap((item) => [...(measuredOf(item)?.keys() ?? [])]))];
    const others = rivals.filter((rival) => rival !== OURS);
    const rows = items.flatMap((item) => {
      const own = byTask.get(taskOf(group.id, item))?.get(OURS);
      if (!own) return [];
      const ours = { load: own.load, summary: summaryOf(own.samplesNs) };
      const cells = others.map((rival) => {
        const measured = measuredOf(item)?.get(rival);
        if (!measured) return undefined;
        const summary = summaryOf(measured.samplesNs);
        const ratio = summary.median / ours.summary.median;
        const status = statuses.get(`${rival} ${item}`);
        const isFaster = ratio < 1 && status !== 'different' && named.has(rival);
        return { rival, load: measured.load, summary, ratio, status, isFaster };
      });
      return [{ item, ours, cells }];
    });
    return rows.length > 0 ? [{ group, rivals: others, rows }] : [];
  });
}

/** A row in which a rival with equal values is faster than ours. */
export interface Behind {
  group: Group;
  item: string;
  rival: string;
  ratio: number;
}

export function behindOf(tables: readonly Table[]): Behind[] {
  return tables.flatMap(({ group, rows }) =>
    rows.flatMap(({ item, cells }) => {
      const faster = cells.filter((cell) => cell?.isFaster) as Cell[];
      const [fastest] = faster.toSorted((a, b) => a.ratio - b.ratio);
      return fastest ? [{ group, item, rival: fastest.rival, ratio: fastest.ratio }] : [];
    }),
  );
}
