import type { VendorSettings } from '../../base/config/config.ts';
import type { ModePaths } from '../../base/config/data-dir.ts';
import type { CandleSegment } from '../../store/duckdb/connection/candle-segment.ts';
import type { RowSegment } from '../../store/duckdb/rows/row-segment.ts';
import type { StatedFacts } from '../../store/duckdb/securities/symbols.ts';
import type { ReadingOfFiles } from './reading-of-files.ts';

export interface Patience {
  triesMax: number;
  retryAfterMaxMs: number;
  paceWaitMaxMs: number;
}

/** Reasons why a source gave no bars of a symbol. */
export const SOURCE_OUTCOMES = [
  'not configured',
  'not offered',
  'unknown symbol',
  'rate limited',
  'refused',
  'unavailable',
  'malformed',
] as const;

export interface SourceTry {
  source: string;
  outcome: (typeof SOURCE_OUTCOMES)[number];
  /** Cause and remedy in words. */
  message: string;
}

/** A symbol of `backfill any` and the sources that were tried, in their order. */
export interface SourcedSymbol {
  symbol: string;
  /** Source that has its bars; null for none. */
  source: string | null;
  /** True if the bars were stored before this run, and none is missing. */
  isUpToDate: boolean;
  /** Sources before that one, which have no bars of it. */
  tried: SourceTry[];
}

export interface FetchContext {
  paths: Pick<ModePaths, 'segments' | 'quarantine' | 'scratch' | 'feeds'>;
  /** Time of the run in milliseconds since the epoch; decides which daily bars are complete. */
  nowMs: number;
  settings: VendorSettings;
  /** Default as-of of local rows in microseconds; undefined means the time of their files. */
  fileAsOfUs?: bigint;
  /** Returns true for a name that own columns can't have, as screens mean something else by it. */
  isTaken?: (name: string) => boolean;
  /** Days of the served daily bars of a symbol; undefined for none. They show on which days its market trades. */
  servedDays?: (symbol: string) => ArrayLike<number> | undefined;
  /** Reports `done` of `total` units of a named step; called many times for a step. */
  onProgress?: (step: string, done: number, total: number) => void;
  /** Bounds of waits and tries, where another source can give the same data; default the usual. */
  patience?: Patience;
  /** Called by a source of sources for each requested symbol, when it is known who has it. */
  onSourced?: (symbol: SourcedSymbol) => void;
  /** Aborting ends the fetch with the signal's reason; nothing half-written stays. */
  signal?: AbortSignal;
}

/** Context of staging rows, which asks no vendor. */
export type StageContext = Omit<FetchContext, 'settings'>;

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
  /** Decisions about the input for the user to know, a line each; may grow with `rejectedByReason`. */
  notes?: readonly string[];
  /** Readings of the user's files, with the facts that decided. */
  readings?: readonly ReadingOfFiles[];
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
  /** Refused rows of some symbols, by reason; it grows as `rejectedByReason`. */
  refusedOf?(symbols: readonly string[]): Map<string, number>;
  /** Set if it has only some symbols of the segment `of`: those listed, or all others. */
  part?: { of: string; isOnly: boolean; symbols: string[] };
}

export type Fetched = FetchedSegment | FetchedRows | FetchedFacts;
