/**
 * `manifest.json`: the one file that says what is published. It is replaced by a rename, so a
 * reader sees the old version or the new one.
 */

import { hash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder, writeDurable } from '../../../base/durable-file.ts';
import { CorruptDataError, StoreBusyError } from '../../../base/errors.ts';
import type { ServedInterval } from '../../../base/time/intervals.ts';
import { filesOfLists, type ListsManifest } from '../lists/manifest.ts';
import type { RecentVersion } from '../read/recent-versions.ts';
import type { ColumnType } from './batch-layout.ts';
import { manifestFromText, textFromManifest } from './manifest-text.ts';

export const MANIFEST_NAME = 'manifest.json';

/** Raised when files of an older program can't be read any more. */
export const FORMAT = 4;

/** An Arrow file of one record batch that is read whole. */
export interface TableRef {
  name: string;
  bytes: number;
  rowCount: number;
  /** Offset and length of the batch's body, and its CRC-32. */
  bodyOffset: number;
  bodyBytes: number;
  crc32: number;
  /** Types of the columns in the file: unsigned integers are as narrow as their values allow. */
  types: ColumnType[];
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
 *
 * Of intraday bars, `runs`: many slices put together, the rows of a symbol too; `days`: runs put
 * together, a batch per symbol and interval; `months`: a month's bars of one interval, a batch per
 * symbol.
 */
export type VolumeRole = 'closed' | 'current' | 'slices' | 'patches' | 'runs' | 'days' | 'months';

/**
 * Candles and the indicator columns of the same rows; one file in slices and patches. Intraday
 * bars have no indicator columns: there too both are the one file.
 */
export interface Volume {
  role: VolumeRole;
  /** Undefined where batches of all intervals share the file. */
  interval?: ServedInterval;
  /** Of `months`: `YYYY-MM`, in UTC. */
  month?: string;
  candles: VolumeFile;
  indicators: VolumeFile;
}

/** A file of saved states, as `state-file.ts` describes it. */
export interface StateRef extends VolumeFile {
  symbolCount: number;
  /** CRC-32 of the file. */
  crc32: number;
}

/** What one publish added; later layers supersede earlier ones. */
export interface Layer {
  volumes: Volume[];
  index: TableRef;
  batches: TableRef;
  /**
   * States of the daily series that the layer holds whole, for the next publish to go on from;
   * undefined in layers of slices, which are gone through again instead.
   */
  states?: StateRef;
}

/** Sizes of intraday layers: what one publish added, and what folding makes of many, rising. */
export const INTRADAY_TIERS = ['slice', 'run', 'day', 'month'] as const;

export type IntradayTier = (typeof INTRADAY_TIERS)[number];

export interface IntradayLayer extends Layer {
  tier: IntradayTier;
}

/** The intraday part of a version: it is numbered, laid in layers and folded for itself. */
export interface IntradayManifest {
  /** A row per symbol and interval, which is the symbol's number in the index of these layers. */
  series: TableRef;
  /** Later layers supersede earlier ones. */
  layers: IntradayLayer[];
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
  /** Undefined while there are no rows but bars, as `lists` is. */
  companies?: TableRef;
  layers: Layer[];
  /** Undefined while there are no intraday bars. */
  intraday?: IntradayManifest;
  /** Undefined while there are no rows but bars. */
  lists?: ListsManifest;
  /** Newest first. */
  recent: RecentVersion[];
}

/** `Snapshot.dailyId` of the version that a manifest describes: what daily answers are read from. */
export function dailyId({
  layers,
  indicatorColumns,
  symbols,
  actions,
  directory,
}: Manifest): string {
  return nameOf([layers, indicatorColumns, symbols, actions, directory]);
}

/** `Snapshot.listsId` of the version that a manifest describes. */
export function listsId({ lists, symbols, directory }: Manifest): string {
  return nameOf([lists, symbols, directory]);
}

/** Files are named by their content: with a checksum each. */
function nameOf(files: unknown): string {
  return hash('sha256', JSON.stringify(files), 'base64url');
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
  const bytes = readIfExists(path);
  if (!bytes) return undefined;
  try {
    const manifest = manifestFromText(bytes);
    if (manifest && manifest.format <= FORMAT) {
      return manifest.format === FORMAT ? manifest : undefined;
    }
  } catch (cause) {
    throw new CorruptDataError(`"${path}" is not JSON`, { cause });
  }
  throw new CorruptDataError(
    `"${path}" does not match its checksum or has a format above ${FORMAT}`,
  );
}

/** Whether what is published is of an older format, of which nothing is served until it is published anew. */
export function isOfOlderFormat(folder: string): boolean {
  try {
    return existsSync(join(folder, MANIFEST_NAME)) && readManifest(folder) === undefined;
  } catch (error) {
    if (error instanceof CorruptDataError) return false;
    throw error;
  }
}

function readIfExists(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Makes `manifest` the published one; its files must be durable under their names already.
 *
 * @param replacesDamaged Whether the published one could not be read when `manifest` was begun.
 * @throws {StoreBusyError} another writer published since `manifest` was begun.
 */
export async function swapManifest(
  folder: string,
  manifest: Manifest,
  replacesDamaged = false,
): Promise<void> {
  const published = replacesDamaged ? undefined : readManifest(folder);
  const isNext = replacesDamaged || (published?.version ?? 0) + 1 === manifest.version;
  if (!isNext || (published?.epoch ?? 0) > manifest.epoch) {
    throw new StoreBusyError(
      `epoch ${published?.epoch}`,
      `Version ${manifest.version} can't be published over version ${published?.version}: ` +
        'another writer has published',
    );
  }
  await writeDurable(folder, MANIFEST_NAME, Buffer.from(textFromManifest(manifest)));
  syncFolder(folder);
}

/** Names of all files that a version is made of, its manifest and recent tables included. */
export function filesOf(manifest: Manifest): Set<string> {
  const names = new Set([MANIFEST_NAME, manifest.actions.name]);
  for (const { symbols, quotes, directory } of [manifest, ...manifest.recent]) {
    names.add(symbols.name).add(quotes.name).add(directory.name);
  }
  if (manifest.companies) names.add(manifest.companies.name);
  if (manifest.intraday) names.add(manifest.intraday.series.name);
  for (const { volumes, index, batches, states } of [
    ...manifest.layers,
    ...(manifest.intraday?.layers ?? []),
  ]) {
    names.add(index.name).add(batches.name);
    if (states) names.add(states.name);
    for (const { candles, indicators } of volumes) names.add(candles.name).add(indicators.name);
  }
  for (const name of filesOfLists(manifest.lists)) names.add(name);
  return names;
}

/** Changes whenever the manifest is replaced: a rename brings another inode and time. */
export function manifestStamp(dir: string): string {
  const stats = statSync(join(dir, MANIFEST_NAME), { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.ino}:${stats.mtimeNs}` : '';
}
