/** What a source is given to work with, and what it hands over. Types only. */

import type { VendorSettings } from '../../base/config/config.ts';
import type { ModePaths } from '../../base/config/data-dir.ts';
import type { CandleSegment } from '../../store/duckdb/connection/candle-segment.ts';
import type { RowSegment } from '../../store/duckdb/rows/row-segment.ts';
import type { StatedFacts } from '../../store/duckdb/securities/symbols.ts';

export interface FetchContext {
  paths: Pick<ModePaths, 'segments' | 'quarantine' | 'scratch' | 'feeds'>;
  /** The run's clock: decides which daily bars are complete. Milliseconds since the epoch. */
  nowMs: number;
  settings: VendorSettings;
  /**
   * As-of in microseconds of local rows and actions whose as-of nobody states; undefined means the
   * time when their files were changed last.
   */
  fileAsOfUs?: bigint;
  /** `done` of `total` units of a named step; a step may be reported many times. */
  onProgress?: (step: string, done: number, total: number) => void;
  /** Aborting ends the fetch with the signal's reason; nothing half-written stays. */
  signal?: AbortSignal;
}

/** Something of the input that gave no rows at all, and why. */
export interface SkippedInput {
  /** File, zip member or symbol, as the user knows it. */
  name: string;
  /** The same words for every input with the same fault, so that inputs can be counted by it. */
  reason: string;
  /** Of the first row that breaks the rule, where it is one. */
  line?: number;
  /** True of data that were given and are not loaded; false of what holds none, or is read elsewhere. */
  isRefused?: boolean;
}

interface Findings {
  skipped: SkippedInput[];
  /** Rows refused so far, by reason; of candles it grows when `examine` runs. */
  rejectedByReason: Map<string, number>;
  /** Decisions about the input that a person should know of, each a line. */
  notes?: readonly string[];
}

/** A segment of rows of a dataset with what was found wrong in it. */
export interface FetchedRows extends RowSegment, Findings {}

/** What a source knows of companies beside its rows, for the directory of symbols. */
export interface FetchedFacts extends Findings {
  source: string;
  /** Each symbol once. */
  facts: readonly StatedFacts[];
  /** Where they come from, as the user or the vendor names it. */
  origin: string;
  /** When they were so, in microseconds; undefined where nobody says. */
  asOfUs?: bigint;
  /** As of a segment of rows. */
  refusedFileLines?: number;
}

/**
 * A segment of candles with what was found wrong in it. It can be read until its source is asked for the
 * next segment: then its scratch files go.
 */
export interface FetchedSegment extends CandleSegment, Findings {
  /** Whether a copy of a person's input is wanted, whatever its size. */
  isKept?: boolean;
}

/** What a source hands over, one thing after the other. */
export type Fetched = FetchedSegment | FetchedRows | FetchedFacts;
