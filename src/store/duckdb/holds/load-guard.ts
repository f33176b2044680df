/** Inputs of the checks of loads, and the shares that they compare. */

import type { PublishedQuotes } from '../../../base/published-quotes.ts';
import type { LoadedFile } from '../candles/insert-rows.ts';
import type { SeriesHold } from './series-hold.ts';

/** Checks that look at large loads only. */
export const COUNTED = ['refused rows', 'moved prices'] as const;

export interface LoadGuard {
  /**
   * True for scheduled loads, which are checked however small, since no person sees their counts.
   */
  isScheduled: boolean;
  /** Undefined while nothing is published. */
  published: PublishedQuotes | undefined;
  /** Symbols whose checks a person has decided. */
  accepted?: ReadonlySet<string>;
  /** Counts rejected rows that will be good once their session is over. */
  earlyRows(): number;
}

/** A segment and its checks; undefined: it is not checked. */
export interface Guarded<Segment> {
  segment: Segment;
  guard?: LoadGuard;
}

export interface LoadedRows {
  accepted: number;
  rejected: number;
  files: readonly LoadedFile[];
  /** First new series in the table of bars; undefined: the rows were merged. */
  newFromSeriesId: number | undefined;
  /** Symbols of the files' securities, by file. */
  symbols: readonly string[];
  /** Reasons found while the served series were recomputed. */
  holds: readonly SeriesHold[];
}

/** Returns a share and its bound in percent: `2.1 %, at most 1 %`. */
export function overShare(share: number, most: number): string {
  return `${(share * 100).toFixed(1)} %, at most ${most * 100} %`;
}
