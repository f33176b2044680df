/** The newest published version, followed by polling. */

import { CorruptDataError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits/limits.ts';
import { manifestStamp, readManifest } from '../format/manifest.ts';
import { emptySnapshot } from '../snapshot/empty-snapshot.ts';
import type {
  ScreenerTable,
  ServingOptions,
  ServingReader,
  Snapshot,
} from '../snapshot/snapshot.ts';
import { openVersion } from './open-version.ts';
import type { PublishedVersion } from './published-version.ts';
import { createRecentScreeners, recentListings } from './recent-tables.ts';

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
      return openVersion(folder, manifest, previous);
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
  const recentScreener = createRecentScreeners(dir, newest, follower.replaced);
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
    damage() {
      const failure = follower.failure();
      return failure instanceof CorruptDataError ? failure : newest()?.damage;
    },
    close: follower.close,
  };
}

interface Follower {
  /** The newest version that could be opened. */
  newest(): PublishedVersion | undefined;
  /** The screener of the version before, if somebody has asked for it. */
  replaced(): ScreenerTable | undefined;
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
  let replaced: ScreenerTable | undefined;
  let failure: Error | undefined;
  let retryAtMs = Number.POSITIVE_INFINITY;
  let isClosed = false;
  let isOpening = false;
  const fail = (error: unknown) => {
    if (isClosed) return;
    const isTold = failure?.message === (error as Error).message;
    failure = error as Error;
    retryAtMs = performance.now() + limits.serving.retryMs;
    if (!isTold) onError(failure);
  };
  const replaceBy = (opened: PublishedVersion | undefined) => {
    replaced = published?.madeScreener;
    published = opened;
  };
  /** Gives the version of the manifest to readers, prepared. */
  const open = async () => {
    const before = published;
    const opened = openPublished(dir, before);
    if (!opened && before) throw new CorruptDataError(`the manifest in "${dir}" is gone`);
    if (opened) await prepare(opened);
    if (isClosed) opened?.close();
    else if (published === before) replaceBy(opened);
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
    replaced: () => replaced,
    failure: () => failure,
    catchUp() {
      const before = published;
      try {
        if (readManifest(dir)?.version !== before?.manifest.version) {
          const opened = openPublished(dir, before);
          if (opened) replaceBy(opened);
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

function everyPoll(pollMs: number): NonNullable<ServingOptions['watch']> {
  return (look) => {
    const timer = setInterval(look, pollMs).unref();
    return () => clearInterval(timer);
  };
}
