/** Data that several test files need. The first file of a run makes it for all. */

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inject } from 'vitest';

/**
 * @param make Fills a folder; the others wait for it, and fail with it.
 * @returns the folder, which nobody may change.
 */
export async function madeOnce(
  name: string,
  make: (folder: string) => Promise<unknown>,
): Promise<string> {
  const home = join(inject('runFolder'), name);
  const folder = join(home, 'made');
  if (isFirst(home)) {
    mkdirSync(folder);
    const failure = await make(folder).then(
      () => '',
      (error: Error) => String(error.stack),
    );
    writeFileSync(join(home, 'new'), failure);
    renameSync(join(home, 'new'), join(home, 'end'));
  }
  while (!existsSync(join(home, 'end'))) await delay(50);
  const failure = readFileSync(join(home, 'end'), 'utf8');
  if (failure) throw new Error(`making ${name} failed: ${failure}`);
  return folder;
}

/** Returns true for the process that makes the folder; that process also makes its content. */
function isFirst(home: string): boolean {
  try {
    mkdirSync(home);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
