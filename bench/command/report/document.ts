/** The document that `--json` writes and `--compare` reads. */

import { UsageError } from '../../../src/base/errors.ts';
import type { Machine } from '../measure/machine.ts';

export const BENCHES = ['indicators', 'screens', 'backfill', 'serving'] as const;

export type BenchName = (typeof BENCHES)[number];

/** A program that is measured, ours included. */
export interface MeasuredProgram {
  name: string;
  version: string;
  /** Describes how it is driven: the form of its input, and what is timed. */
  driven: string;
  /** True for a lower bound that does less than ours: it is never named as faster. */
  isFloor?: boolean;
}

/** A peer that is not installed. */
export interface MissingPeer {
  name: string;
  /** Command that installs it. */
  install: string;
}

/** Measurements that stand in one table. */
export interface Group {
  id: string;
  title: string;
  /** The samples are nanoseconds for one of these: bar, symbol, request, row, screen. */
  unit: string;
  /** Group whose peers ours are compared with; its own by default. */
  peersOf?: string;
}

/** Times of one candidate. Lower is better. */
export interface Measurement {
  /** Group and item: `written/rsi:14`. The same in each run. */
  task: string;
  program: string;
  /** Part of the data that it worked on, as `1,000 symbols of 2,520 bars`. */
  load: string;
  samplesNs: readonly number[];
  /** The same by the clock on the wall, where the samples are processor time. */
  wallNs?: readonly number[];
}

/** Result of comparing a peer's values with ours. */
export interface Check {
  /** Item of a group. */
  item: string;
  program: string;
  /** `settles`: equal after another start has faded. */
  status: 'equal' | 'settles' | 'different';
  detail: string;
}

/** Cost of the run itself, as far as this process had it. */
export interface RunCost {
  processorMs: number;
  wallMs: number;
  peakMegabytes: number;
  /** Load average of the last minute at the end. */
  loadAtEnd: number;
}

export interface BenchDocument {
  format: 'tapeworks-bench';
  formatVersion: 1;
  bench: BenchName;
  startedAt: string;
  /** Describes the data. */
  data: string;
  isSynthetic: boolean;
  machine: Machine;
  /** Absent in documents of before. */
  run?: RunCost;
  /** Tolerance and other rules that the results were measured by. */
  rules: readonly string[];
  programs: readonly MeasuredProgram[];
  missing: readonly MissingPeer[];
  groups: readonly Group[];
  checks: readonly Check[];
  measurements: readonly Measurement[];
  /**
   * Time of fixed work of this program per round, in nanoseconds. Comparisons of two runs divide
   * by it, so that a slower hour of the machine counts less.
   */
  yardstickNs: readonly number[];
}

/** Returns the name under which the measurements of an item in a group stand. */
export function taskOf(group: string, item: string): string {
  return `${group}/${item}`;
}

/** The name under which our own measurements stand. */
export const OURS = 'tapeworks';

/** @throws {UsageError} The text is no document of a bench, or one of another version. */
export function documentFromText(text: string, path: string): BenchDocument {
  let parsed: Partial<BenchDocument> | null;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    const reason = (error as Error).message;
    throw new UsageError(`--compare must be a file that --json wrote: "${path}" is no JSON`, {
      cause: new Error(reason),
    });
  }
  if (parsed?.format !== 'tapeworks-bench' || parsed.formatVersion !== 1) {
    throw new UsageError(
      `--compare must be a file that --json wrote: "${path}" has no format "tapeworks-bench" of version 1`,
    );
  }
  const lists = ['measurements', 'yardstickNs', 'programs', 'groups'] as const;
  const missing = lists.find((name) => !Array.isArray(parsed[name]));
  if (missing !== undefined) throw new UsageError(`--compare "${path}" has no list "${missing}"`);
  return parsed as BenchDocument;
}
