/**
 * `manifest.json`: the one file that names what is published. It is replaced by a rename, so a
 * reader sees the old version or the new one.
 */

import { hash } from 'node:crypto';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { MANIFEST_NAME } from '../../../base/config/data-dir.ts';
import { ifExists } from '../../../base/copy-file.ts';
import { syncFolder, writeDurable } from '../../../base/durable-file.ts';
import { CorruptDataError, StoreBusyError } from '../../../base/errors.ts';
import { readAgain } from '../../../base/read-again.ts';
import { readFileSync, statSync } from '../../../base/world/files.ts';
import { readHighWater } from './high-water.ts';
import type { Layer, ListLayer, Manifest, TableRef, VolumeFile } from './manifest-types.ts';

export { MANIFEST_NAME };

/** Raised when an older program can't read the files of this one. */
export const FORMAT = 5;

/** Files of older formats are written again; format 4 has plain minutes. */
export const OLDEST_FORMAT = 4;

/** Returns true if this program reads files of a format. */
export function isReadable(format: number | undefined): boolean {
  return format !== undefined && format >= OLDEST_FORMAT && format <= FORMAT;
}

/** Precedes the checksum of everything before it. */
const CHECKSUM = ',"crc32":';

/** Numbers in ids of versions. */
const ID_RADIX = 36;

/** Computes `Snapshot.dailyId`, which names the files that daily responses are read from. */
export function dailyId({
  layers,
  indicatorColumns,
  symbols,
  actions,
  directory,
}: Manifest): string {
  return nameOf([layers, indicatorColumns, symbols, actions, directory]);
}

/** Computes `Snapshot.listsId`. */
export function listsId({ lists, symbols, directory }: Manifest): string {
  return nameOf([lists, symbols, directory]);
}

function nameOf(files: unknown): string {
  return hash('sha256', JSON.stringify(files), 'base64url');
}

/** Computes `Snapshot.id`. */
export function snapshotId({ version, createdMs }: Manifest): string {
  return `${version.toString(ID_RADIX)}-${createdMs.toString(ID_RADIX)}`;
}

/** Returns the number of a version by its id. */
export function numberInId(id: string): number {
  return Number.parseInt(id, ID_RADIX);
}

export function textFromManifest({ recent, ...rest }: Manifest): string {
  const text = JSON.stringify({ ...rest, recent });
  return `${text.slice(0, -1)}${CHECKSUM}${crc32(text)}}`;
}

/**
 * @returns Undefined if the text does not match its checksum.
 * @throws {SyntaxError} It has none.
 */
export function manifestFromText(text: string): Manifest | undefined {
  const end = text.lastIndexOf(CHECKSUM);
  const { crc32: stored } = JSON.parse(`{${text.slice(end + 1)}`);
  const content = `${text.slice(0, end)}}`;
  return stored === crc32(content) ? JSON.parse(content) : undefined;
}

/**
 * Reads the published manifest.
 *
 * @returns Undefined while nothing is published, or only files of an older format.
 * @throws {CorruptDataError} It is damaged or of a newer format.
 */
export function readManifest(folder: string): Manifest | undefined {
  return readAgain(() => {
    const text = manifestText(folder);
    return text === undefined ? undefined : manifestOf(text, folder);
  });
}

/** Returns the published text; undefined while nothing is published. */
export function manifestText(folder: string): string | undefined {
  return ifExists(() => readFileSync(join(folder, MANIFEST_NAME), 'utf8'));
}

/** Returns the published text, which is whole. @throws as `readManifest`. */
function wholeManifestText(folder: string): string | undefined {
  return readAgain(() => {
    const text = manifestText(folder);
    if (text !== undefined) manifestOf(text, folder);
    return text;
  });
}

/** Parses the published text of a folder. @throws as `readManifest`. */
export function manifestOf(text: string, folder: string): Manifest | undefined {
  const path = join(folder, MANIFEST_NAME);
  try {
    const manifest = manifestFromText(text);
    if (manifest && manifest.format <= FORMAT) {
      return isReadable(manifest.format) ? manifest : undefined;
    }
  } catch (cause) {
    throw new CorruptDataError(`"${path}" is not JSON`, { cause });
  }
  throw new CorruptDataError(
    `"${path}" does not match its checksum or has a format above ${FORMAT}`,
  );
}

/** Position of a published version; manifests of every format have it. */
type Position = Pick<Manifest, 'format' | 'version' | 'epoch'>;

/**
 * Returns the position of a published text, also of another format: the next version follows it.
 *
 * @returns Undefined while nothing is published, or if the manifest is damaged.
 */
export function positionOf(text: string | undefined): Position | undefined {
  try {
    const manifest = text && manifestFromText(text);
    if (!manifest) return undefined;
    return { format: manifest.format, version: manifest.version ?? 0, epoch: manifest.epoch ?? 0 };
  } catch {
    return undefined;
  }
}

/** Returns the position of the published version, as `positionOf`. */
export function publishedPosition(folder: string): Position | undefined {
  return positionOf(manifestText(folder)) ?? positionOf(manifestText(folder));
}

/** Returns the highest epoch that has published into a folder, also over a damaged manifest. */
export function publishedEpoch(folder: string): number {
  return highestEpoch(folder, publishedPosition(folder));
}

function highestEpoch(folder: string, position: Position | undefined): number {
  return Math.max(position?.epoch ?? 0, readHighWater(folder).epoch);
}

/** Returns true if the published files have an older format, which is not served. */
export function isOfOlderFormat(folder: string): boolean {
  const position = publishedPosition(folder);
  return position !== undefined && position.format < OLDEST_FORMAT;
}

/**
 * Publishes a manifest whose files are already durable under their names.
 *
 * @param damaged Text that was published when `manifest` was begun, if it was damaged. This manifest
 *   replaces it only where it is there again: bad reads of a whole one differ from each other.
 * @throws {StoreBusyError} Another writer published since `manifest` was begun.
 */
export async function swapManifest(
  folder: string,
  manifest: Manifest,
  damaged?: string,
): Promise<void> {
  const text = damaged === undefined ? wholeManifestText(folder) : manifestText(folder);
  const published = positionOf(text);
  const next = published ? published.version + 1 : manifest.version;
  const isNext = damaged === undefined ? next === manifest.version : text === damaged;
  const epoch = highestEpoch(folder, published);
  if (!isNext || epoch > manifest.epoch) {
    const replaced = published ? `version ${published.version}` : "a manifest that can't be read";
    throw new StoreBusyError(
      `epoch ${epoch}`,
      `Version ${manifest.version} of epoch ${manifest.epoch} can't be published over ${replaced} ` +
        `of epoch ${epoch}: another writer has published`,
    );
  }
  await writeDurable(folder, MANIFEST_NAME, Buffer.from(textFromManifest(manifest)));
  syncFolder(folder);
}

/** Returns the names of all files of a version, its manifest and recent tables included. */
export function filesOf(manifest: Manifest): Set<string> {
  const files = [
    ...tablesOf(manifest),
    ...[...manifest.layers, ...(manifest.intraday?.layers ?? [])].flatMap(filesOfLayer),
    ...listLayersOf(manifest).flatMap((layer) => [layer.rows, ...tablesOfLists(layer)]),
    ...(manifest.figures ?? []).flatMap(({ rows, index, batches }) => [rows, index, batches]),
  ];
  return new Set([MANIFEST_NAME, ...files.map(({ name }) => name)]);
}

function filesOfLayer({ volumes, index, batches, states }: Layer): VolumeFile[] {
  const bars = volumes.flatMap(({ candles, indicators }) => [candles, indicators]);
  return [...bars, index, batches, ...(states ? [states] : [])];
}

/** Returns the tables of a version that belong to no layer. Versions share some of them. */
export function tablesOf({ recent, actions, companies, intraday, ...own }: Manifest): TableRef[] {
  const tables = [own, ...recent].flatMap((one) => [one.symbols, one.quotes, one.directory]);
  const others = [actions, companies, intraday?.series];
  return [...tables, ...others.filter((table) => table !== undefined)];
}

export function listLayersOf({ lists }: Manifest): ListLayer[] {
  return Object.values(lists?.layers ?? {}).flat();
}

export function tablesOfLists({ index, batches, ids, selection }: ListLayer): TableRef[] {
  return [index, batches, ...(ids ? [ids] : []), ...Object.values(selection ?? {})];
}

/** Returns a text that changes when the manifest is replaced. */
export function manifestStamp(dir: string): string {
  const stats = statSync(join(dir, MANIFEST_NAME), { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.ino}:${stats.mtimeNs}` : '';
}
