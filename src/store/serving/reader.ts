/** The newest published version, followed by polling. */

import { CorruptDataError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { emptySnapshot } from './empty-snapshot.ts';
import { manifestStamp, readManifest } from './manifest.ts';
import { PublishedVersion } from './published-version.ts';
import type { RecentVersion } from './recent-versions.ts';
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
 * Looks at the manifest every `pollMs`, or when it is told to, and opens a newer version beside the one in use. Files of
 * a version are closed when its snapshot is garbage: nobody has to give anything back.
 *
 * @param dir `ModePaths.serving`.
 * Damage does not stop the reader: `current` throws until a version that can be opened appears. One
 * that could not be opened is tried again, as the reason may have passed: a full table of files.
 */
export function openServing(dir: string, options: ServingOptions = {}): ServingReader {
  const follower = followNewest(dir, options);
  const { newest } = follower;
  const current = (): Snapshot => {
    const failure = follower.failure();
    // A newer version that is damaged leaves the older one in use.
    if (!newest() && failure) throw failure;
    return newest() ?? emptySnapshot;
  };
  const recentScreener = createRecentScreeners(dir, newest);
  const screenerOf = (id: string) =>
    id === current().id ? current().screener() : recentScreener(id);
  const listingsOf = (id: string) =>
    id === current().id ? current().listings : recentListings(dir, newest(), id);
  return {
    current,
    state() {
      if (newest()) return 'ready';
      return follower.failure() ? 'damaged' : 'empty';
    },
    // Another thread, which has opened a newer version before this one, gives its id away.
    screenerOf: (id) => screenerOf(id) ?? (follower.catchUp() ? screenerOf(id) : undefined),
    listingsOf: (id) => listingsOf(id) ?? (follower.catchUp() ? listingsOf(id) : undefined),
    close: follower.close,
  };
}

interface Follower {
  /** The newest version that could be opened. */
  newest(): PublishedVersion | undefined;
  /** Why the newest of all could not be. */
  failure(): Error | undefined;
  /** Opens a newer version at once, unprepared. @returns whether there was one. */
  catchUp(): boolean;
  close(): void;
}

function followNewest(dir: string, options: ServingOptions): Follower {
  const { prepare = async () => {}, onError = () => {}, pollMs = limits.serving.pollMs } = options;
  let stamp = manifestStamp(dir);
  let published: PublishedVersion | undefined;
  let failure: Error | undefined;
  let retryAtMs = Number.POSITIVE_INFINITY;
  let isClosed = false;
  let isOpening = false;
  const fail = (error: unknown) => {
    const isTold = failure?.message === (error as Error).message;
    failure = error as Error;
    retryAtMs = performance.now() + limits.serving.retryMs;
    if (!isTold) onError(failure);
  };
  /** Gives the version of the manifest to readers, prepared. */
  const open = async () => {
    const before = published;
    const opened = openPublished(dir, before);
    if (!opened && before) throw new CorruptDataError(`the manifest in "${dir}" is gone`);
    if (opened) await prepare(opened);
    if (isClosed) opened?.close();
    else if (published === before) published = opened;
    failure = undefined;
    retryAtMs = Number.POSITIVE_INFINITY;
  };
  const look = () => {
    const newStamp = manifestStamp(dir);
    const isDue = newStamp !== stamp || performance.now() >= retryAtMs;
    if (!isDue || isOpening || isClosed) return;
    stamp = newStamp;
    isOpening = true;
    open()
      .catch(fail)
      .finally(() => {
        isOpening = false;
        look();
      });
  };
  try {
    published = openPublished(dir);
    if (published) prepare(published).catch(fail);
  } catch (error) {
    fail(error);
  }
  const { watch = everyPoll(pollMs) } = options;
  const unwatch = watch(look);
  return {
    newest: () => published,
    failure: () => failure,
    catchUp() {
      const before = published;
      try {
        if (readManifest(dir)?.version !== before?.manifest.version) {
          published = openPublished(dir, before) ?? before;
        }
      } catch {
        // The next look reports it.
      }
      return published !== before;
    },
    close() {
      isClosed = true;
      unwatch();
      published?.close();
    },
  };
}

/**
 * Tables of the versions that the newest one keeps, read when first asked for. Those asked for last
 * stay in memory: with a publish every few seconds there are hundreds of versions.
 */
function createRecentScreeners(
  dir: string,
  newest: () => PublishedVersion | undefined,
): (id: string) => ScreenerTable | undefined {
  // A Map iterates in order of insertion: the first was asked for longest ago.
  const tables = new Map<string, ScreenerTable>();
  return (id) => {
    const recent = newest()?.manifest.recent ?? [];
    const version = recent.find((candidate) => candidate.id === id);
    const known = tables.get(id);
    tables.delete(id);
    if (!version) return undefined;
    try {
      const table = known ?? readScreener(dir, version);
      tables.set(id, table);
      for (const oldest of tables.keys()) {
        if (tables.size <= limits.serving.recentScreenersMax) break;
        tables.delete(oldest);
      }
      return table;
    } catch (error) {
      // A publish that this reader has not seen yet dropped the version.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };
}

function readScreener(dir: string, version: RecentVersion): ScreenerTable {
  const quotes = readTable(dir, version.quotes, QUOTE_TABLE);
  const names = readTable(dir, version.symbols, SYMBOL_TABLE).symbol;
  const listings = readTable(dir, version.directory, DIRECTORY_TABLE);
  return screenerTable(version.id, names, quotes, listings);
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

function everyPoll(pollMs: number): NonNullable<ServingOptions['watch']> {
  return (look) => {
    const timer = setInterval(look, pollMs).unref();
    return () => clearInterval(timer);
  };
}
