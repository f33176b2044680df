/**
 * Uploads published versions: their files first, then the manifest by a conditional swap. It can be
 * killed anywhere: what it has uploaded is found again, and what no version names is removed.
 */

import { join } from 'node:path';
import type { ModePaths } from '../../base/config/data-dir.ts';
import { hashFile } from '../../base/copy-file.ts';
import { CorruptDataError } from '../../base/errors.ts';
import { failpoint } from '../../base/failpoints.ts';
import { limits } from '../../base/limits.ts';
import { wallMs } from '../../base/world/clock.ts';
import { stat } from '../../base/world/file-promises.ts';
import { readManifest } from '../../store/arrow/format/manifest.ts';
import type { Manifest } from '../../store/arrow/format/manifest-types.ts';
import { type FileCheck, fileChecks } from '../../store/arrow/read/check-files.ts';
import { eachAtOnce } from '../../store/objects/at-once.ts';
import { contentOfBytes } from '../../store/objects/content.ts';
import {
  type ListedObject,
  type ObjectStore,
  ObjectStoreError,
} from '../../store/objects/object-store.ts';
import { putFile } from '../../store/objects/put-file.ts';
import { repeated } from '../../store/objects/repeated.ts';
import {
  readUploadState,
  type UploadState,
  writeUploadState,
} from '../../store/objects/upload-state.ts';
import { requireConditionalWrites } from './conditional-writes.ts';
import { beganAgain, continues, isSame, otherPublisher } from './publishers.ts';
import {
  FILES_PREFIX,
  objectOf,
  readShared,
  type SeenManifest,
  SHARED_NAME,
  sharedFrom,
} from './shared-manifest.ts';
import { type SharedFile, textFromShared } from './shared-object.ts';
import { UploadedObjects } from './uploaded-objects.ts';

const { replicas } = limits;

export interface UploadReport {
  version: number;
  /** Objects and bytes that were written, without the manifest. */
  objects: number;
  bytes: number;
}

interface UploaderOptions {
  paths: ModePaths;
  /** Storage of the mode. */
  objects: ObjectStore;
  nowMs?: () => number;
}

/** Uploads of one mode. The caller holds `uploadLock`. */
export class Uploader {
  readonly #paths: ModePaths;
  readonly #objects: ObjectStore;
  readonly #nowMs: () => number;
  #state: UploadState;
  /** Shared manifest that this process has seen last; undefined: read it. */
  #seen: SeenManifest | undefined;
  readonly #uploaded: UploadedObjects;

  constructor({ paths, objects, nowMs = wallMs }: UploaderOptions) {
    this.#paths = paths;
    this.#objects = objects;
    this.#nowMs = nowMs;
    this.#state = readUploadState(paths.upload);
    this.#uploaded = new UploadedObjects({ objects, prefix: FILES_PREFIX, objectOf, nowMs });
  }

  /** Tries whether the storage does conditional writes. @throws {ObjectStoreError} It does not. */
  async tryStorage(signal?: AbortSignal): Promise<void> {
    await this.#noted(() => requireConditionalWrites(this.#objects, signal), signal);
  }

  /**
   * Brings object storage to the published version.
   *
   * @returns undefined if nothing is published.
   * @throws {OtherPublisherError} another data folder publishes there.
   * @throws {ObjectStoreError} the storage fails; the next call continues.
   */
  async round(signal?: AbortSignal): Promise<UploadReport | undefined> {
    const report = await this.#noted(() => this.#round(signal), signal);
    if (this.#state.failure) await this.#note({ failure: null });
    return report;
  }

  /** Notes a failure for other processes. */
  async #noted<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      this.#seen = undefined;
      // The file may be whole, and its noted hash wrong: it is checked and hashed again.
      if (error instanceof CorruptDataError) this.#state = { ...this.#state, hashes: {} };
      const reason = (error as Error).message;
      if (this.#state.failure?.reason !== reason) {
        await this.#note({ failure: { reason, sinceMs: this.#nowMs() } });
      }
      throw error;
    }
  }

  /** Returns true if objects can be removed by now, so that a round has work. */
  get hasDue(): boolean {
    return this.#uploaded.hasDue(this.#seen?.shared);
  }

  async #round(signal?: AbortSignal): Promise<UploadReport | undefined> {
    const done = { objects: 0, bytes: 0 };
    for (let swaps = 1; ; swaps++) {
      this.#seen ??= await readShared(this.#objects, { signal });
      const published = readManifest(this.#paths.serving);
      if (!published) return undefined;
      const manifest = await this.#ours(published);
      const listed = await this.#uploaded.listedIfDue(signal);
      const files = await this.#upload(manifest, listed, done, signal);
      // Two publishes may have removed files meanwhile: the newer version is uploaded instead.
      if (files === undefined) continue;
      const isThere = this.#seen && isSame(this.#seen.shared, manifest);
      if (isThere || (await this.#swap(manifest, files, signal))) {
        if (this.#seen) await this.#uploaded.remove(this.#seen.shared, listed, signal);
        return { version: manifest.version, ...done };
      }
      this.#seen = undefined;
      if (swaps < replicas.swapsMax) continue;
      throw new ObjectStoreError(
        `"${this.#objects.addressOf(SHARED_NAME)}" is changed again and again by another process`,
        { isPassing: true },
      );
    }
  }

  /** Returns the manifest to upload; raised above the shared one if this folder takes over. */
  async #ours(published: Manifest): Promise<Manifest> {
    const shared = this.#seen?.shared;
    if (!shared || isSame(shared, published)) return published;
    if (continues(published, shared, this.#state)) return published;
    if (this.#state.takesOver || beganAgain(published, shared, this.#state)) {
      const { takeOver } = await import('./take-over.ts');
      return takeOver(this.#paths, shared);
    }
    throw otherPublisher(this.#objects, published, shared, this.#state);
  }

  /**
   * Uploads the files of a version that the storage lacks.
   *
   * @returns all files with their hashes; undefined if the version is replaced and a file is gone.
   */
  async #upload(
    manifest: Manifest,
    listed: ReadonlyMap<string, ListedObject> | undefined,
    done: { objects: number; bytes: number },
    signal?: AbortSignal,
  ): Promise<SharedFile[] | undefined> {
    const { serving } = this.#paths;
    const known = new Map(Object.entries(this.#state.hashes));
    const named = new Set(this.#seen?.shared.files.map(objectOf));
    const files: SharedFile[] = [];
    const work = async ({ name, bytes, check }: FileCheck) => {
      signal?.throwIfAborted();
      const sha256 = known.get(name) ?? (await checkedHash(serving, name, check, signal));
      const { mtimeMs: modifiedMs } = await stat(join(serving, name));
      const file = { name, bytes, sha256, modifiedMs };
      files.push(file);
      const object = objectOf(file);
      const isListed = listed === undefined || listed.get(object)?.bytes === bytes;
      if (named.has(object) && isListed) return;
      await this.#put(file, listed?.has(object) === true, signal);
      done.objects++;
      done.bytes += bytes;
    };
    try {
      await eachAtOnce(fileChecks(serving, manifest), replicas.atOnce, work);
    } catch (error) {
      if (readManifest(serving)?.version !== manifest.version) return undefined;
      throw error;
    }
    const hashes = Object.fromEntries(files.map(({ name, sha256 }) => [name, sha256]));
    if (done.objects > 0) this.#state = { ...this.#state, hashes };
    // Stable, so that a manifest of the same files has the same text.
    return files.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** @param isStray True if the object exists and no manifest names it: its age begins anew. */
  async #put(file: SharedFile, isStray: boolean, signal?: AbortSignal): Promise<void> {
    const object = objectOf(file);
    const path = join(this.#paths.serving, file.name);
    const place = { objects: this.#objects, key: object };
    failpoint('put object', object);
    await repeated({ signal }, async () => {
      const condition = isStray ? undefined : 'absent';
      if ((await putFile(place, path, file, { condition, signal })) !== undefined) return;
      // An earlier try, or another publisher of the same data, was faster.
      for await (const { key, bytes } of this.#objects.list(object, signal)) {
        if (key === object && bytes === file.bytes) return;
      }
      await putFile(place, path, file, { signal });
    });
  }

  /** @returns false if the shared manifest has changed meanwhile. */
  async #swap(
    manifest: Manifest,
    files: readonly SharedFile[],
    signal?: AbortSignal,
  ): Promise<boolean> {
    const seen = this.#seen;
    const { mode } = this.#paths;
    const uploadedMs = this.#nowMs();
    const retired = this.#uploaded.retiredBy(seen?.shared, files);
    const shared = sharedFrom(manifest, { mode, uploadedMs, files: [...files], retired });
    const text = textFromShared(shared);
    // A process that dies now finds its own version there, or the one before.
    await this.#note({ swapping: shared.id });
    failpoint('swap manifest', SHARED_NAME);
    const etag = await this.#swapped(text, seen, signal);
    if (etag === undefined) return false;
    this.#seen = { etag, text, shared };
    const { version, id } = shared;
    const uploaded = { version, id, atMs: uploadedMs };
    // After a takeover the publisher before may still have removed objects.
    if (this.#state.takesOver) this.#uploaded.listNext();
    await this.#note({ uploaded, swapping: null, takesOver: false });
    return true;
  }

  /** Swaps the manifest. After a lost response it reads what is there before another try. */
  async #swapped(
    text: string,
    seen: SeenManifest | undefined,
    signal?: AbortSignal,
  ): Promise<string | undefined> {
    const content = contentOfBytes(Buffer.from(text));
    const condition = seen ? { etag: seen.etag } : 'absent';
    return repeated({ signal }, async () => {
      try {
        const etag = await this.#objects.put(SHARED_NAME, content, { condition, signal });
        if (etag !== undefined) return etag;
      } catch (error) {
        if (!(error instanceof ObjectStoreError && error.isUnknown)) throw error;
        const there = await readShared(this.#objects, { signal });
        if (there?.etag === seen?.etag) throw error;
        return there?.text === text ? there.etag : undefined;
      }
      // It may be an earlier try of this process whose response came late.
      const there = await readShared(this.#objects, { signal });
      return there?.text === text ? there.etag : undefined;
    });
  }

  async #note(changed: Partial<UploadState>): Promise<void> {
    this.#state = { ...this.#state, ...changed };
    await writeUploadState(this.#paths.upload, this.#state);
  }
}

/** Hashes a file that its checksums approve: a damaged one must not reach replicas. */
async function checkedHash(
  folder: string,
  name: string,
  check: () => Promise<void>,
  signal?: AbortSignal,
): Promise<string> {
  const hashed = await hashFile(join(folder, name), signal);
  if (!hashed) throw new CorruptDataError(`"${join(folder, name)}" is missing`);
  // After the hash, or that of a bit which flips between the two would be uploaded.
  await check();
  return hashed.sha256;
}
