/** `status.json`: how fresh the published data is, for `status` and `/readyz`. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { intradayBarEndMs, sessionEndMs } from '../../calendar.ts';
import { dayFromMillis } from '../../dates.ts';
import {
  DAILY_INTERVALS,
  type DailyInterval,
  SERVED_INTERVALS,
  STORED_INTRADAY,
  type StoredIntraday,
} from '../../intervals.ts';
import { writeDurable } from './durable-file.ts';
import type { IntradayPart } from './intraday-part.ts';
import type { PublishedVersion } from './published-version.ts';
import { rowCounts } from './row-counts.ts';

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
    /** Undefined while there are no intraday bars. */
    intraday?: Record<StoredIntraday, IntradayStatus>;
  };
}

export interface IntradayStatus {
  symbols: number;
  rows: number;
  /** ISO date-time at which the newest bar ended; null without bars. */
  newestBarEnd: string | null;
}

export function servingStatus(version: PublishedVersion): ServingStatus {
  const { intradayPart } = version;
  return {
    snapshotId: version.id,
    version: version.manifest.version,
    publishedAt: new Date(version.createdMs).toISOString(),
    datasets: {
      candles: dailyStatus(version),
      ...(intradayPart && { intraday: intradayStatus(version, intradayPart) }),
    },
  };
}

function dailyStatus(version: PublishedVersion): ServingStatus['datasets']['candles'] {
  const { directory, layers, symbols } = version;
  const rows = { '1d': 0, '1w': 0, '1M': 0 };
  for (const interval of DAILY_INTERVALS) {
    const place = SERVED_INTERVALS.indexOf(interval);
    const counts = rowCounts(layers, place, directory.names.length);
    for (const name of symbols) rows[interval] += counts[directory.number(name) as number];
  }
  let newestUs: bigint | undefined;
  const lastBars = symbols.map((name) => {
    const lastUs = version.lastTimestamp(name, '1d') as bigint;
    if (newestUs === undefined || lastUs > newestUs) newestUs = lastUs;
    return lastUs;
  });
  const newestDay = newestUs === undefined ? undefined : dayFromMillis(Number(newestUs) / 1000);
  return {
    symbols: symbols.length,
    rows,
    newestBarEnd: newestDay === undefined ? null : isoText(sessionEndMs(newestDay)),
    staleSymbols: lastBars.filter((lastUs) => lastUs !== newestUs).length,
  };
}

function intradayStatus(
  version: PublishedVersion,
  part: IntradayPart,
): Record<StoredIntraday, IntradayStatus> {
  const statuses = STORED_INTRADAY.map((interval) => {
    const symbols = part.symbols(interval);
    const place = SERVED_INTERVALS.indexOf(interval);
    const counts = rowCounts(part.layers, place, part.seriesCount);
    let rows = 0;
    let newestUs: bigint | undefined;
    for (const [name, number] of symbols) {
      rows += counts[number];
      const lastUs = version.lastTimestamp(name, interval);
      if (lastUs !== undefined && (newestUs === undefined || lastUs > newestUs)) newestUs = lastUs;
    }
    const newestBarEnd =
      newestUs === undefined ? null : isoText(intradayBarEndMs(Number(newestUs) / 1000, interval));
    return [interval, { symbols: symbols.size, rows, newestBarEnd }];
  });
  return Object.fromEntries(statuses);
}

function isoText(ms: number): string {
  return new Date(ms).toISOString();
}

/** Replaces the folder's status by a rename. */
export async function writeServingStatus(folder: string, status: ServingStatus): Promise<void> {
  const content = `${JSON.stringify(status, undefined, 2)}\n`;
  await writeDurable(folder, STATUS_NAME, Buffer.from(content));
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
