/** Puts a finished file in its place so that a crash leaves the old state or the new one. */

import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../store/serving/durable-file.ts';

/**
 * Flushes a file to disk and renames it into place, replacing what was there.
 *
 * @param finished On the same disk as `destination`.
 */
export async function landFile(finished: string, destination: string): Promise<void> {
  const handle = await open(finished, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  await mkdir(dirname(destination), { recursive: true });
  await rename(finished, destination);
  syncFolder({ path: dirname(destination) });
}
