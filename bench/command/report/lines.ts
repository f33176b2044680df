/** A document as text for a terminal. */

import { countText } from '../../../src/base/count-text.ts';
import { machineLine } from '../measure/machine.ts';
import { spreadOf } from '../measure/summary.ts';
import { CHANGE_HEADER, COMPARE_RULE, type ComparedRuns, changeRows } from './compare.ts';
import {
  type BenchDocument,
  type Check,
  type MeasuredProgram,
  OURS,
  type RunCost,
} from './document.ts';
import { behindOf, type Table, tablesOf } from './table.ts';
import { readable, tableFromRows } from './text.ts';

/** Marks behind a ratio whose values are not ours from the first bar on. */
export const MARKS: Readonly<Record<Check['status'], string>> = {
  equal: '',
  settles: '~',
  different: '≠',
};

export function reportLines(document: BenchDocument): string[] {
  const tables = tablesOf(document);
  return [
    `data: ${document.data}`,
    `machine: ${machineLine(document.machine)}, tapeworks ${document.machine.tapeworks}`,
    ...(document.run ? [`this run: ${runText(document.run)}`] : []),
    ...document.rules,
    '',
    ...document.programs.map(({ name, version, driven }) => `${name} ${version}: ${driven}`),
    ...document.missing.map(
      ({ name, install }) => `${name} is missing; it is installed by: ${install}`,
    ),
    ...tables.flatMap(tableText),
    ...checkLines(document.checks),
    ...behindLines(document, tables),
    ...quoteLines(document, tables),
  ];
}

export function runText({ processorMs, wallMs, peakMegabytes, loadAtEnd }: RunCost): string {
  const seconds = (ms: number) => `${readable(ms / 1000)} s`;
  return (
    `${seconds(processorMs)} of processor time in ${seconds(wallMs)}, at most ` +
    `${countText(peakMegabytes)} MB of memory, load ${loadAtEnd} at its end`
  );
}

/** Returns one line with the first table's last row, beside the fastest peer of it. */
function quoteLines(document: BenchDocument, [table]: readonly Table[]): string[] {
  const row = table?.rows.at(-1);
  if (!row) return [];
  const { machine, programs, data } = document;
  const { group, time } = table;
  const peers = row.cells.filter((cell) => cell !== undefined);
  const others = peers.filter(
    ({ program, status }) => status !== 'different' && programs.some((one) => isPeer(one, program)),
  );
  const [fastest] = others.toSorted((a, b) => a.ratio - b.ratio);
  const found = programs.find(({ name }) => name === fastest?.program);
  const result = fastest
    ? `${readable(fastest.ratio)} × as fast as ${fastest.program} ${found?.version}`
    : `${readable(row.ours.summary.median / time.ns)} ${time.name} a ${group.unit}`;
  return [
    '',
    `to quote: tapeworks ${machine.tapeworks}, ${row.item} (${group.title}): ${result}; ${data}; ` +
      `${machine.processor}, ${machine.cores} cores, load ${machine.load}`,
  ];
}

function isPeer({ name, isFloor }: MeasuredProgram, program: string): boolean {
  return name === program && name !== OURS && isFloor !== true;
}

function tableText({ group, time, programs, rows }: Table): string[] {
  const hasWall = rows.some(({ ours }) => ours.wall);
  const wall = hasWall ? [`on the wall`] : [];
  const header = [group.title, `${time.name} a ${group.unit}`, ...wall, '±', ...programs];
  const cells = rows.map(({ item, ours, cells }) => [
    item,
    readable(ours.summary.median / time.ns),
    ...(hasWall ? [ours.wall ? readable(ours.wall.median / time.ns) : '–'] : []),
    `${readable(100 * spreadOf(ours.summary))} %`,
    ...cells.map((cell) =>
      cell ? `${readable(cell.ratio)} ×${MARKS[cell.status ?? 'equal']}` : '–',
    ),
  ]);
  return ['', tableFromRows(header, cells)];
}

function checkLines(checks: readonly Check[]): string[] {
  const noted = checks.filter(({ status, detail }) => status !== 'equal' || detail !== '');
  if (noted.length === 0) return checks.length > 0 ? ['', 'all compared values are equal'] : [];
  return [
    '',
    `${checks.length - noted.length} of ${checks.length} comparisons are equal in all values; ` +
      'the others (~ settles, ≠ differs):',
    ...noted.map(
      ({ item, program, status, detail }) => `${item} ${program} ${MARKS[status]} ${detail}`,
    ),
  ];
}

function behindLines({ programs }: BenchDocument, tables: readonly Table[]): string[] {
  if (!programs.some(({ name, isFloor }) => name !== OURS && !isFloor)) return [];
  const behind = behindOf(tables);
  if (behind.length === 0) return ['', 'no peer is faster in any row'];
  return [
    '',
    'faster peers (those with other values left out):',
    ...behind.map(
      ({ group, item, program, ratio }) =>
        `${group.title}, ${item}: ${program} takes ${readable(ratio)} of our time`,
    ),
  ];
}

export function compareLines({
  changes,
  unmatched,
  remarks,
  hasRegression,
}: ComparedRuns): string[] {
  const rows = changeRows(changes);
  return [
    '',
    `rule: ${COMPARE_RULE}`,
    ...remarks,
    ...unmatched,
    ...(rows.length > 0 ? [tableFromRows(CHANGE_HEADER, rows)] : []),
    `${rows.length} of ${changes.length} measurements changed; ` +
      (hasRegression ? 'tapeworks has regressed' : 'tapeworks has not regressed'),
  ];
}
