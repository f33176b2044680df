/** Moves a finished file into place so that a crash leaves the old state or the new one. */

import { basename, dirname } from 'node:path';
import { scratchName } from '../../base/config/scratch-names.ts';
import { hashFile } from '../../base/copy-file.ts';
import { makeFolder, syncFolder } from '../../base/durable-file.ts';
import { failpoint } from '../../base/failpoints.ts';
import { copyFile, open, rename, rm } from '../../base/world/file-promises.ts';

/** Flushes a file to disk and renames it into place; over disks, it is copied there first. */
export async function placeFile(finished: string, destination: string): Promise<void> {
  const name = basename(destination);
  await syncFile(finished, name);
  makeFolder(dirname(destination));
  failpoint('rename file', name);
  await rename(finished, destination).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EXDEV') throw error;
    const beside = `${destination}.${scratchName('segment')}.tmp`;
    try {
      failpoint('write file', name);
      await copyFile(finished, beside);
      await syncFile(beside, name);
      failpoint('rename file', name);
      await rename(beside, destination);
    } finally {
      await rm(beside, { force: true });
    }
  });
  syncFolder(dirname(destination));
}

async function syncFile(path: string, name: string): Promise<void> {
  await using handle = await open(path, 'r+');
  failpoint('fsync file', name);
  await handle.sync();
}

/**
 * @param expected Hash that it should have, as in `hashFile`.
 * @returns the hash in hexadecimal, or undefined if there is no file.
 */
export async function sha256OfFile(path: string, expected?: string): Promise<string | undefined> {
  return (await hashFile(path, undefined, expected))?.sha256;
}
