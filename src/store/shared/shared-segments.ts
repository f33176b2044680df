/** The object storage of `TAPEWORKS_SEGMENTS_URL`, and uploaded files in it. */

import { join } from 'node:path';
import type { Settings } from '../../base/config/config.ts';
import type { ObjectPlace } from '../../base/config/object-place.ts';
import { hashFile } from '../../base/copy-file.ts';
import { makeFolder, syncFolder } from '../../base/durable-file.ts';
import { CorruptDataError } from '../../base/errors.ts';
import { failpoint } from '../../base/failpoints.ts';
import { randomUUID } from '../../base/world/chance.ts';
import { contentOfBytes, contentOfFile } from '../objects/content.ts';
import { downloadFile } from '../objects/download.ts';
import {
  bytesOf,
  type ListedObject,
  type ObjectStore,
  ObjectStoreError,
} from '../objects/object-store.ts';
import { openObjects } from './open-objects.ts';

export const SEGMENTS_SETTING = 'TAPEWORKS_SEGMENTS_URL';

/** Returns the place in which segments travel. Without Redis one process does all. */
export function sharedSegments({
  redisUrl,
  segmentsUrl,
}: Partial<Pick<Settings, 'redisUrl' | 'segmentsUrl'>>): ObjectPlace | undefined {
  return redisUrl === undefined ? undefined : segmentsUrl;
}

/** Writes, reads and removes an object. @throws {ObjectStoreError} One of them fails. */
export async function trySharing(place: ObjectPlace): Promise<void> {
  const key = `trial-${randomUUID()}`;
  const bytes = Buffer.from(key);
  await withObjects(place, async (objects) => {
    await objects.put(key, contentOfBytes(bytes));
    const found = await objects.get(key, { bytesMax: bytes.length });
    const isThere = found !== undefined && found !== 'unchanged';
    const read = isThere && (await bytesOf(found, bytes.length, objects.addressOf(key)));
    await objects.delete(key);
    if (read && bytes.equals(read)) return;
    throw new ObjectStoreError(`"${objects.addressOf(key)}" was not read as it was written`);
  });
}

const UPLOADS = 'uploads/';

const uploadKey = (id: string) => `${UPLOADS}${id}`;

async function withObjects<T>(
  place: ObjectPlace,
  work: (objects: ObjectStore) => Promise<T>,
): Promise<T> {
  const objects = await openObjects(place, SEGMENTS_SETTING);
  try {
    return await work(objects);
  } finally {
    await objects.close();
  }
}

/** Gives an uploaded file to the machine that loads. @returns its SHA-256. */
export async function shareUpload(place: ObjectPlace, id: string, path: string): Promise<string> {
  const hashed = await hashFile(path);
  if (!hashed) throw new CorruptDataError(`"${path}" is missing`);
  const content = contentOfFile(path, hashed.bytes, hashed.sha256);
  await withObjects(place, async (objects) => {
    failpoint('put object', uploadKey(id));
    await objects.put(uploadKey(id), content);
  });
  return hashed.sha256;
}

/**
 * Downloads an uploaded file, unless the folder has it.
 *
 * @throws {ObjectGoneError} It was removed, or never finished.
 */
export async function fetchUpload(
  place: ObjectPlace,
  id: string,
  folder: string,
  file: { name: string; bytes: number; sha256: string },
  signal?: AbortSignal,
): Promise<void> {
  if ((await hashFile(join(folder, file.name), signal))?.sha256 === file.sha256) return;
  makeFolder(folder);
  await withObjects(place, (objects) =>
    downloadFile({ objects, key: uploadKey(id) }, folder, file, { signal }),
  );
  syncFolder(folder);
}

export function removeUpload(place: ObjectPlace, id: string): Promise<void> {
  return withObjects(place, (objects) => {
    failpoint('remove object', uploadKey(id));
    return objects.delete(uploadKey(id));
  });
}

/** Lists uploaded files by the id of their backfill. */
export function listUploads(place: ObjectPlace): Promise<(ListedObject & { id: string })[]> {
  return withObjects(place, async (objects) => {
    const listed: (ListedObject & { id: string })[] = [];
    for await (const object of objects.list(UPLOADS)) {
      listed.push({ ...object, id: object.key.slice(UPLOADS.length) });
    }
    return listed;
  });
}
