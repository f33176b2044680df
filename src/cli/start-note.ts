/** The note by which other commands know the `start` that runs over a data folder. */

import { startPaths } from '../base/config/data-dir.ts';
import { replaceStateFile } from '../base/disk-full.ts';
import { isRunning } from '../base/is-running.ts';
import { readFileSync } from '../base/world/files.ts';

export interface StartNote {
  pid: number;
  /** Time of the start, in ISO 8601. */
  since: string;
  /** Address of the API; absent until it listens. */
  address?: string;
}

/** Writes the note; on a full disk other commands do without it. */
export function writeStartNote(dataDir: string, note: StartNote): void {
  replaceStateFile(startPaths(dataDir).holder, note);
}

/** @returns undefined if there is no note, or a `start` is writing it. */
export function readStartNote(dataDir: string): StartNote | undefined {
  try {
    return JSON.parse(readFileSync(startPaths(dataDir).holder, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Returns the address of the `start` that runs over the folder on this machine. */
export function runningAddress(dataDir: string): string | undefined {
  const note = readStartNote(dataDir);
  // A killed process leaves its note.
  return note && isRunning(note.pid) ? note.address : undefined;
}
