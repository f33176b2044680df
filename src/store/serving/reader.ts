/** The newest published version, followed by polling. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { CorruptDataError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { emptySnapshot } from './empty-snapshot.ts';
import { MANIFEST_NAME, readManifest } from './manifest.ts';
import { PublishedVersion } from './published-version.ts';
import { screenerTable } from './screener-table.ts';
import type {
  Listings,
  ScreenerTable,
  ServingOptions,
  ServingReader,
  Snapshot,
} from './snapshot.ts';
import { readTable } from './table-file.ts';
import { DIRECTORY_TABLE, QUOTE_TABLE, SYMBOL_TABLE } from './tables.ts';

/** How often a version may be replaced while it is being opened before something is wrong. */
const OPEN_ATTEMPTS_MAX = 10;

/**
 * Opens the version that is published now.
 *
 * @param previous Its open files are shared.
 * @returns undefined while nothing is published.
 * @throws {CorruptDataError} a file is damaged or missing.
 */
export function openPublished(
  folder: string,
  previous?: PublishedVersion,
): PublishedVersion | undefined {
  for (let attempt = 1; ; attempt++) {
    const manifest = readManifest(folder);
    if (!manifest) return undefined;
    try {
      return new PublishedVersion(folder, manifest, previous);
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isMissing) throw error;
      // Two publishes since the manifest was read remove the files it names: read it again.
      const isCurrent = readManifest(folder)?.version === manifest.version;
      if (isCurrent || attempt === OPEN_ATTEMPTS_MAX) {
        throw new CorruptDataError(`version ${manifest.version} in "${folder}" lacks a file`, {
          cause: error,
        });
      }
    }
  }
}

/**
 * Opens the serving folder of one mode. The folder need not exist yet.
 *
 * Looks at the manifest every `pollMs` and opens a newer version beside the one in use. Files of
 * a version are closed when its snapshot is garbage: nobody has to give anything back.
 *
 * @param dir `ModePaths.serving`.
 * Damage does not stop the reader: `current` throws until a version that can be opened appears.
 */
export function openServing(dir: string, options: ServingOptions = {}): ServingReader {
  const { prepare = async () => {}, onError = () => {} } = options;
  let stamp = manifestStamp(dir);
  let published: PublishedVersion | undefined;
  let failure: Error | undefined;
  let isClosed = false;
  let isOpening = false;
  const fail = (error: unknown) => {
    failure = error as Error;
    onError(failure);
  };
  /** Gives the version of the manifest to readers, prepared. */
  const open = async () => {
    const opened = openPublished(dir, published);
    if (opened) await prepare(opened);
    if (isClosed) opened?.close();
    else published = opened;
    failure = undefined;
  };
  const poll = () => {
    const newStamp = manifestStamp(dir);
    if (newStamp === stamp || isOpening) return;
    stamp = newStamp;
    isOpening = true;
    open()
      .catch(fail)
      .finally(() => {
        isOpening = false;
      });
  };
  try {
    published = openPublished(dir);
    if (published) prepare(published).catch(fail);
  } catch (error) {
    fail(error);
  }
  const current = (): Snapshot => {
    // A newer version that is damaged leaves the older one in use.
    if (!published && failure) throw failure;
    return published ?? emptySnapshot;
  };
  const recentScreener = createRecentScreeners(dir, () => published);
  const timer = setInterval(poll, options.pollMs ?? limits.serving.pollMs).unref();
  return {
    current,
    state() {
      if (published) return 'ready';
      return failure ? 'damaged' : 'empty';
    },
    screenerOf: (id) => (id === current().id ? current().screener() : recentScreener(id)),
    listingsOf: (id) =>
      id === current().id ? current().listings : recentListings(dir, published, id),
    close() {
      isClosed = true;
      clearInterval(timer);
      published?.close();
    },
  };
}

/** Tables of the versions that the newest one keeps, read when first asked for. */
function createRecentScreeners(
  dir: string,
  newest: () => PublishedVersion | undefined,
): (id: string) => ScreenerTable | undefined {
  const tables = new Map<string, ScreenerTable>();
  return (id) => {
    const recent = newest()?.manifest.recent ?? [];
    for (const known of tables.keys()) {
      if (!recent.some((version) => version.id === known)) tables.delete(known);
    }
    const version = recent.find((candidate) => candidate.id === id);
    if (!version || tables.has(id)) return tables.get(id);
    try {
      const quotes = readTable(dir, version.quotes, QUOTE_TABLE);
      const names = readTable(dir, version.symbols, SYMBOL_TABLE).symbol;
      const listings = readTable(dir, version.directory, DIRECTORY_TABLE);
      const table = screenerTable(id, names, quotes, listings);
      tables.set(id, table);
      return table;
    } catch (error) {
      // A publish that this reader has not seen yet dropped the version.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };
}

/** Read each time unless the newest version has the same: directories seldom change. */
function recentListings(
  dir: string,
  newest: PublishedVersion | undefined,
  id: string,
): Listings | undefined {
  const recent = newest?.manifest.recent.find((version) => version.id === id);
  if (!newest || !recent) return undefined;
  if (recent.directory.name === newest.manifest.directory.name) return newest.listings;
  try {
    return readTable(dir, recent.directory, DIRECTORY_TABLE);
  } catch (error) {
    // A publish that this reader has not seen yet dropped the version.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Changes whenever the manifest is replaced: a rename brings another inode and time. */
function manifestStamp(dir: string): string {
  const stats = statSync(join(dir, MANIFEST_NAME), { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.ino}:${stats.mtimeNs}` : '';
}
