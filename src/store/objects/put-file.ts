/** Writes a file as an object, and says so where the file was damaged since it was hashed. */

import { hashFile } from '../../base/copy-file.ts';
import { CorruptDataError } from '../../base/errors.ts';
import { contentOfFile } from './content.ts';
import { type ObjectStore, ObjectStoreError, type PutOptions } from './object-store.ts';

/**
 * @returns as `put` of the storage.
 * @throws {CorruptDataError} The file does not have its hash.
 * @throws {ObjectStoreError} as `put`.
 */
export async function putFile(
  { objects, key }: { objects: ObjectStore; key: string },
  path: string,
  { bytes, sha256 }: { bytes: number; sha256: string },
  options: PutOptions,
): Promise<string | undefined> {
  try {
    return await objects.put(key, contentOfFile(path, bytes, sha256), options);
  } catch (error) {
    if (!(error instanceof ObjectStoreError && error.isOfContent)) throw error;
    const found = await hashFile(path, options.signal, sha256);
    if (found?.sha256 === sha256) throw error;
    throw new CorruptDataError(`"${path}" does not match its checksum`, { cause: error });
  }
}
