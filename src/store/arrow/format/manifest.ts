/**
 * `manifest.json`: the one file that says what is published. It is replaced by a rename, so a
 * reader sees the old version or the new one.
 */

import { hash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_NAME } from '../../../base/config/data-dir.ts';
import { syncFolder, writeDurable } from '../../../base/durable-file.ts';
import { CorruptDataError, StoreBusyError } from '../../../base/errors.ts';
import { manifestFromText, textFromManifest } from './manifest-text.ts';
import type { ListsManifest, Manifest } from './manifest-types.ts';

export { MANIFEST_NAME };

/** Raised when files of an older program can't be read any more. */
export const FORMAT = 4;

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

function filesOfLists(lists: ListsManifest | undefined): string[] {
  return Object.values(lists?.layers ?? {})
    .flat()
    .flatMap(({ rows, index, batches, ids, selection = {} }) => [
      ...[rows, index, batches, ...(ids ? [ids] : [])],
      ...Object.values(selection),
    ])
    .map(({ name }) => name);
}

/** Changes whenever the manifest is replaced: a rename brings another inode and time. */
export function manifestStamp(dir: string): string {
  const stats = statSync(join(dir, MANIFEST_NAME), { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.ino}:${stats.mtimeNs}` : '';
}
