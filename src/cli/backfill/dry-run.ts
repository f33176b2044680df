/** The report of `backfill … --plan`: requests, time under the vendor's limit, disk space. */

import type { VendorSettings } from '../../base/config/config.ts';
import { countText } from '../../base/count-text.ts';
import { limits } from '../../base/limits.ts';
import type { DryRun } from '../../ingest/contract/source.ts';
import { type Host, paceOf } from '../../ingest/http/host.ts';
import { durationText } from '../output.ts';

export interface DryRunReport {
  requests: number;
  /** Rate that the vendor allows; null for a stand-in without a limit. */
  limit: { requests: number; windowS: number } | null;
  /** Least time, without retries. */
  seconds: number;
  /** Most bars; fewer where symbols were listed later. */
  bars: number;
  /** Rows of other datasets, about. */
  rows: number;
  /** Size of whole files, about. */
  downloadBytes: number;
  /** Most bytes of segments, store and serving files together. */
  diskBytes: number;
}

/** Usual time of a response, and usual speed of a download. */
const ANSWER_S = 0.5;
const DOWNLOAD_BYTES_PER_S = 20_000_000;
const MILLIS_PER_SECOND = 1000;

export function dryRunReport(
  host: Host,
  { requests, bars, rows = 0, downloadBytes = 0, requestsAtOnce = 1 }: DryRun,
  settings: VendorSettings,
): DryRunReport {
  const pace = paceOf(host, settings);
  const limit = pace ? { requests: pace.requests, windowS: pace.windowS } : null;
  // A whole window passes between the first request of a full bucket and the one after it.
  const waitedS = limit
    ? Math.floor(Math.max(0, requests - 1) / limit.requests) * limit.windowS
    : 0;
  const apartS = Math.max((pace?.gapMs ?? 0) / MILLIS_PER_SECOND, ANSWER_S / requestsAtOnce);
  return {
    requests,
    limit,
    seconds: Math.max(waitedS, requests * apartS) + downloadBytes / DOWNLOAD_BYTES_PER_S,
    bars,
    rows,
    downloadBytes,
    diskBytes:
      bars * limits.store.diskBytesPerBar + rows * limits.store.diskBytesPerRow + downloadBytes,
  };
}

export function dryRunLines(report: DryRunReport): string[] {
  const { requests, limit, seconds, bars, rows, downloadBytes, diskBytes } = report;
  const pace = limit ? `${limit.requests} in ${limit.windowS} s` : 'no limit';
  return [
    `requests: ${countText(requests)} (${pace})`,
    `time: at least ${durationText(seconds)}`,
    ...(bars > 0 || rows === 0 ? [`bars: at most ${countText(bars)}`] : []),
    ...(rows > 0 ? [`rows: about ${countText(rows)}`] : []),
    ...(downloadBytes > 0
      ? [`download: about ${countText(Math.ceil(downloadBytes / 1e6))} MB`]
      : []),
    `disk: at most ${countText(Math.ceil(diskBytes / 1e6))} MB`,
  ];
}
