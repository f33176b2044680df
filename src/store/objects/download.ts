/** Downloads one file. It gets its name when its hash is right; until then it can be continued. */

import { createHash, type Hash } from 'node:crypto';
import { join } from 'node:path';
import { UNFINISHED_ENDING } from '../../base/durable-file.ts';
import { failpoint } from '../../base/failpoints.ts';
import { limits } from '../../base/limits.ts';
import { wallMs } from '../../base/world/clock.ts';
import { open, rename, rm, utimes } from '../../base/world/file-promises.ts';
import { createReadStream } from '../../base/world/files.ts';
import { type ObjectStore, ObjectStoreError } from './object-store.ts';

/** An object is gone: what names it was replaced long ago. */
export class ObjectGoneError extends ObjectStoreError {}

/** The content of an object does not have its hash. */
export class DamagedObjectError extends ObjectStoreError {}

export interface DownloadedFile {
  name: string;
  bytes: number;
  sha256: string;
  /** Time of the last change that the file gets. */
  modifiedMs?: number;
}

interface DownloadOptions {
  /** Called with the bytes that were received; less than 0 if they are received again. */
  onBytes?: (bytes: number) => void;
  /** Called with the reason before another try. */
  onFailure?: (reason: string) => void;
  signal?: AbortSignal;
}

/**
 * Downloads a file into a folder. Failures that pass and wrong content are tried again.
 *
 * @throws {ObjectGoneError} There is no such object.
 * @throws {DamagedObjectError} The content is wrong.
 * @throws {ObjectStoreError} The storage fails. The part stays.
 */
export async function downloadFile(
  object: { objects: ObjectStore; key: string },
  folder: string,
  file: DownloadedFile,
  { onBytes = () => {}, onFailure, signal }: DownloadOptions = {},
): Promise<void> {
  for (let tries = 1; ; tries++) {
    let received = 0;
    const count = (bytes: number) => {
      received += bytes;
      onBytes(bytes);
    };
    try {
      return await downloadOnce(object, folder, file, count, signal);
    } catch (error) {
      signal?.throwIfAborted();
      // The next try counts the received bytes again, with the part that it continues.
      onBytes(-received);
      const isPassing = error instanceof ObjectStoreError && error.isPassing;
      const isTriedAgain = isPassing || error instanceof DamagedObjectError;
      if (!isTriedAgain || tries === limits.objects.downloadTriesMax) throw error;
      onFailure?.(error.message);
    }
  }
}

async function downloadOnce(
  { objects, key }: { objects: ObjectStore; key: string },
  folder: string,
  file: DownloadedFile,
  onBytes: (bytes: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  const path = join(folder, file.name);
  const part = path + UNFINISHED_ENDING;
  const { bytes: start, hash } = await hashOfPart(part, file.bytes, signal);
  onBytes(start);
  let received = start;
  const target = await open(part, start > 0 ? 'a' : 'w');
  try {
    if (start < file.bytes || file.bytes === 0) {
      const found = await objects.get(key, { start, bytesMax: file.bytes, signal });
      if (found === undefined || found === 'unchanged') {
        throw new ObjectGoneError(`"${objects.addressOf(key)}" is gone`);
      }
      for await (const piece of found.body) {
        hash.update(piece);
        received += piece.length;
        if (received > file.bytes) break;
        failpoint('write file', file.name);
        await target.writeFile(piece);
        onBytes(piece.length);
      }
    }
    if (received !== file.bytes || hash.digest('hex') !== file.sha256) {
      await target.truncate(0);
      throw new DamagedObjectError(
        `"${objects.addressOf(key)}" does not match its hash: ${received} of ${file.bytes} bytes`,
      );
    }
    failpoint('fsync file', file.name);
    await target.sync();
  } finally {
    await target.close();
  }
  if (file.modifiedMs !== undefined)
    await utimes(part, new Date(wallMs()), new Date(file.modifiedMs));
  failpoint('rename file', file.name);
  await rename(part, path);
}

/** Hashes the part of an interrupted download. */
async function hashOfPart(
  part: string,
  bytesMax: number,
  signal?: AbortSignal,
): Promise<{ bytes: number; hash: Hash }> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    const highWaterMark = limits.objects.pieceBytes;
    for await (const piece of createReadStream(part, { highWaterMark, signal })) {
      hash.update(piece);
      bytes += piece.length;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  if (bytes <= bytesMax) return { bytes, hash };
  await rm(part);
  return { bytes: 0, hash: createHash('sha256') };
}
