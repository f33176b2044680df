/** What a source is given to work with, and what it hands over. Types only. */

import type { Settings } from '../config.ts';
import type { ModePaths } from '../data-dir.ts';
import type { CandleSegment } from '../store/market/candle-segment.ts';

export interface FetchContext {
  paths: Pick<ModePaths, 'segments' | 'quarantine' | 'scratch'>;
  /** The run's clock: decides which daily bars are complete. Milliseconds since the epoch. */
  nowMs: number;
  settings: Pick<Settings, 'vendorUrls'>;
  /** `done` of `total` units of a named step; a step may be reported many times. */
  onProgress?: (step: string, done: number, total: number) => void;
  /** Aborting ends the fetch with the signal's reason; nothing half-written stays. */
  signal?: AbortSignal;
}

/** Something of the input that gave no rows at all, and why. */
export interface SkippedInput {
  /** File, zip member or symbol, as the user knows it. */
  name: string;
  reason: string;
}

/**
 * A segment with what was found wrong in it. It can be read until its source is asked for the
 * next segment: then its scratch files go.
 */
export interface FetchedSegment extends CandleSegment {
  skipped: SkippedInput[];
  /** Rows refused so far, by reason; grows when `examine` runs. */
  rejectedByReason: Map<string, number>;
}
