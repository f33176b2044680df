/** Reasons why a stored bar is not served. Pure; the ranking itself is in `winners.ts`. */

import type { Basis } from '../../../base/bars.ts';
import { sourcePriority } from '../connection/source-priority.ts';

/**
 * | reason | the bar is not served because |
 * |---|---|
 * | `lesser-source` | its source comes later in the table of sources |
 * | `older-vintage` | its series, or in a raw series its file, is of an older as-of |
 * | `older-file` | as-of is equal, and its file was modified earlier |
 * | `undecided` | all that is equal, and nothing but the greater content hash decides |
 * | `other-basis` | its series is of another basis than the best one, which it could only extend |
 * | `does-not-join` | its series does not agree with the best in five common sessions within 0.1 % |
 * | `not-merged` | the served series has no bar that day, and series are never merged by row |
 */
export type LossReason =
  | 'lesser-source'
  | 'older-vintage'
  | 'older-file'
  | 'undecided'
  | 'other-basis'
  | 'does-not-join'
  | 'not-merged';

export interface Claim {
  seriesId: number;
  source: string;
  basis: Basis;
  /** Vintage of the series; of the file that the bar came from. Microseconds. */
  seriesAsOfUs: number;
  fileAsOfUs: number;
  /** Modification time of the series; of the file that the bar came from. Microseconds. */
  seriesModifiedUs: number;
  fileModifiedUs: number;
  /** Hash of the series' one file; empty for raw series, which have many files. */
  sha256: string;
}

/** The symbol's served bar of the day. */
export interface Served {
  claim: Claim | undefined;
  basis: Basis;
  /** True if the day is between the first and the last served bar. */
  isWithin: boolean;
}

/**
 * @param isBetter True if the claim's series ranks before the served one and only failed to extend
 *   the best.
 */
export function lossReason(claim: Claim, served: Served, isBetter: boolean): LossReason {
  const winner = served.claim;
  if (!winner && served.isWithin) return 'not-merged';
  if (!winner || isBetter) return claim.basis === served.basis ? 'does-not-join' : 'other-basis';
  if (claim.seriesId === winner.seriesId) {
    if (claim.fileAsOfUs < winner.fileAsOfUs) return 'older-vintage';
    return claim.fileModifiedUs < winner.fileModifiedUs ? 'older-file' : 'undecided';
  }
  if (sourcePriority(claim.source) > sourcePriority(winner.source)) return 'lesser-source';
  if (claim.seriesAsOfUs < winner.seriesAsOfUs) return 'older-vintage';
  if (claim.seriesModifiedUs < winner.seriesModifiedUs) return 'older-file';
  return claim.sha256 < winner.sha256 ? 'undecided' : 'other-basis';
}
