/** Tells changes between two runs from noise. */

import { mannWhitney } from '../measure/mann-whitney.ts';
import { spreadOf, summaryOf } from '../measure/summary.ts';
import { type BenchDocument, type Measurement, OURS } from './document.ts';
import { readable } from './text.ts';

/** Chance below which a difference of samples is no accident. */
const P_MAX = 0.01;

/** Smallest change of a median that is reported. Two builds of equal source differ by less. */
const CHANGE_MIN = 0.05;

export const COMPARE_RULE =
  'a change is a difference with p < 0.01 (Mann-Whitney, two-sided, on times divided by the ' +
  'yardstick of their run) whose medians differ by more than 5 % and by more than both spreads ' +
  '(half the distance between quartiles) together; all else is noise';

export type Verdict = 'slower' | 'faster' | 'noise';

export interface Change {
  task: string;
  program: string;
  /** Median time now over the median before, both in yardsticks: 2 is twice as slow. */
  ratio: number;
  /** Smallest change of the ratio that these samples can tell from noise. */
  threshold: number;
  pValue: number;
  verdict: Verdict;
}

export interface ComparedRuns {
  changes: readonly Change[];
  /** Tasks and peers that only one of the runs has. */
  unmatched: readonly string[];
  /** Differences in the conditions of the runs. */
  remarks: readonly string[];
  /** True if one of our own measurements is slower. */
  hasRegression: boolean;
}

/** Compares samples in any unit, lower being better. */
export function verdictOf(
  before: readonly number[],
  now: readonly number[],
): Pick<Change, 'ratio' | 'threshold' | 'pValue' | 'verdict'> {
  const [old, fresh] = [summaryOf(before), summaryOf(now)];
  const ratio = fresh.median / old.median;
  const threshold = Math.max(CHANGE_MIN, spreadOf(old) + spreadOf(fresh));
  const pValue = mannWhitney(before, now);
  // A change to twice the time and one to half of it are equally large.
  const size = Math.max(ratio, 1 / ratio) - 1;
  const isChange = pValue < P_MAX && size > threshold;
  const verdict = !isChange ? 'noise' : ratio > 1 ? 'slower' : 'faster';
  return { ratio, threshold, pValue, verdict };
}

export function compareRuns(before: BenchDocument, now: BenchDocument): ComparedRuns {
  // A peer runs over as much of the data as it manages in time, which differs from run to run.
  const nameOf = ({ task, program, load }: Measurement) =>
    program === OURS ? `${task} of ${program}, ${load}` : `${task} of ${program}`;
  const olds = new Map(before.measurements.map((one) => [nameOf(one), one]));
  const changes: Change[] = [];
  const unmatched: string[] = [];
  for (const fresh of now.measurements) {
    const old = olds.get(nameOf(fresh));
    olds.delete(nameOf(fresh));
    if (!old) {
      unmatched.push(`${nameOf(fresh)}: only in this run`);
      continue;
    }
    const { task, program } = fresh;
    const samples = [inYardsticks(old, before), inYardsticks(fresh, now)] as const;
    changes.push({ task, program, ...verdictOf(...samples) });
  }
  for (const name of olds.keys()) unmatched.push(`${name}: only in the earlier run`);
  const hasRegression = changes.some(
    ({ program, verdict }) => program === OURS && verdict === 'slower',
  );
  return { changes, unmatched, remarks: remarksOf(before, now), hasRegression };
}

export const CHANGE_HEADER = ['change', '', 'time now ÷ before', 'noise', 'p'];

/** Returns a row for each measurement that changed. */
export function changeRows(changes: readonly Change[]): string[][] {
  const changed = changes.filter(({ verdict }) => verdict !== 'noise');
  return changed.map(({ task, program, verdict, ratio, threshold, pValue }) => [
    `${task} of ${program}`,
    verdict,
    `${readable(ratio)} ×`,
    `${readable(100 * threshold)} %`,
    pValue.toPrecision(2),
  ]);
}

function inYardsticks({ samplesNs }: Measurement, { yardstickNs }: BenchDocument): number[] {
  const yardstick = summaryOf(yardstickNs).median;
  return samplesNs.map((ns) => ns / yardstick);
}

function remarksOf(before: BenchDocument, now: BenchDocument): string[] {
  const remarks: string[] = [];
  const compare = (name: string, old: string, fresh: string) => {
    if (old !== fresh) remarks.push(`${name}: ${old} before, ${fresh} now`);
  };
  for (const field of ['processor', 'cores', 'platform', 'node', 'tapeworks'] as const) {
    compare(field, String(before.machine[field]), String(now.machine[field]));
  }
  compare('data', before.data, now.data);
  for (const { name, version } of now.programs) {
    const old = before.programs.find((program) => program.name === name);
    if (old) compare(name, old.version, version);
  }
  return remarks;
}
