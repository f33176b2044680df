/** Folder of a run of the tests, in which all of their temporary files lie. */

import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../../src/base/is-running.ts';

const NAME = /^tapeworks-run-(\d+)$/;

/** Makes the folder of this process below `home`, and removes those of killed runs. */
export function makeRunFolder(home: string): string {
  for (const name of readdirSync(home)) {
    const pid = Number(NAME.exec(name)?.[1]);
    if (pid > 0 && !isRunning(pid)) removeRunFolder(join(home, name));
  }
  const folder = join(home, `tapeworks-run-${process.pid}`);
  // Servers of other users have their data in it.
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  return folder;
}

/** Removes the folder with all that tests have left in it. */
export function removeRunFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
