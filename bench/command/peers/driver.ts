/** A peer as the bench of indicators drives it, wherever it runs. */

import type { BarColumns } from '../../../src/base/bars.ts';
import type { IndicatorRequest } from '../../../src/compute/indicators/indicator-request.ts';
import type { MeasuredProgram, MissingPeer } from '../report/document.ts';
import type { PeerColumns } from './peer.ts';

/** Ways in which a peer may compute: all values, the newest value, or one new bar. */
export type PeerMode = 'written' | 'last' | 'next';

export interface PeerDriver {
  program: MeasuredProgram;
  /** Series that it can be given at most. */
  symbolsMax: number;
  /** True if each run starts a process. */
  isProcess?: boolean;
  /** Returns true if the peer has the indicator with these parameters in this mode. */
  offers(mode: PeerMode, request: IndicatorRequest): Promise<boolean>;
  /** Returns all values of one series. */
  values(request: IndicatorRequest, place: number): Promise<PeerColumns>;
  /**
   * Computes the first `count` series.
   *
   * @returns Milliseconds that only computing took.
   */
  run(mode: PeerMode, request: IndicatorRequest, count: number): Promise<number>;
  /** Returns the places of those of the first `count` series that have too few bars for it. */
  skipped?(mode: PeerMode, request: IndicatorRequest, count: number): Promise<readonly number[]>;
  close(): Promise<void>;
}

export interface FoundPeers {
  drivers: readonly PeerDriver[];
  missing: readonly MissingPeer[];
}

/** Bars that peers are given. The last `nextBars` of each series are new ones in the mode `next`. */
export interface PeerData {
  symbols: readonly string[];
  series: readonly BarColumns[];
  nextBars: number;
}
