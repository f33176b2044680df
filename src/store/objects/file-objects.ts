/**
 * Objects as files of a folder, which machines may share. Conditional writes hold a lock of the
 * system, so the folder's file system must lock across its machines, as NFS 4 does.
 */

import { createHash, hash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { makeFolders } from '../../base/data-folder.ts';
import { syncFolder, UNFINISHED_ENDING } from '../../base/durable-file.ts';
import { lockFile } from '../../base/file-lock.ts';
import { limits } from '../../base/limits.ts';
import { randomUUID } from '../../base/world/chance.ts';
import { delay, monotonicMs, wallMs } from '../../base/world/clock.ts';
import {
  chmod,
  type FileHandle,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
} from '../../base/world/file-promises.ts';
import { createReadStream } from '../../base/world/files.ts';
import {
  type GetOptions,
  type ListedObject,
  type ObjectContent,
  type ObjectStore,
  ObjectStoreError,
  type PutOptions,
  type StoredObject,
  type WriteCondition,
} from './object-store.ts';

/** Bits of a mode: reading and writing, and all rights. */
const READ_WRITE = 0o666;
const ALL_RIGHTS = 0o777;

const LOCK_NAME = '.objects.lock';

/** @param setting Setting that names the folder, for messages. */
export function fileObjects(folder: string, setting: string): ObjectStore {
  const pathOf = (key: string) => join(folder, key);

  async function tried<T>(what: string, key: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { code, name } = error as NodeJS.ErrnoException;
      if (name === 'AbortError' || error instanceof ObjectStoreError) throw error;
      if (code === undefined) throw error;
      const reason = (error as Error).message;
      throw new ObjectStoreError(`can't ${what} "${pathOf(key)}" (${setting}): ${reason}`, {
        cause: error,
        isPassing: true,
      });
    }
  }

  /** Gives an object, and the folder that is made for it, the rights of the shared folder. */
  async function giveRights(path: string): Promise<void> {
    const { mode } = await stat(folder);
    await chmod(path, mode & READ_WRITE);
    for (let above = dirname(path); above.length > folder.length; above = dirname(above)) {
      await chmod(above, mode & ALL_RIGHTS).catch(() => undefined);
    }
  }

  /** Runs the swap alone among all processes that use the folder. */
  async function locked<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const endMs = monotonicMs() + limits.objects.lockWaitMs;
    for (;;) {
      const lock = lockFile(pathOf(LOCK_NAME));
      if (lock) return await work().finally(() => lock.close());
      if (monotonicMs() > endMs) {
        throw new ObjectStoreError(
          `can't lock "${pathOf(LOCK_NAME)}" (${setting}): another process holds it for long`,
          { isPassing: true },
        );
      }
      await delay(limits.objects.lockPollMs, undefined, { signal });
    }
  }

  async function isMet(path: string, condition: WriteCondition): Promise<boolean> {
    const etag = (await headOf(path))?.etag;
    return condition === 'absent' ? etag === undefined : etag === condition.etag;
  }

  async function write(
    key: string,
    content: ObjectContent,
    { condition, signal }: PutOptions,
  ): Promise<string | undefined> {
    const path = pathOf(key);
    const unfinished = join(
      dirname(path),
      `.${basename(path)}.${randomUUID()}${UNFINISHED_ENDING}`,
    );
    try {
      await writeChecked(unfinished, content, signal);
      await giveRights(unfinished);
      const swap = async () => {
        if (condition !== undefined && !(await isMet(path, condition))) return undefined;
        await rename(unfinished, path);
        syncFolder(dirname(path));
        return (await headOf(path))?.etag;
      };
      return condition === undefined ? await swap() : await locked(swap, signal);
    } finally {
      await rm(unfinished, { force: true });
    }
  }

  return {
    addressOf: pathOf,
    get: (key, options: GetOptions = {}) => tried('read', key, () => read(pathOf(key), options)),
    put: (key, content, options = {}) => tried('write', key, () => write(key, content, options)),
    async *list(prefix) {
      const listed = await tried('list', prefix, () => listFolder(folder, prefix));
      yield* listed;
    },
    delete: (key) =>
      tried('remove', key, async () => {
        await rm(pathOf(key), { force: true });
        // A folder that is left empty is none in a bucket.
        if (key.includes('/')) await rmdir(dirname(pathOf(key))).catch(() => undefined);
      }),
    async close() {},
  };
}

async function read(
  path: string,
  { start = 0, unless, signal }: GetOptions,
): Promise<StoredObject | 'unchanged' | undefined> {
  const found = await headOf(path);
  if (found === undefined) return undefined;
  const { etag, bytes, content } = found;
  if (etag === unless) return 'unchanged';
  if (content) return { bytes, etag, body: Readable.from([content.subarray(start)]) };
  const highWaterMark = limits.objects.pieceBytes;
  return { bytes, etag, body: createReadStream(path, { start, highWaterMark, signal }) };
}

/**
 * Returns the ETag of a file; undefined without one. Files that are swapped are small and hashed:
 * a file system may give the next file the number and the time of the one before.
 */
async function headOf(
  path: string,
): Promise<{ bytes: number; etag: string; content?: Buffer } | undefined> {
  try {
    const { size, ino, mtimeMs } = await stat(path);
    if (size > limits.objects.wholeBytesMax) return { bytes: size, etag: `${ino}-${mtimeMs}` };
    const content = await readFile(path);
    return { bytes: content.length, etag: hash('sha256', content), content };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** @throws {ObjectStoreError} the content does not have its hash. */
async function writeChecked(
  path: string,
  { sha256, read }: ObjectContent,
  signal?: AbortSignal,
): Promise<void> {
  const sum = createHash('sha256');
  const file = await openInFolder(path);
  try {
    for await (const piece of read()) {
      signal?.throwIfAborted();
      sum.update(piece);
      await file.writeFile(piece);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  if (sum.digest('hex') === sha256) return;
  const reason = `the content of "${path}" changed while it was written`;
  throw new ObjectStoreError(reason, { isOfContent: true });
}

/** Opens a new file. Its folder may be removed meanwhile, as it was empty. */
async function openInFolder(path: string): Promise<FileHandle> {
  for (let tries = 1; ; tries++) {
    makeFolders(dirname(path));
    try {
      return await open(path, 'wx');
    } catch (error) {
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isGone || tries === limits.objects.triesMax) throw error;
    }
  }
}

async function listFolder(folder: string, prefix: string): Promise<ListedObject[]> {
  const within = join(folder, prefix.slice(0, prefix.lastIndexOf('/') + 1));
  let entries: Dirent[];
  try {
    entries = await readdir(within, { recursive: true, withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const listed = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const key = relative(folder, path).split(sep).join('/');
    if (entry.name.startsWith('.') && entry.name.endsWith(UNFINISHED_ENDING)) {
      await removeOld(path);
    }
    if (!entry.isFile() || entry.name.startsWith('.') || !key.startsWith(prefix)) return [];
    // It may have been removed meanwhile.
    const stats = await stat(path).catch(() => undefined);
    return stats ? [{ key, bytes: stats.size, modifiedMs: stats.mtimeMs }] : [];
  });
  return (await Promise.all(listed)).flat().sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Removes an unfinished file whose writer is long gone. */
async function removeOld(path: string): Promise<void> {
  const stats = await stat(path).catch(() => undefined);
  if (stats && wallMs() - stats.mtimeMs > limits.objects.strayMs) await rm(path, { force: true });
}
