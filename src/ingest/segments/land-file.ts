/** Moves a finished file into place so that a crash leaves the old state or the new one. */

import { createHash } from 'node:crypto';
import { copyFile, open, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { scratchName } from '../../base/config/scratch-names.ts';
import { makeFolder, syncFolder } from '../../base/durable-file.ts';
import { failpoint } from '../../base/failpoints.ts';

/** Flushes a file to disk and renames it into place; over disks, it is copied there first. */
export async function landFile(finished: string, destination: string): Promise<void> {
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
  const handle = await open(path, 'r+');
  try {
    failpoint('fsync file', name);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const CHUNK_BYTES = 1024 * 1024;

/** @returns the hash in hexadecimal, or undefined if there is no file. */
export async function sha256OfFile(path: string): Promise<string | undefined> {
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (!handle) return undefined;
  try {
    const hash = createHash('sha256');
    const { size } = await handle.stat();
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size + 1));
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(chunk.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}
