/** Follows the newest published version by polling. */

import { CorruptDataError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { clearInterval, monotonicMs, setInterval } from '../../../base/world/clock.ts';
import { manifestStamp, numberInId, readManifest } from '../format/manifest.ts';
import { emptySnapshot } from '../snapshot/empty-snapshot.ts';
import type {
  ScreenerTable,
  ServingOptions,
  ServingReader,
  Snapshot,
} from '../snapshot/snapshot.ts';
import { HeldVersions } from './held-versions.ts';
import { openVersion } from './open-version.ts';
import type { PublishedVersion } from './published-version.ts';
import { createRecentScreeners, recentListings } from './recent-tables.ts';

/** Bound on the replacements of a version while it is being opened. */
const OPEN_ATTEMPTS_MAX = 10;

/**
 * Opens the published version; undefined while nothing is published.
 *
 * @param previous Version whose open files are shared.
 * @throws {CorruptDataError} A file is damaged or missing.
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
      // Two publishes since then have removed the files that the manifest names: read it again.
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
 * Opens the serving folder of one mode, which need not exist yet.
 *
 * The reader looks at the manifest every `pollMs` and opens a newer version next to the one in
 * use. Files of a version are closed when its snapshot is garbage collected.
 *
 * Damage does not stop the reader: `current` throws until a version that can be opened appears.
 * Opening is tried again, as the reason may pass: a full table of files.
 */
export function openServing(dir: string, options: ServingOptions = {}): ServingReader {
  const follower = followNewest(dir, options);
  const { newest } = follower;
  const current = (): Snapshot => {
    const failure = follower.failure();
    // A damaged newer version leaves the older one in use.
    if (!newest() && failure) throw failure;
    return newest() ?? emptySnapshot;
  };
  const recentScreener = createRecentScreeners(dir, newest, follower.replaced);
  const screenerOf = (id: string) =>
    id === current().id ? current().screener() : recentScreener(id);
  const listingsOf = (id: string) =>
    id === current().id ? current().listings : recentListings(dir, newest(), id);
  return {
    folder: dir,
    current,
    version: (id) => (id === current().id ? current() : follower.held(id)),
    state() {
      if (newest()) return 'ready';
      return follower.failure() ? 'damaged' : 'empty';
    },
    reaches(id) {
      const isHere = () => (newest()?.manifest.version ?? 0) >= numberInId(id);
      return isHere() || (follower.catchUp() && isHere());
    },
    catchUp: follower.catchUp,
    screenerOf,
    listingsOf,
    damage() {
      const failure = follower.failure();
      return failure instanceof CorruptDataError ? failure : newest()?.damage;
    },
    close: follower.close,
  };
}

interface Follower {
  newest(): PublishedVersion | undefined;
  /** Screener's table of the version before, if a request used it. */
  replaced(): ScreenerTable | undefined;
  /** Returns a version that was replaced lately. */
  held(id: string): PublishedVersion | undefined;
  failure(): Error | undefined;
  /** Opens a newer version at once, unprepared. Returns true if there was one. */
  catchUp(): boolean;
  close(): void;
}

function followNewest(dir: string, options: ServingOptions): Follower {
  const { prepare = async () => {}, onError = () => {}, pollMs = limits.serving.pollMs } = options;
  let stamp = manifestStamp(dir);
  let published: PublishedVersion | undefined;
  const held = new HeldVersions<PublishedVersion>(limits.serving.heldVersions);
  let replaced: ScreenerTable | undefined;
  let failure: Error | undefined;
  let retryAtMs = Number.POSITIVE_INFINITY;
  let isClosed = false;
  let isOpening = false;
  const fail = (error: unknown) => {
    if (isClosed) return;
    const isTold = failure?.message === (error as Error).message;
    failure = error as Error;
    retryAtMs = monotonicMs() + limits.serving.retryMs;
    if (!isTold) onError(failure);
  };
  const replaceBy = (opened: PublishedVersion | undefined) => {
    replaced = published?.madeScreener;
    if (published && options.holdsReplaced) held.hold(published);
    published = opened;
  };
  const open = async () => {
    const before = published;
    // Damaged files may have been repaired since.
    const opened = openPublished(dir, before?.damage ? undefined : before);
    if (!opened && before) throw new CorruptDataError(`the manifest in "${dir}" is gone`);
    if (opened) await prepare(opened);
    if (isClosed) opened?.close();
    else if (published === before) replaceBy(opened);
    failure = undefined;
    retryAtMs = Number.POSITIVE_INFINITY;
  };
  const look = () => {
    held.release(published?.id, monotonicMs());
    const newStamp = manifestStamp(dir);
    const isDue = newStamp !== stamp || monotonicMs() >= retryAtMs;
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
    held: (id) => held.find(id),
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
