/** `status.json`: how fresh the published data is, for `status` and `/readyz`. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAILY_INTERVALS, type DailyInterval } from '../../intervals.ts';
import { DurableFile } from './durable-file.ts';
import type { PublishedVersion } from './published-version.ts';

export const STATUS_NAME = 'status.json';

export interface ServingStatus {
  /** `Snapshot.id` of the version that this describes. */
  snapshotId: string;
  version: number;
  /** ISO date-time of the publish. */
  publishedAt: string;
  datasets: {
    candles: {
      symbols: number;
      rows: Record<DailyInterval, number>;
      /** ISO date-time at which the newest daily bar ended; null without symbols. */
      newestBarEnd: string | null;
      /** Symbols whose newest daily bar is older than that. */
      staleSymbols: number;
    };
  };
}

export function servingStatus(version: PublishedVersion): ServingStatus {
  const rows = { '1d': 0, '1w': 0, '1M': 0 };
  const barEndsMs = version.symbols.map((name) => {
    for (const interval of DAILY_INTERVALS) rows[interval] += version.rowCount(name, interval);
    return version.quote(name)?.timestampMs ?? Number.NEGATIVE_INFINITY;
  });
  const newestMs = barEndsMs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return {
    snapshotId: version.id,
    version: version.manifest.version,
    publishedAt: new Date(version.createdMs).toISOString(),
    datasets: {
      candles: {
        symbols: barEndsMs.length,
        rows,
        newestBarEnd: barEndsMs.length > 0 ? new Date(newestMs).toISOString() : null,
        staleSymbols: barEndsMs.filter((ms) => ms < newestMs).length,
      },
    },
  };
}

/** Replaces the folder's status by a rename. */
export async function writeServingStatus(folder: string, status: ServingStatus): Promise<void> {
  const file = new DurableFile({ path: folder }, STATUS_NAME);
  file.write(Buffer.from(`${JSON.stringify(status, undefined, 2)}\n`));
  await file.finish();
}

/** @returns undefined while nothing is published; also when damaged: the next publish rewrites it. */
export function readServingStatus(folder: string): ServingStatus | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, STATUS_NAME), 'utf8'));
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isMissing || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
