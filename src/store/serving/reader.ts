/** The newest published version, followed by polling. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { CorruptDataError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { emptySnapshot } from './empty-snapshot.ts';
import { MANIFEST_NAME, readManifest } from './manifest.ts';
import { PublishedVersion } from './published-version.ts';
import { screenerTable } from './screener-table.ts';
import type { ScreenerTable, ServingOptions, ServingReader, Snapshot } from './snapshot.ts';
import { readTable } from './table-file.ts';
import { DIRECTORY_TABLE, QUOTE_TABLE } from './tables.ts';

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
  let stamp = manifestStamp(dir);
  let published: PublishedVersion | undefined;
  let failure: Error | undefined;
  const open = () => {
    try {
      published = openPublished(dir, published);
      failure = undefined;
    } catch (error) {
      failure = error as Error;
      options.onError?.(failure);
    }
  };
  const poll = () => {
    const newStamp = manifestStamp(dir);
    if (newStamp === stamp) return;
    stamp = newStamp;
    open();
  };
  open();
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
    close() {
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
      const table = screenerTable(id, quotes, readTable(dir, version.directory, DIRECTORY_TABLE));
      tables.set(id, table);
      return table;
    } catch (error) {
      // A publish that this reader has not seen yet dropped the version.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };
}

/** Changes whenever the manifest is replaced: a rename brings another inode and time. */
function manifestStamp(dir: string): string {
  const stats = statSync(join(dir, MANIFEST_NAME), { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.ino}:${stats.mtimeNs}` : '';
}
