/** One immutable input of candles: mapped to our columns and checked in SQL, but not yet read. */

import type { Basis, Dividend, Split } from '../../../base/bars.ts';
import type { Hours, Interval } from '../../../base/time/intervals.ts';

/** One input: a person's zip, folder or file (`external`), or a vendor's staged Parquet (`parquet`). */
export interface CandleSegment {
  /** SHA-256, hex, of the content; for a zip or folder of its sorted (member name, SHA-256) list. */
  id: string;
  /** Corporate actions come without files and groups. */
  dataset: 'candles' | 'corporate-actions';
  source: string;
  interval: Interval;
  /** Hours of all its bars; undefined: regular. Extended hours are intraday only, stored apart. */
  hours?: Hours;
  basis: Basis;
  /** Time at which the content was true; undefined: each file's newest bar. */
  asOfUs: bigint | undefined;
  /** Path or address as the user gave it. */
  origin: string;
  kind: 'external' | 'parquet';
  files: CandleFile[];
  /** SHA-256, hex, of the staged Parquet file; undefined for other kinds and old files. */
  parquetSha256?: string;
  /** Together they cover every file that has rows, each once. */
  groups: CandleGroup[];
  /**
   * Stages the good rows of files that do not match `dataLines`, or are not strictly rising, and
   * quarantines the rest with reasons.
   */
  examine(fileIndexes: number[]): Promise<ExaminedFile[]>;
  /**
   * Returns true for days, in rising order, that the file's daily bars cannot have: `examine` then
   * refuses its rows with the reason. Undefined if the days are known to be right.
   *
   * @param filledDays Those without a session whose row repeats the bars beside it.
   */
  areFalseDays?(fileIndex: number, days: readonly number[], filledDays: readonly number[]): boolean;
  /** Lines that were refused before the segment was handed over, on top of all `dataLines`. */
  rejectedLines?: number;
  /**
   * Counts refused lines of examined files, and of symbols of a file, without a good row. They do
   * not count against others.
   */
  refusedFileLines?(): number;
  /** Lines that were accepted and are no bars; undefined means none. */
  acceptedLines?: number;
  copyPath?: string;
  /** True if the input's other symbols are in other segments. */
  isPart?: boolean;
  /** Splits and dividends the input states; undefined when its format has none. */
  actions?: SymbolActions[];
}

/** The rows of one symbol in one file; a file with a symbol column appears once per symbol. */
export interface CandleFile {
  path: string;
  symbol: string;
  /** Lines or records that should each give one bar; 0 where every one was refused already. */
  dataLines: number;
  /** Number of its lines among the segment's `rejectedLines`, if known. */
  refusedLines?: number;
  sha256: string;
  /** Modification time of a user's file, in microseconds; undefined for a vendor's. */
  modifiedUs?: bigint;
  /** Reading of a user's file, as JSON (`StatedReading`); undefined for a vendor's. */
  reading?: string;
  /** True if its volumes are divided by dividends too, as Stooq's. */
  scalesVolume?: boolean;
}

/** Files of one dialect, read by one statement. */
export interface CandleGroup {
  /**
   * SELECT giving (file_index INTEGER, ts TIMESTAMP, open, high, low, close, volume DOUBLE), good
   * rows only, in file order, ts strictly rising within a file.
   */
  selectSql: string;
  /** The statement's `file_index` k is `files[fileIndexes[k]]` of the segment. */
  fileIndexes: number[];
  /** True if the statement parses text, which takes longer than storing its rows. */
  isText?: boolean;
}

/** A file read the exact way. `accepted + rejected` equals its `dataLines`. */
export interface ExaminedFile {
  fileIndex: number;
  /** (file_index INTEGER of the segment, ts, open … volume), ts strictly rising per file. */
  parquetPath: string;
  accepted: number;
  rejected: number;
}

export type ActionType = 'split' | 'dividend';

/** Corporate-action record: all actions of a symbol between two days, from one input. */
export interface SymbolActions {
  symbol: string;
  splits: Split[];
  dividends: Dividend[];
  /** The type whose list is complete, where the other's is unknown; undefined for both. */
  covers?: ActionType;
  /** First and last day, inclusive, for which the lists are complete; outside they are ignored. */
  coverageFromDay: number;
  coverageToDay: number;
}
