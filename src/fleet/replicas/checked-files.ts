/**
 * Files of a replica's folder as this process has read them. Disks damage files after their check,
 * so all are read again now and then.
 */

import { join } from 'node:path';
import { hashFile } from '../../base/copy-file.ts';
import { limits } from '../../base/limits.ts';
import { monotonicMs } from '../../base/world/clock.ts';
import { statSync } from '../../base/world/files.ts';
import { eachAtOnce } from '../../store/objects/at-once.ts';
import { downloadFile } from '../../store/objects/download.ts';
import type { ObjectStore } from '../../store/objects/object-store.ts';
import type { SharedFile } from './shared-object.ts';

const { replicas } = limits;

interface CheckedFilesOptions {
  folder: string;
  objects: ObjectStore;
  /** Returns the key of a file's object. */
  keyOf: (file: SharedFile) => string;
}

export class CheckedFiles {
  readonly #options: CheckedFilesOptions;
  /** SHA-256 by name, as this process read the file or downloaded it. */
  readonly #hashes = new Map<string, string>();
  /** Time of the last check of all files, by `performance.now()`. */
  #verifiedMs = Number.NEGATIVE_INFINITY;
  #isDamaged = false;

  constructor(options: CheckedFilesOptions) {
    this.#options = options;
  }

  /** Makes the next check due soon: a reader has met damage. */
  noteDamage(): void {
    this.#isDamaged = true;
  }

  /** Forgets all hashes if a check is due, and returns whether it is. */
  beginIfDue(): boolean {
    const ageMs = monotonicMs() - this.#verifiedMs;
    if (ageMs < (this.#isDamaged ? replicas.repairRestMs : replicas.verifyMs)) return false;
    this.#hashes.clear();
    return true;
  }

  /** Ends a check: all files are there and match. */
  end(): void {
    this.#verifiedMs = monotonicMs();
    this.#isDamaged = false;
  }

  /** Returns the files that the folder lacks or has damaged; reads those without a known hash. */
  async missing(files: readonly SharedFile[], signal?: AbortSignal): Promise<SharedFile[]> {
    const missing: SharedFile[] = [];
    for (const file of files) {
      signal?.throwIfAborted();
      if (!(await this.#has(file, signal))) missing.push(file);
    }
    return missing;
  }

  async #has({ name, bytes, sha256 }: SharedFile, signal?: AbortSignal): Promise<boolean> {
    const path = join(this.#options.folder, name);
    if (statSync(path, { throwIfNoEntry: false })?.size !== bytes) return false;
    const known = this.#hashes.get(name) ?? (await readableHash(path, signal));
    if (known !== sha256) return false;
    this.#hashes.set(name, sha256);
    return true;
  }

  /** Downloads files, several at once, in place of damaged ones. */
  async fetch(
    files: readonly SharedFile[],
    options: Parameters<typeof downloadFile>[3],
  ): Promise<void> {
    const { folder, objects, keyOf } = this.#options;
    await eachAtOnce(files, replicas.atOnce, async (file) => {
      await downloadFile({ objects, key: keyOf(file) }, folder, file, options);
      this.#hashes.set(file.name, file.sha256);
    });
  }

  /** Forgets files that were removed. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of this.#hashes.keys()) if (!names.has(name)) this.#hashes.delete(name);
  }
}

/** Hashes a file; undefined if the disk can't read it. */
async function readableHash(path: string, signal?: AbortSignal): Promise<string | undefined> {
  try {
    return (await hashFile(path, signal))?.sha256;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EIO') return undefined;
    throw error;
  }
}
