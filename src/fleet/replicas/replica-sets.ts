/**
 * Parquet files of a replica: downloads the sets of the publisher next to those that it serves, and
 * lists a new set only when slower machines may have it too.
 */

import type { ModePaths } from '../../base/config/data-dir.ts';
import { makeFolder, removeFile, syncFolder } from '../../base/durable-file.ts';
import { TapeworksError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { monotonicMs } from '../../base/world/clock.ts';
import { statfsSync } from '../../base/world/files.ts';
import type { ObjectStore } from '../../store/objects/object-store.ts';
import {
  type FileSet,
  readFileSets,
  swapFileSets,
  unneededFiles,
} from '../../store/parquet/file-sets.ts';
import { CheckedFiles } from './checked-files.ts';
import type { SharedFile } from './shared-object.ts';
import { parquetObject, readSharedSets } from './shared-sets.ts';

const { replicas } = limits;

interface SetReplicaOptions {
  paths: ModePaths;
  /** Storage of the mode. */
  objects: ObjectStore;
}

/** Downloads of the sets of one mode. One process runs them for a data folder. */
export class SetReplica {
  readonly #folder: string;
  readonly #objects: ObjectStore;
  /** ETag of the shared sets that the folder has. */
  #etag: string | undefined;
  readonly #files: CheckedFiles;
  #isEmpty = false;
  /** Sets that are listed from a time on, by `performance.now()`. */
  #later: { sets: FileSet[]; atMs: number } | undefined;

  constructor({ paths, objects }: SetReplicaOptions) {
    this.#folder = paths.files;
    this.#objects = objects;
    this.#files = new CheckedFiles({ folder: paths.files, objects, keyOf: parquetObject });
    makeFolder(this.#folder);
  }

  /**
   * Looks for newer sets and brings the folder to them. Now and then it reads all files again and
   * downloads damaged ones.
   *
   * @throws {TapeworksError} The storage fails, or the disk has no room; the next call continues.
   */
  async round(signal?: AbortSignal): Promise<void> {
    const isVerifying = this.#files.beginIfDue();
    const unless = isVerifying ? undefined : this.#etag;
    const seen = await readSharedSets(this.#objects, { unless, signal });
    if (seen === 'unchanged') return this.#listLater();
    const before = readFileSets(this.#folder);
    if (seen === undefined) {
      // The publisher makes none. The empty list says so.
      if (before.length === 0 && !this.#isEmpty) await swapFileSets(this.#folder, []);
      this.#isEmpty = true;
      return;
    }
    const { sets, files } = seen.shared;
    // An old response, or a publisher that was restored: newer files stay.
    if ((before[0]?.createdMs ?? 0) > (sets[0]?.createdMs ?? 0)) return;
    await this.#download(files, signal);
    if (isVerifying) this.#files.end();
    // It would list sets whose files are gone.
    this.#later = undefined;
    const [newest, ...others] = sets;
    const isListed = before[0]?.version === newest?.version || before.length === 0;
    const listed = others.findIndex(({ version }) => version === before[0]?.version);
    if (isListed || listed < 0) await swapFileSets(this.#folder, sets);
    else {
      // The set that is listed now stays first for a while.
      const [kept] = others.splice(listed, 1);
      await swapFileSets(this.#folder, [kept, newest, ...others]);
      this.#later = { sets, atMs: monotonicMs() + replicas.listAfterMs };
    }
    for (const name of unneededFiles(this.#folder, sets)) removeFile(this.#folder, name);
    this.#files.keepOnly(new Set(files.map(({ name }) => name)));
    this.#etag = seen.etag;
  }

  /** Lists the newest set once other machines have had time to download it. */
  async #listLater(): Promise<void> {
    if (!this.#later || monotonicMs() < this.#later.atMs) return;
    await swapFileSets(this.#folder, this.#later.sets);
    this.#later = undefined;
  }

  async #download(files: readonly SharedFile[], signal?: AbortSignal): Promise<void> {
    const missing = await this.#files.missing(files, signal);
    const bytes = missing.reduce((sum, one) => sum + one.bytes, 0);
    const { bavail, bsize } = statfsSync(this.#folder);
    if (bytes > 0 && bavail * bsize < bytes + limits.disk.freeBytesMin) {
      const needed = Math.ceil((bytes + limits.disk.freeBytesMin) / 1e6);
      throw new TapeworksError(
        `the disk of "${this.#folder}" needs ${needed} MB free for Parquet files: free space, or ` +
          'set TAPEWORKS_FILES=off on this machine',
      );
    }
    await this.#files.fetch(missing, { signal });
    syncFolder(this.#folder);
  }
}
