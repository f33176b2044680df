/** Dependencies of a load, and reports of loads and runs. */

import type { Mode } from '../../src/base/config/data-dir.ts';
import type { SkippedInput, SourcedSymbol } from '../../src/ingest/contract/fetch-context.ts';
import type { ReadingOfFiles } from '../../src/ingest/contract/reading-of-files.ts';
import type { ServedBars } from '../../src/store/arrow/read/served-bars.ts';
import type { Failure } from './failure.ts';
import type { LocalRequest } from './partition.ts';
import type { RunHead } from './run.ts';

export interface RunDeps {
  /** Name of the command, such as `backfill yahoo`; shown to processes that wait for the store. */
  verb: string;
  /** Run, which held loads name; its loads were begun. */
  run?: Pick<RunHead, 'id' | 'createdMs'>;
  nowMs: number;
  /** Time at which a load or a version is written; default `nowMs`, the start of the work. */
  clock?: () => number;
  onProgress?: (step: string, done: number, total: number) => void;
  /** Called with the name of the process that holds the store. */
  onWaiting?: (holder: string) => void;
  /** Loads with sanity checks; `large` (the default) has at least `limits.sanity.rowsMin` rows. */
  guarded?: 'large' | 'all' | 'none';
  /** Symbols that a sanity check may not hold. */
  accepted?: readonly string[];
  /** Fencing number of this writer; default that of the published version. */
  epoch?: number;
  /** Request for the local files that are loaded; `rebuild` repeats it. */
  request?: LocalRequest;
  signal?: AbortSignal;
}

/** Rows of one dataset that a run loaded. Dates are ISO text; null if nothing is dated. */
export interface LoadedDataset {
  dataset: string;
  interval: string | null;
  rows: number;
  symbols: number;
  /** First day of the bars; for other datasets, the day on which the first row became known. */
  firstDay: string | null;
  lastDay: string | null;
  /** Symbol with a row of the last day. */
  lastSymbol: string | null;
}

export interface LoadReport {
  segments: number;
  alreadyLoaded: number;
  /** Rows that were loaded now. */
  accepted: number;
  rejected: number;
  rejectedByReason: Record<string, number>;
  /** File with the rejected rows, or the folder of several such files; null without any. */
  quarantine: string | null;
  skipped: SkippedInput[];
  notes: string[];
  /** Readings of the user's files. */
  readings: ReadingOfFiles[];
  /** Largest dataset first. */
  loaded: LoadedDataset[];
  seriesChanged: number;
  /** Rows of datasets other than candles that are new or changed. */
  rowsChanged: number;
}

export interface BackfillReport extends LoadReport {
  publishedVersion: number;
}

export interface FailedJob extends Failure {
  id: string;
  title: string;
}

export interface TaskReport {
  did: Record<string, number>;
  /** Damage and remedies, of tasks that check for damage. */
  faults?: string[];
}

/** Report of a run, as commands print it with `--json`. */
export interface RunReport extends BackfillReport, Partial<TaskReport> {
  /** Served bars before and after the run; null if the files can't be read. */
  served: { before: ServedBars[] | null; after: ServedBars[] | null };
  /** Id of the run. */
  plan: string;
  mode: Mode;
  /** Creation time of the run in milliseconds. */
  plannedMs: number;
  /** Source of each symbol, of a run that tries several sources. */
  sourced?: SourcedSymbol[];
  /** Failed tasks; if there are any, the published data is partial. */
  deadJobs: FailedJob[];
}

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
    readings: [],
    loaded: [],
    seriesChanged: 0,
    rowsChanged: 0,
  };
}
