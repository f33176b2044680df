/** Programs beside which studies run, and the columns that they read: parts of studies.ts. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BarColumns } from '../../src/base/bars.ts';
import { daysOfTimestamps } from '../../src/base/time/dates.ts';
import { PythonProcess } from '../command/peers/python-process.ts';
import { checkResult } from '../harness.ts';

export interface Answer {
  events: number;
  /** By horizon: mean return, and mean of the universe over events; NaN or null without any. */
  means: (number | null)[][];
}

export interface Run {
  /** Null if the program is not there. */
  version: string | null;
  cpuMs: number;
  answers: Answer[];
}

/** Runs studies of pairs with rivals by their names, over the columns of a folder. */
export function openRivals(interpreter: string, columns: string) {
  const script = new URL('./study_rivals.py', import.meta.url);
  const python = new PythonProcess(interpreter, script, [columns]);
  return {
    async run(name: string, pairs: readonly object[]): Promise<Run> {
      python.send([name, pairs]);
      return JSON.parse(await python.line());
    },
    close: () => python.close(),
  };
}

/** Writes the columns of series that rivals read into a new folder, and returns it. */
export function writtenColumns(columns: string, series: readonly BarColumns[]): string {
  mkdirSync(columns);
  const days = series.map((bars) => daysOfTimestamps(bars.timestampUs));
  const all = [...new Set(days.flatMap((one) => [...one]))].sort((a, b) => a - b);
  const sessionOf = new Map(all.map((day, session) => [day, session]));
  const starts = [0];
  for (const one of days) starts.push(starts.at(-1)! + one.length);
  const write = (name: string, values: Float64Array | Int32Array) =>
    writeFileSync(join(columns, name), values);
  const total = starts.at(-1)!;
  for (const name of ['open', 'close'] as const) {
    const joined = new Float64Array(total);
    for (const [i, bars] of series.entries()) joined.set(bars[name], starts[i]);
    write(name, joined);
  }
  const sessions = new Int32Array(total);
  for (const [i, one] of days.entries()) {
    sessions.set(
      one.map((day) => sessionOf.get(day)!),
      starts[i],
    );
  }
  write('session', sessions);
  write('starts', Int32Array.from(starts));
  return columns;
}

/** Ends the benchmark if answers differ. */
export function checkEqual(ours: readonly Answer[], theirs: readonly Answer[]): void {
  checkResult(ours.length === theirs.length, `${ours.length} studies, not ${theirs.length}`);
  for (const [i, one] of theirs.entries()) {
    checkResult(ours[i].events === one.events, `${ours[i].events} events, not ${one.events}`);
    const isNear = one.means.flat().every((mean, at) => {
      const our = ours[i].means.flat()[at]!;
      return mean === null ? Number.isNaN(our) : Math.abs(our - mean) < 1e-9;
    });
    checkResult(isNear, `means ${ours[i].means} are not ${one.means}`);
  }
}
