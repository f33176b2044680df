/** `status.json`: how fresh the published data is, for `status` and `/readyz`. */

import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { ifExists } from '../../../base/copy-file.ts';
import { writeDurable } from '../../../base/durable-file.ts';
import { CorruptDataError } from '../../../base/errors.ts';
import { readAgain } from '../../../base/read-again.ts';
import { intradayBarEndMs, sessionEndMs } from '../../../base/time/calendar.ts';
import { dayFromMillis } from '../../../base/time/dates.ts';
import {
  DAILY_INTERVALS,
  type DailyInterval,
  SERVED_INTERVALS,
  type ServedInterval,
  STORED_INTRADAY,
  type StoredIntraday,
} from '../../../base/time/intervals.ts';
import { readFileSync } from '../../../base/world/files.ts';
import type { IntradayPart } from './intraday-part.ts';
import type { OpenLayer } from './layer.ts';
import type { PublishedVersion } from './published-version.ts';
import { newestPart } from './series-parts.ts';

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
  /** Bars outside of regular sessions, which `rows` does not count; undefined without any. */
  otherHours?: number;
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
  const numbers = symbols.map((name) => directory.number(name)!);
  const rows = DAILY_INTERVALS.map((interval) => [interval, rowsOf(layers, interval, numbers)]);
  const lastBars = symbols.map((name) => version.lastTimestamp(name, '1d')!);
  const newestUs = newestOf(lastBars);
  return {
    symbols: symbols.length,
    rows: Object.fromEntries(rows),
    newestBarEnd: newestUs === undefined ? null : isoText(sessionEndMs(dayOf(newestUs))),
    staleSymbols: lastBars.filter((lastUs) => lastUs !== newestUs).length,
  };
}

function intradayStatus(
  version: PublishedVersion,
  part: IntradayPart,
): Record<StoredIntraday, IntradayStatus> {
  const statuses = STORED_INTRADAY.map((interval) => {
    const symbols = part.symbols(interval);
    const rows = rowsOf(part.layers, interval, symbols.values());
    const lastBars = [...symbols.keys()].map((name) => version.lastTimestamp(name, interval));
    const newestUs = newestOf(lastBars.filter((lastUs) => lastUs !== undefined));
    const newestBarEnd =
      newestUs === undefined ? null : isoText(intradayBarEndMs(Number(newestUs) / 1000, interval));
    const extended = `${interval}-extended` as const;
    const otherHours = rowsOf(part.layers, extended, part.symbols(extended).values());
    const regular = { symbols: symbols.size, rows, newestBarEnd };
    return [interval, otherHours === 0 ? regular : { ...regular, otherHours }];
  });
  return Object.fromEntries(statuses);
}

function newestOf(timestampsUs: readonly bigint[]): bigint | undefined {
  return timestampsUs.reduce<bigint | undefined>(
    (newest, us) => (newest === undefined || us > newest ? us : newest),
    undefined,
  );
}

/**
 * Counts the rows of series of an interval, from the indexes alone.
 *
 * @param layers  Oldest first.
 * @param numbers Symbols of the series, by their numbers.
 */
function rowsOf(
  layers: readonly OpenLayer[],
  interval: ServedInterval,
  numbers: Iterable<number>,
): number {
  const place = SERVED_INTERVALS.indexOf(interval);
  let rows = 0;
  for (const number of numbers) rows += newestPart(layers, place, number)?.end ?? 0;
  return rows;
}

const dayOf = (us: bigint) => dayFromMillis(Number(us) / 1000);

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
  return readAgain(() => readStored(folder))?.status;
}

/**
 * Returns true if the folder's status is whole and belongs to a version. A crash may have come
 * between a manifest and its status.
 */
export function isStatusOf(folder: string, snapshotId: string): boolean {
  try {
    const stored = readAgain(() => readStored(folder));
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
