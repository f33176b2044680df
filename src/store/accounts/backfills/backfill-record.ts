/** Types of backfills that clients request over HTTP. */

import type { Mode } from '../../../base/config/data-dir.ts';

export const BACKFILL_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;

export type BackfillState = (typeof BACKFILL_STATES)[number];

/** An uploaded file, and the options that `backfill files` has for it. */
export interface UploadedFile {
  /** Name of the client's file, under which it lies in the folder of the backfill. */
  name: string;
  bytes: number;
  /** Hash of a file that came through object storage; absent: it lies on this machine. */
  sha256?: string;
  symbol?: string;
  interval?: '1d' | '1m' | '5m';
  zone?: string;
  stamps?: 'start' | 'end';
  dates?: 'written' | 'next' | 'previous';
  basis?: 'raw' | 'split' | 'all';
  dateOrder?: 'mdy' | 'dmy' | 'ymd';
  decimal?: 'point' | 'comma';
  complete?: boolean;
  completeFor?: string[];
  column?: string;
}

export interface BackfillOrder {
  /** Name in `backfill <source>`; `files` for an upload. */
  source: string;
  dataset: string;
  /** Canonical; null for all symbols of a file. */
  symbols: string[] | null;
  /** First and last day as ISO dates; null without one. */
  from: string | null;
  to: string | null;
  /** Loads without sanity checks. */
  accept: boolean;
  file: UploadedFile | null;
}

export interface BackfillProgress {
  step: string;
  done: number;
  total: number;
}

/** A symbol, the source that has it, and what each source before it said. */
export interface BackfillSource {
  symbol: string;
  source: string | null;
  isUpToDate: boolean;
  tried: { source: string; outcome: string; message: string }[];
}

export interface LoadedRows {
  dataset: string;
  interval: string | null;
  rows: number;
  symbols: number;
  from: string | null;
  to: string | null;
  /** Symbol with a row of the last day. */
  lastSymbol: string | null;
}

/** Outcome of a run that has ended; lists are bounded. */
export interface BackfillResult {
  accepted: number;
  refused: number;
  /** Most frequent first. */
  refusedByReason: { reason: string; count: number }[];
  loaded: LoadedRows[];
  sources: BackfillSource[];
  skipped: { name: string; reason: string }[];
  failures: { title: string; reason: string }[];
  /** Readings of the files; missing in records of an older version. */
  readings?: string[];
  notes: string[];
}

export interface NewBackfill {
  /** Default: a random one. */
  id?: string;
  account: string;
  mode: Mode;
  order: BackfillOrder;
}

export interface Backfill {
  id: string;
  account: string;
  state: BackfillState;
  /** True once a client has cancelled it. A running one ends soon after. */
  isCancelled: boolean;
  /** Id of the run that retries it; null for its first run. */
  run: string | null;
  order: BackfillOrder;
  progress: BackfillProgress | null;
  /** Process or thing that it waits for, in words; null if for nothing. */
  waitsFor: string | null;
  result: BackfillResult | null;
  /** Reason of the failure in words. */
  error: string | null;
  /** ISO date-times. */
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
}
