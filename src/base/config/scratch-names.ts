/**
 * Names in scratch folders, which say whose they are. Containers over one data folder have the same
 * process ids, and machines with a shared one may; so a name has the machine, too.
 */

import { createHash } from 'node:crypto';
import { makeFolders } from '../data-folder.ts';
import { isRunning } from '../is-running.ts';
import { accessSync, constants } from '../world/files.ts';
import { hostname, tmpdir } from '../world/machine.ts';
import { process } from '../world/process.ts';

const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** Kinds of folders and files that a process leaves if it is killed. */
type ScratchKind = 'segment' | 'duckdb' | 'backup' | 'export';

/** Returns the beginning of a name of this process. */
export function scratchName(kind: ScratchKind): string {
  return `${kind}-${process.pid}-on-${MACHINE}`;
}

/** State of the process that a name in a scratch folder is of; undefined for other names. */
export function scratchOwner(name: string): 'running' | 'gone' | 'elsewhere' | undefined {
  // Earlier versions wrote no machine.
  const parts = /^(?:segment|duckdb|backup|export)-(\d+)(?:-on-([0-9a-f]{8}))?/.exec(name);
  if (!parts) return undefined;
  const [, pid, machine = MACHINE] = parts;
  if (machine !== MACHINE) return 'elsewhere';
  return isRunning(Number(pid)) ? 'running' : 'gone';
}

/** Returns the folder for temporary files of a command that only reads: its data folder may refuse. */
export function readerScratch(scratch: string): string {
  try {
    makeFolders(scratch);
    accessSync(scratch, constants.W_OK);
    return scratch;
  } catch {
    return tmpdir();
  }
}
