/**
 * A replica of one mode: follows the shared manifest, downloads what is new next to what is served,
 * checks it, and swaps. It never goes back to an older version.
 */

import { join } from 'node:path';
import type { ModePaths } from '../../base/config/data-dir.ts';
import { ifExists } from '../../base/copy-file.ts';
import {
  makeFolder,
  syncFolder,
  UNFINISHED_ENDING,
  writeDurable,
} from '../../base/durable-file.ts';
import { CorruptDataError } from '../../base/errors.ts';
import { failpoint } from '../../base/failpoints.ts';
import { limits } from '../../base/limits.ts';
import { monotonicMs, wallMs } from '../../base/world/clock.ts';
import { existsSync, readFileSync } from '../../base/world/files.ts';
import { markHighWater, readHighWater } from '../../store/arrow/format/high-water.ts';
import {
  filesOf,
  MANIFEST_NAME,
  readManifest,
  snapshotId,
} from '../../store/arrow/format/manifest.ts';
import type { Manifest } from '../../store/arrow/format/manifest-types.ts';
import { openVersion } from '../../store/arrow/read/open-version.ts';
import {
  isStatusOf,
  servingStatus,
  writeServingStatus,
} from '../../store/arrow/read/serving-status.ts';
import { removeOthers, UNFINISHED } from '../../store/arrow/write/publication.ts';
import { type ObjectStore, ObjectStoreError } from '../../store/objects/object-store.ts';
import { type ReplicaState, writeReplicaState } from '../../store/objects/replica-state.ts';
import { CheckedFiles } from './checked-files.ts';
import {
  compareVersions,
  manifestOf,
  objectOf,
  readShared,
  SHARED_NAME,
  type SharedManifest,
} from './shared-manifest.ts';
import type { SharedFile } from './shared-object.ts';

const { replicas } = limits;

interface ReplicaOptions {
  paths: ModePaths;
  /** Storage of the mode. */
  objects: ObjectStore;
  nowMs?: () => number;
}

/** Downloads of one mode. One process runs them for a data folder. */
export class Replica {
  readonly #paths: ModePaths;
  readonly #objects: ObjectStore;
  readonly #nowMs: () => number;
  #state: ReplicaState;
  #notedMs = Number.NEGATIVE_INFINITY;
  /** ETag of the shared manifest of the served version. */
  #etag: string | undefined;
  #served: Manifest | undefined;
  readonly #files: CheckedFiles;
  #repaired = 0;

  constructor({ paths, objects, nowMs = wallMs }: ReplicaOptions) {
    this.#paths = paths;
    this.#objects = objects;
    this.#nowMs = nowMs;
    this.#files = new CheckedFiles({ folder: paths.serving, objects, keyOf: objectOf });
    makeFolder(paths.serving);
    this.#served = servedManifest(paths.serving);
    this.#state = {
      ...{ state: 'waiting', version: this.#served?.version ?? null, target: null },
      ...{ bytesDone: 0, bytesTotal: 0, confirmedMs: null, failure: null },
    };
    this.#note({});
  }

  get state(): Readonly<ReplicaState> {
    return this.#state;
  }

  /** Number of damaged files that were downloaded again. */
  get repaired(): number {
    return this.#repaired;
  }

  /** Asks the next round to look for damage: a reader has met some. */
  noteDamage(): void {
    this.#files.noteDamage();
  }

  /**
   * Looks for a newer version and brings the folder to it.
   *
   * @returns true if a version was swapped in.
   * @throws {ObjectStoreError} The storage fails; the next call continues.
   * @throws {CorruptDataError} What is there is damaged, older, or of a newer program.
   */
  async round(signal?: AbortSignal): Promise<boolean> {
    try {
      return await this.#round(signal);
    } catch (error) {
      signal?.throwIfAborted();
      const isDownloading = this.#state.state === 'downloading';
      const failure = (error as Error).message;
      this.#note({ state: isDownloading ? 'downloading' : 'failing', failure });
      throw error;
    }
  }

  async #round(signal?: AbortSignal): Promise<boolean> {
    const isVerifying = this.#files.beginIfDue();
    const unless = isVerifying ? undefined : this.#etag;
    const seen = await readShared(this.#objects, { unless, signal });
    if (seen === 'unchanged') {
      this.#confirm();
      return false;
    }
    if (seen === undefined) {
      if (this.#served) throw new ObjectStoreError(`"${this.#title}" is gone`);
      this.#note({ state: 'empty', failure: null });
      return false;
    }
    const { shared, etag } = seen;
    if (!this.#isNewer(shared)) {
      if (isVerifying) await this.#repair(shared, signal);
      await this.#mendStatus();
      this.#etag = etag;
      this.#confirm();
      return false;
    }
    await this.#download(shared, signal);
    await this.#swap(shared);
    if (isVerifying) this.#files.end();
    this.#etag = etag;
    this.#confirm();
    return true;
  }

  get #title(): string {
    return this.#objects.addressOf(SHARED_NAME);
  }

  /** @throws {CorruptDataError} The shared version is older, or another one of the same number. */
  #isNewer(shared: SharedManifest): boolean {
    if (shared.mode !== this.#paths.mode) {
      throw new CorruptDataError(`"${this.#title}" is of the mode ${shared.mode}`);
    }
    // Readers may still have the version of a manifest that was damaged since.
    const { epoch, version } = this.#served ?? readHighWater(this.#paths.serving);
    const order = compareVersions(shared, { epoch, version });
    if (order > 0) return true;
    const isSame = !this.#served || shared.id === snapshotId(this.#served);
    if (order === 0 && isSame) return !this.#served;
    throw new CorruptDataError(
      `"${this.#title}" has version ${shared.version} (epoch ${shared.epoch}), and version ` +
        `${version} (epoch ${epoch}) is served here: an old response, or another publisher; to ` +
        `accept it, stop this server and delete "${this.#paths.serving}"`,
    );
  }

  /** Downloads files of the served version that are damaged here. */
  async #repair(shared: SharedManifest, signal?: AbortSignal): Promise<void> {
    const files = this.#filesOf(shared);
    const damaged = await this.#files.missing(files, signal);
    const manifest = ifExists(() => readFileSync(join(this.#paths.serving, MANIFEST_NAME), 'utf8'));
    const isManifestDamaged = manifest !== shared.manifest;
    if (damaged.length > 0 || isManifestDamaged) {
      await this.#files.fetch(damaged, { signal });
      syncFolder(this.#paths.serving);
      // Readers look at the folder again when its manifest is replaced.
      await writeDurable(this.#paths.serving, MANIFEST_NAME, Buffer.from(shared.manifest));
      syncFolder(this.#paths.serving);
      this.#repaired += damaged.length + Number(isManifestDamaged);
    }
    this.#files.end();
  }

  /** Returns the files of a version. @throws {CorruptDataError} Some are not listed. */
  #filesOf(shared: SharedManifest): SharedFile[] {
    const needed = filesOf(manifestOf(shared, this.#title));
    const files = shared.files.filter(({ name }) => needed.has(name));
    if (files.length === needed.size - 1) return files;
    throw new CorruptDataError(`"${this.#title}" does not list all files of its version`);
  }

  /** Downloads the files that the folder lacks. */
  async #download(shared: SharedManifest, signal?: AbortSignal): Promise<void> {
    const files = this.#filesOf(shared);
    this.#keepOnly(filesOf(manifestOf(shared, this.#title)), files);
    const missing = await this.#files.missing(files, signal);
    const bytesTotal = missing.reduce((sum, { bytes }) => sum + bytes, 0);
    const { version: target } = shared;
    this.#note({ state: 'downloading', target, bytesDone: 0, bytesTotal, failure: null });
    await this.#files.fetch(missing, {
      onBytes: (bytes) => this.#advance(bytes),
      onFailure: (failure) => this.#note({ failure }),
      signal,
    });
  }

  /** Removes files of older versions, unless the served one is unknown, and keeps parts of files that are still needed. */
  #keepOnly(needed: ReadonlySet<string>, files: readonly SharedFile[]): void {
    const kept = new Set([...needed, ...(this.#served ? filesOf(this.#served) : [])]);
    for (const { name } of files) kept.add(name + UNFINISHED_ENDING);
    // A reader that holds a manifest which is damaged now, or was read wrong, may open more files.
    const { serving } = this.#paths;
    const isKnown = this.#served || !existsSync(join(serving, MANIFEST_NAME));
    removeOthers(serving, kept, isKnown ? undefined : UNFINISHED);
    this.#files.keepOnly(kept);
  }

  /** Makes the downloaded version the served one. */
  async #swap(shared: SharedManifest): Promise<void> {
    const { serving } = this.#paths;
    const manifest = manifestOf(shared, this.#title);
    markHighWater(serving, manifest);
    syncFolder(serving);
    // Opening checks the tables before a reader sees them.
    const version = openVersion(serving, manifest);
    try {
      const status = servingStatus(version);
      failpoint('swap manifest', MANIFEST_NAME);
      await writeDurable(serving, MANIFEST_NAME, Buffer.from(shared.manifest));
      // It is served even if there is no room for its status, so its files must stay.
      this.#served = manifest;
      syncFolder(serving);
      await writeServingStatus(serving, status);
    } finally {
      version.close();
    }
  }

  /** Writes the status of the served version if a crash came between the two. */
  async #mendStatus(): Promise<void> {
    const { serving } = this.#paths;
    if (!this.#served || isStatusOf(serving, snapshotId(this.#served))) return;
    const version = openVersion(serving, this.#served);
    try {
      await writeServingStatus(serving, servingStatus(version));
    } finally {
      version.close();
    }
  }

  #confirm(): void {
    const isKnown = this.#state.state === 'current' && this.#state.failure === null;
    const version = this.#served?.version ?? null;
    const confirmed = { confirmedMs: this.#nowMs(), version, target: null, failure: null };
    if (isKnown && this.#state.version === version) this.#noteNow({ ...confirmed });
    else this.#note({ state: 'current', bytesDone: 0, bytesTotal: 0, ...confirmed });
  }

  #advance(bytes: number): void {
    this.#noteNow({ bytesDone: this.#state.bytesDone + bytes });
  }

  /** Writes the state at most every `noteMs`. */
  #noteNow(changed: Partial<ReplicaState>): void {
    this.#state = { ...this.#state, ...changed };
    if (monotonicMs() - this.#notedMs >= replicas.noteMs) this.#note({});
  }

  #note(changed: Partial<ReplicaState>): void {
    this.#state = { ...this.#state, ...changed };
    this.#notedMs = monotonicMs();
    writeReplicaState(this.#paths.replicaState, this.#state);
  }
}

/** Reads the served manifest; undefined if it is damaged: then all is downloaded again. */
function servedManifest(serving: string): Manifest | undefined {
  try {
    return readManifest(serving);
  } catch (error) {
    if (error instanceof CorruptDataError) return undefined;
    throw error;
  }
}
