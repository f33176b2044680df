import type { VendorSettings } from '../../base/config/config.ts';
import type { ModePaths } from '../../base/config/data-dir.ts';
import type { CandleSegment } from '../../store/duckdb/connection/candle-segment.ts';
import type { RowSegment } from '../../store/duckdb/rows/row-segment.ts';
import type { StatedFacts } from '../../store/duckdb/securities/symbols.ts';

export interface FetchContext {
  paths: Pick<ModePaths, 'segments' | 'quarantine' | 'scratch' | 'feeds'>;
  /** Time of the run in milliseconds since the epoch; decides which daily bars are complete. */
  nowMs: number;
  settings: VendorSettings;
  /** Default as-of of local rows in microseconds; undefined means the time of their files. */
  fileAsOfUs?: bigint;
  /** Reports `done` of `total` units of a named step; called many times for a step. */
  onProgress?: (step: string, done: number, total: number) => void;
  /** Aborting ends the fetch with the signal's reason; nothing half-written stays. */
  signal?: AbortSignal;
}

export interface SkippedInput {
  /** File, zip member or symbol, as the user knows it. */
  name: string;
  /** The same words for every input with the same fault, so that inputs can be counted. */
  reason: string;
  /** Line of the first row that breaks a rule. */
  line?: number;
  /** True for data that is not loaded; false for inputs without data, or read elsewhere. */
  isRefused?: boolean;
}

interface Findings {
  skipped: SkippedInput[];
  /** Rejected rows so far, by reason; for candles it grows when `examine` runs. */
  rejectedByReason: Map<string, number>;
  /** Decisions about the input for the user to know, a line each. */
  notes?: readonly string[];
}

export interface FetchedRows extends RowSegment, Findings {}

/** Facts about companies for the directory of symbols. */
export interface FetchedFacts extends Findings {
  source: string;
  facts: readonly StatedFacts[];
  /** Input or address of the facts, as the user or the vendor names it. */
  origin: string;
  /** Time of the facts in microseconds; undefined where the source states none. */
  asOfUs?: bigint;
  /** Same as `refusedFileLines` of a segment of rows. */
  refusedFileLines?: number;
}

/** A segment of candles. It can be read until the next one is requested. */
export interface FetchedSegment extends CandleSegment, Findings {
  /** True if the user wants a copy of the input, whatever its size. */
  isKept?: boolean;
}

export type Fetched = FetchedSegment | FetchedRows | FetchedFacts;
