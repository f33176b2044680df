/** Lock of `start`: two on one data folder would both fill the sandbox and run schedules. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { startPaths } from '../../base/config/data-dir.ts';
import { StoreBusyError } from '../../base/errors.ts';
import { lockFile } from '../../base/file-lock.ts';

/**
 * Locks the folder for this process.
 *
 * @returns a function that releases it.
 * @throws {StoreBusyError} another `start` has it.
 */
export function takeFolder(dataDir: string): () => void {
  const { lock, holder } = startPaths(dataDir);
  const held = lockFile(lock);
  if (!held) {
    const other = holderText(holder);
    throw new StoreBusyError(
      other,
      `${other} uses "${dataDir}": stop it first, set TAPEWORKS_DATA_DIR to another folder, ` +
        'or run serve for a second server over the same data',
    );
  }
  const since = new Date().toISOString();
  writeFileSync(holder, JSON.stringify({ pid: process.pid, since }));
  return () => {
    rmSync(holder, { force: true });
    held.close();
  };
}

function holderText(path: string): string {
  try {
    const { pid, since } = JSON.parse(readFileSync(path, 'utf8'));
    return `another start (process ${pid}, since ${since})`;
  } catch {
    // It has just started.
    return 'another start';
  }
}
