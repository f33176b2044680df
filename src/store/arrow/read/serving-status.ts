/** `status.json`: how fresh the published data is, for `status` and `/readyz`. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { ifExists } from '../../../base/copy-file.ts';
import { writeDurable } from '../../../base/durable-file.ts';
import { CorruptDataError } from '../../../base/errors.ts';
import { intradayBarEndMs, sessionEndMs } from '../../../base/time/calendar.ts';
import { dayFromMillis } from '../../../base/time/dates.ts';
import {
  DAILY_INTERVALS,
  type DailyInterval,
  SERVED_INTERVALS,
  STORED_INTRADAY,
  type StoredIntraday,
} from '../../../base/time/intervals.ts';
import type { IntradayPart } from './intraday-part.ts';
import type { OpenLayer } from './layer.ts';
import type { PublishedVersion } from './published-version.ts';

export const STATUS_NAME = 'status.json';

export interface ServingStatus {
  snapshotId: string;
  version: number;
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

/**
 * Counts the rows of all series of an interval by symbol number, from the indexes alone.
 *
 * @param layers Oldest first.
 */
function rowCounts(
  layers: readonly OpenLayer[],
  interval: number,
  symbolCount: number,
): Uint32Array {
  const counts = new Uint32Array(symbolCount);
  for (const { parts } of layers) {
    // A part supersedes all from its first row on, so that the last one ends the series.
    for (let part = 0; part < parts.symbol.length; part++) {
      if (parts.interval[part] !== interval) continue;
      counts[parts.symbol[part]] = parts.row_start[part] + parts.rows[part];
    }
  }
  return counts;
}

function isoText(ms: number): string {
  return new Date(ms).toISOString();
}

/** Replaces the folder's status by a rename. Like the manifest it ends with its own checksum. */
export async function writeServingStatus(folder: string, status: ServingStatus): Promise<void> {
  const content = `${JSON.stringify({ ...status, crc32: checksum(status) }, undefined, 2)}\n`;
  await writeDurable(folder, STATUS_NAME, Buffer.from(content));
}

/**
 * @returns Undefined while nothing is published.
 * @throws {CorruptDataError} It is damaged; the next publish replaces it.
 */
export function readServingStatus(folder: string): ServingStatus | undefined {
  return readStored(folder)?.status;
}

/**
 * Returns true if the folder's status is whole and belongs to a version. A crash may have come
 * between a manifest and its status.
 */
export function isStatusOf(folder: string, snapshotId: string): boolean {
  try {
    const stored = readStored(folder);
    return stored?.isChecked === true && stored.status.snapshotId === snapshotId;
  } catch (error) {
    if (error instanceof CorruptDataError) return false;
    throw error;
  }
}

function readStored(folder: string): { status: ServingStatus; isChecked: boolean } | undefined {
  const path = join(folder, STATUS_NAME);
  const text = ifExists(() => readFileSync(path, 'utf8'));
  if (text === undefined) return undefined;
  try {
    const { crc32: stored, ...status } = JSON.parse(text);
    if (stored === undefined || stored === checksum(status)) {
      return { status, isChecked: stored !== undefined };
    }
  } catch (cause) {
    throw new CorruptDataError(`"${path}" is not JSON`, { cause });
  }
  throw new CorruptDataError(`"${path}" does not match its checksum`);
}

function checksum(status: object): number {
  return crc32(JSON.stringify(status));
}
