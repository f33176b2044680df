/**
 * `manifest.json`: the one file that says what is published. It is replaced by a rename, so a
 * reader sees the old version or the new one.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { CorruptDataError, StoreBusyError } from '../../errors.ts';
import type { DailyInterval } from '../../intervals.ts';
import { limits } from '../../limits.ts';
import { DurableFile, type DurableFolder, syncFolder } from './durable-file.ts';

export const MANIFEST_NAME = 'manifest.json';

/** Raised when files of an older program can't be read any more. */
export const FORMAT = 2;

/** An Arrow file of one record batch that is read whole. */
export interface TableRef {
  name: string;
  bytes: number;
  rowCount: number;
  /** Offset and length of the batch's body, and its CRC-32. */
  bodyOffset: number;
  bodyBytes: number;
  crc32: number;
  /** Length of the text of each utf8 column. */
  textBytes: number[];
}

export interface VolumeFile {
  name: string;
  bytes: number;
}

/**
 * `closed`: bars up to the end of last year, a batch per symbol. `current`: this year's, a batch
 * per symbol. `slices`: the newest bars of all symbols, a batch per interval. `patches`: whole
 * series, a batch per symbol and interval.
 */
export type VolumeRole = 'closed' | 'current' | 'slices' | 'patches';

/** Candles and the indicator columns of the same rows; one file in slices and patches. */
export interface Volume {
  role: VolumeRole;
  /** Undefined where batches of all intervals share the file. */
  interval?: DailyInterval;
  candles: VolumeFile;
  indicators: VolumeFile;
}

/** What one publish added; later layers supersede earlier ones. */
export interface Layer {
  volumes: Volume[];
  index: TableRef;
  batches: TableRef;
}

/** A version that was replaced lately: what a walk through its screener still needs. */
export interface RecentVersion {
  /** Its `Snapshot.id`. */
  id: string;
  supersededMs: number;
  quotes: TableRef;
  directory: TableRef;
}

export interface Manifest {
  format: number;
  /** Rises by one with every publish. */
  version: number;
  /** Fencing number of the writer; a lower one may not replace a higher one. */
  epoch: number;
  /** Highest `changes.seq` of the market store that is included. */
  seq: number;
  /** Names the load that `seq` is of, as `readStoreMark` does. */
  storeMark: string;
  createdMs: number;
  /** Bars from 1 January of this year on were in the `current` volumes at the last fold. */
  currentYear: number;
  indicatorColumns: string[];
  symbols: TableRef;
  actions: TableRef;
  quotes: TableRef;
  directory: TableRef;
  layers: Layer[];
  /** Newest first. */
  recent: RecentVersion[];
}

/** `Snapshot.id` of the version that a manifest describes. */
export function snapshotId({ version, createdMs }: Manifest): string {
  return `${version.toString(36)}-${createdMs.toString(36)}`;
}

/**
 * The published manifest; undefined while nothing is published, or only files of an older format,
 * which the next publish replaces.
 *
 * @throws {CorruptDataError} it is damaged or of a newer format.
 */
export function readManifest(folder: string): Manifest | undefined {
  const path = join(folder, MANIFEST_NAME);
  const text = readTextIfExists(path);
  if (text === undefined) return undefined;
  try {
    const { crc32: stored, ...manifest } = JSON.parse(text);
    if (stored === checksum(manifest) && manifest.format <= FORMAT) {
      return manifest.format === FORMAT ? manifest : undefined;
    }
  } catch (cause) {
    throw new CorruptDataError(`"${path}" is not JSON`, { cause });
  }
  throw new CorruptDataError(
    `"${path}" does not match its checksum or has a format above ${FORMAT}`,
  );
}

function readTextIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * The recent versions once `published` is replaced: each is kept while it is among the newest or
 * was replaced lately.
 */
export function recentVersions(published: Manifest | undefined, nowMs: number): RecentVersion[] {
  if (!published) return [];
  const { quotes, directory } = published;
  const replaced = { id: snapshotId(published), supersededMs: nowMs, quotes, directory };
  const { recentVersionsMin, recentMs } = limits.serving;
  return [replaced, ...published.recent].filter(
    ({ supersededMs }, age) => age < recentVersionsMin || nowMs - supersededMs < recentMs,
  );
}

function checksum(manifest: object): number {
  return crc32(JSON.stringify(manifest));
}

/**
 * Makes `manifest` the published one; its files must be durable under their names already.
 *
 * @throws {StoreBusyError} another writer published since `manifest` was begun.
 */
export async function swapManifest(folder: DurableFolder, manifest: Manifest): Promise<void> {
  const published = readManifest(folder.path);
  const isNext = (published?.version ?? 0) + 1 === manifest.version;
  if (!isNext || (published?.epoch ?? 0) > manifest.epoch) {
    throw new StoreBusyError(
      `epoch ${published?.epoch}`,
      `Version ${manifest.version} can't be published over version ${published?.version}: ` +
        'another writer has published',
    );
  }
  const file = new DurableFile(folder, MANIFEST_NAME);
  file.write(Buffer.from(JSON.stringify({ ...manifest, crc32: checksum(manifest) })));
  await file.finish();
  syncFolder(folder);
}

/** Names of all files that a version is made of, its manifest and recent tables included. */
export function filesOf(manifest: Manifest): Set<string> {
  const names = new Set([MANIFEST_NAME, manifest.symbols.name, manifest.actions.name]);
  for (const { quotes, directory } of [manifest, ...manifest.recent]) {
    names.add(quotes.name).add(directory.name);
  }
  for (const { volumes, index, batches } of manifest.layers) {
    names.add(index.name).add(batches.name);
    for (const { candles, indicators } of volumes) names.add(candles.name).add(indicators.name);
  }
  return names;
}
