/** Dependencies of a load and the reports of loads and runs: what every room of jobs shares. */

import type { Mode } from '../../src/base/config/data-dir.ts';
import type { SkippedInput } from '../../src/ingest/contract/fetch-context.ts';
import type { SourceOptions } from '../../src/ingest/contract/source-options.ts';
import type { ServedBars } from '../../src/store/arrow/read/served-bars.ts';
import type { Failure } from './failure.ts';

export interface RunDeps {
  /** Name of the command, such as `backfill yahoo`; shown to processes that wait for the store. */
  verb: string;
  nowMs: number;
  onProgress?: (step: string, done: number, total: number) => void;
  /** Called with the name of the process that holds the store, while this run waits. */
  onWaiting?: (holder: string) => void;
  /**
   * Loads that pass the sanity checks first: those of at least `limits.doubt.rowsMin` rows, all, or
   * none. Default `large`.
   */
  guarded?: 'large' | 'all' | 'none';
  /** Fencing number of this writer; default that of the published version. */
  epoch?: number;
  /** Request that gave the segments, where the source reads local files; `rebuild` repeats it. */
  request?: LocalRequest;
  signal?: AbortSignal;
}

/** Request for local files: repeated, it gives the same segments. */
export interface LocalRequest {
  source: string;
  options: SourceOptions;
}

/** Rows of one dataset that a run loaded. Dates are ISO text, and null where nothing is dated. */
export interface LoadedDataset {
  /** `candles`, or the name of another dataset. */
  dataset: string;
  /** Candles only. */
  interval: string | null;
  rows: number;
  symbols: number;
  /** First day of the bars; for other datasets, the day on which the first row became known. */
  firstDay: string | null;
  lastDay: string | null;
  /** A symbol with a row of the last day, as an example to look at. */
  lastSymbol: string | null;
}

export interface LoadReport {
  segments: number;
  /** Segments that the ledger had already. */
  alreadyLoaded: number;
  /** Rows of the segments that were loaded now. */
  accepted: number;
  rejected: number;
  rejectedByReason: Record<string, number>;
  /** File with the rejected rows, or the folder of several such files; null without any. */
  quarantine: string | null;
  skipped: SkippedInput[];
  /** Decisions about the input, a note each. */
  notes: string[];
  /** Rows that this run loaded, by dataset; largest first. */
  loaded: LoadedDataset[];
  /** Series that are served differently than before. */
  seriesChanged: number;
  /** Rows of datasets other than candles that are new or have other values than before. */
  rowsChanged: number;
}

export interface BackfillReport extends LoadReport {
  /** The version that is published now. */
  publishedVersion: number;
}

/** A job that failed in all its tries, and the reason. */
export interface FailedJob extends Failure {
  id: string;
  /** Part of the work, such as a list of symbols. */
  title: string;
}

/** Result of a maintenance task. */
export interface TaskReport {
  /** Counts by names that stay the same from version to version. */
  did: Record<string, number>;
  /** Damage that was found, and the remedy; only of tasks that check for damage. */
  faults?: string[];
}

/** Report of a run, as commands print it with `--json`. */
export interface RunReport extends BackfillReport, Partial<TaskReport> {
  /** Bars that were served before the run, and now; null where the files can't be read. */
  served: { before: ServedBars[] | null; after: ServedBars[] | null };
  /** Id of the run. */
  plan: string;
  mode: Mode;
  /** Time at which the run was created, in milliseconds. */
  plannedMs: number;
  /** Tasks that gave nothing, or not all: the published data is partial. */
  deadJobs: FailedJob[];
}

/** Returns the report of a run that has loaded nothing yet. */
export function noLoads(): LoadReport {
  return {
    segments: 0,
    alreadyLoaded: 0,
    accepted: 0,
    rejected: 0,
    rejectedByReason: {},
    quarantine: null,
    skipped: [],
    notes: [],
    loaded: [],
    seriesChanged: 0,
    rowsChanged: 0,
  };
}
