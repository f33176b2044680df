/**
 * Uploads the sets of Parquet files: the files first, then `parquet.json` by a conditional swap. A
 * large set must not delay a version, so it has a manifest and a loop of its own.
 */

import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ModePaths } from '../../base/config/data-dir.ts';
import { hashFile } from '../../base/copy-file.ts';
import { failpoint } from '../../base/failpoints.ts';
import { limits } from '../../base/limits.ts';
import { wallMs } from '../../base/world/clock.ts';
import { stat } from '../../base/world/file-promises.ts';
import { eachAtOnce } from '../../store/objects/at-once.ts';
import { contentOfBytes } from '../../store/objects/content.ts';
import { type ObjectStore, ObjectStoreError } from '../../store/objects/object-store.ts';
import { putFile } from '../../store/objects/put-file.ts';
import { readUploadState } from '../../store/objects/upload-state.ts';
import { damagedFile, type ParquetFile, readFileSets } from '../../store/parquet/file-sets.ts';
import { readShared } from './shared-manifest.ts';
import type { SharedFile } from './shared-object.ts';
import {
  PARQUET_PREFIX,
  parquetObject,
  readSharedSets,
  SETS_NAME,
  textFromSets,
} from './shared-sets.ts';
import { UploadedObjects } from './uploaded-objects.ts';

const { replicas } = limits;

interface SetUploaderOptions {
  paths: ModePaths;
  /** Storage of the mode. */
  objects: ObjectStore;
  nowMs?: () => number;
}

/** Uploads of the sets of one mode. */
export class SetUploader {
  readonly #paths: ModePaths;
  readonly #objects: ObjectStore;
  readonly #nowMs: () => number;
  /** Files that this process has hashed; a file never changes once it has its name. */
  readonly #hashed = new Map<string, SharedFile>();
  readonly #uploaded: UploadedObjects;

  constructor({ paths, objects, nowMs = wallMs }: SetUploaderOptions) {
    this.#paths = paths;
    this.#objects = objects;
    this.#nowMs = nowMs;
    const objectOf = parquetObject;
    this.#uploaded = new UploadedObjects({ objects, prefix: PARQUET_PREFIX, objectOf, nowMs });
  }

  /**
   * Brings object storage to the newest sets, and removes what no set needs.
   *
   * @returns true if the storage has them; false while this folder is not the publisher there.
   * @throws {ObjectStoreError} The storage fails; the next call continues.
   */
  async round(signal?: AbortSignal): Promise<boolean> {
    // Read before the look at the publisher: one that takes over meanwhile swaps it.
    const seen = await readSharedSets(this.#objects, { signal });
    if (!(await this.#isPublisher(signal))) return false;
    const sets = readFileSets(this.#paths.files);
    if (sets.length === 0 && !seen) return true;
    const files: SharedFile[] = [];
    const named = new Map(sets.flatMap((set) => set.files.map((file) => [file.name, file])));
    for (const file of named.values()) files.push(await this.#hash(file, signal));
    const listed = await this.#uploaded.listedIfDue(signal);
    const known = new Set(seen?.shared.files.map(parquetObject));
    const missing = files.filter((file) => {
      const object = parquetObject(file);
      return listed ? listed.get(object)?.bytes !== file.bytes : !known.has(object);
    });
    await eachAtOnce(missing, replicas.atOnce, async (file) => {
      const key = parquetObject(file);
      failpoint('put object', key);
      await putFile({ objects: this.#objects, key }, join(this.#paths.files, file.name), file, {
        signal,
      });
    });
    const retired = this.#uploaded.retiredBy(seen?.shared, files);
    const { sets: there, retired: retiredThere } = seen?.shared ?? {};
    const isSame = isDeepStrictEqual([there, retiredThere], [sets, retired]);
    if (!isSame) {
      const uploadedMs = this.#nowMs();
      const text = textFromSets({ mode: this.#paths.mode, uploadedMs, sets, files, retired });
      const condition = seen ? { etag: seen.etag } : 'absent';
      failpoint('swap manifest', SETS_NAME);
      const content = contentOfBytes(Buffer.from(text));
      const etag = await this.#objects.put(SETS_NAME, content, { condition, signal });
      if (etag === undefined) {
        const reason = `"${this.#objects.addressOf(SETS_NAME)}" was changed by another process`;
        throw new ObjectStoreError(reason, { isPassing: true });
      }
    }
    await this.#uploaded.remove({ files, retired }, listed, signal);
    return true;
  }

  /** Returns true if the version in the storage is the one that this folder has uploaded last. */
  async #isPublisher(signal?: AbortSignal): Promise<boolean> {
    const seen = await readShared(this.#objects, { signal });
    const { uploaded, swapping } = readUploadState(this.#paths.upload);
    // A process that died after its swap has not noted it.
    return seen !== undefined && [uploaded?.id, swapping].includes(seen.shared.id);
  }

  /** @throws {CorruptDataError} The file was damaged since it was made. */
  async #hash({ name, sha256 }: ParquetFile, signal?: AbortSignal): Promise<SharedFile> {
    const known = this.#hashed.get(name);
    if (known) return known;
    const path = join(this.#paths.files, name);
    const { mtime } = await stat(path);
    // `Last-Modified` has seconds, and must be the same on all machines.
    const modifiedMs = Math.floor(mtime.getTime() / 1000) * 1000;
    const hashed = await hashFile(path, signal, sha256);
    // A newer set has replaced it since.
    if (!hashed) throw new ObjectStoreError(`"${path}" is gone`, { isPassing: true });
    if (sha256 !== undefined && hashed.sha256 !== sha256) throw damagedFile(path);
    const file = { name, ...hashed, modifiedMs };
    this.#hashed.set(name, file);
    return file;
  }
}
