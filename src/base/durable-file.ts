/**
 * Writes, syncs, renames and removes all files of the serving store. Files are immutable. Each
 * appears complete and durable under its name, or not at all.
 */

import { basename, dirname, join, resolve } from 'node:path';
import { makeFolders } from './data-folder.ts';
import { failpoint } from './failpoints.ts';
import { type FileHandle, open } from './world/file-promises.ts';
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
} from './world/files.ts';
import { process } from './world/process.ts';

/** Ending of an unfinished file; a publish removes those that a crash left. */
export const UNFINISHED_ENDING = '.tmp';

/** Unit of writes: positions and lengths are multiples of it, except the last length. */
export const BLOCK_BYTES = 4096;

/**
 * Position from which a file's bytes bypass the page cache. They must reach the disk before the
 * file gets its name anyway, and filling the cache costs 0.1 to 2 CPU seconds a gigabyte more.
 */
const CACHED_BYTES = 16 * 1024 * 1024;

/**
 * A file that exists under its name only after `finish` has returned.
 *
 * Node's thread pool writes while the caller computes the next bytes: writing would be a third of a
 * publish.
 */
export class DurableFile {
  readonly name: string;
  readonly #folder: string;
  readonly #unfinished: string;
  readonly #handle: Promise<FileHandle>;
  /** Handle that bypasses the page cache; resolves to undefined where there is none. */
  #uncached: Promise<FileHandle | undefined> | undefined;
  readonly #writing = new Set<Promise<void>>();
  #failure: unknown;
  #bytesWritten = 0;
  #isOpen = true;

  /** @param part Name until then, without its ending; of its own where others may write, too. */
  constructor(folder: string, name: string, part = name) {
    this.#folder = folder;
    this.name = name;
    this.#unfinished = join(folder, part + UNFINISHED_ENDING);
    failpoint('create file', name);
    this.#handle = open(this.#unfinished, 'w');
    this.#handle.catch((error) => this.#fail(error));
  }

  /** Bytes given to `write` so far. */
  get bytesWritten(): number {
    return this.#bytesWritten;
  }

  /** Number of writes that are not done yet. */
  get writesPending(): number {
    return this.#writing.size;
  }

  /**
   * Starts to write bytes at the end of the file.
   *
   * @param bytes A multiple of `BLOCK_BYTES`, in memory of `blockMemory`; the last write may have
   *   any length.
   * @param onWritten Called when `bytes` may be reused; never if the write fails.
   */
  write(bytes: Uint8Array, onWritten?: () => void): void {
    failpoint('write file', this.name);
    const position = this.#bytesWritten;
    this.#bytesWritten += bytes.length;
    const writing = this.#writeAll(bytes, position)
      .then(onWritten, (error) => this.#fail(error))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  async #writeAll(bytes: Uint8Array, position: number): Promise<void> {
    const isWhole = bytes.length % BLOCK_BYTES === 0;
    if (position >= CACHED_BYTES && isWhole && (await this.#writeUncached(bytes, position))) return;
    const handle = await this.#handle;
    for (let done = 0; done < bytes.length; ) {
      const rest = bytes.subarray(done);
      done += (await handle.write(rest, 0, rest.length, position + done)).bytesWritten;
    }
  }

  /** Writes past the page cache; false if the bytes must be written through it. */
  async #writeUncached(bytes: Uint8Array, position: number): Promise<boolean> {
    this.#uncached ??= openUncached(this.#unfinished);
    const handle = await this.#uncached;
    if (!handle) return false;
    const { bytesWritten } = await handle
      .write(bytes, 0, bytes.length, position)
      .catch(nothingWhenRefused);
    return bytesWritten === bytes.length;
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
  }

  /** Waits until at most `pendingMax` writes are pending; throws the error of a failed one. */
  async settle(pendingMax: number): Promise<void> {
    while (this.#writing.size > pendingMax) await Promise.race(this.#writing);
    if (this.#failure) throw this.#failure;
  }

  /** Makes the content durable and renames the file; call `syncFolder` for the name. */
  async finish(): Promise<void> {
    await this.settle(0);
    const handle = await this.#handle;
    // From here on this call closes the file, even if `abandon` is called meanwhile.
    this.#isOpen = false;
    try {
      failpoint('fsync file', this.name);
      await handle.sync();
    } finally {
      await this.#close();
    }
    failpoint('rename file', this.name);
    renameSync(this.#unfinished, join(this.#folder, this.name));
  }

  /** Removes an unfinished file; does nothing after `finish`. */
  async abandon(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await Promise.all(this.#writing);
    const handle = await this.#handle.catch(() => undefined);
    if (!handle) return;
    await this.#close();
    rmSync(this.#unfinished, { force: true });
  }

  async #close(): Promise<void> {
    await (await this.#uncached)?.close();
    await (await this.#handle).close();
  }
}

/** Returns zeroed memory that begins at a page, as resizable buffers do. */
export function blockMemory(bytes: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new ArrayBuffer(bytes, { maxByteLength: bytes }));
}

/** Opens a second handle of a file; undefined if the system or the file system refuses. */
async function openUncached(path: string): Promise<FileHandle | undefined> {
  const { O_DIRECT, O_WRONLY } = constants;
  if (O_DIRECT === undefined) return undefined;
  return open(path, O_WRONLY | O_DIRECT).catch((error) => {
    if (isRefusal(error)) return undefined;
    throw error;
  });
}

function nothingWhenRefused(error: NodeJS.ErrnoException): { bytesWritten: number } {
  if (isRefusal(error)) return { bytesWritten: 0 };
  throw error;
}

/** Returns true if the way of writing was refused, not the data. */
function isRefusal({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EINVAL' || code === 'ENOTSUP';
}

/**
 * Waits for all writes, also after the failure of one: one that ended after the writer lock is
 * released would replace a file of the next version.
 */
export async function allEnded<T extends readonly unknown[]>(writes: T) {
  await Promise.allSettled(writes);
  return await Promise.all(writes);
}

/** Writes a file of a few bytes. Call `syncFolder` to make its name durable. */
export async function writeDurable(
  folder: string,
  name: string,
  content: Uint8Array,
  part?: string,
): Promise<void> {
  const file = new DurableFile(folder, name, part);
  try {
    file.write(content);
    await file.finish();
  } finally {
    await file.abandon();
  }
}

/** Writes a file of a few bytes into a folder, which it makes. Its name is durable, too. */
export async function placeDurable(
  folder: string,
  name: string,
  content: Uint8Array,
  part?: string,
): Promise<void> {
  makeFolder(folder);
  await writeDurable(folder, name, content, part);
  syncFolder(folder);
}

/** Makes a file whose name says all. Call `syncFolder` to make it durable. */
export function makeEmptyFile(folder: string, name: string): void {
  failpoint('create file', name);
  closeSync(openSync(join(folder, name), 'w'));
}

/** Makes the folder's names durable: earlier renames then survive a power loss. */
export function syncFolder(folder: string): void {
  failpoint('fsync folder', '');
  // Windows can't open a folder; it makes renames durable itself.
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Makes a folder and its missing parents. Their names are durable when it returns. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  failpoint('make folder', basename(path));
  const first = makeFolders(path);
  if (first === undefined) return;
  for (let made = resolve(path); ; made = dirname(made)) {
    syncFolder(dirname(made));
    if (made === resolve(first)) return;
  }
}

export function removeFile(folder: string, name: string): void {
  failpoint('remove file', name);
  unlinkSync(join(folder, name));
}
