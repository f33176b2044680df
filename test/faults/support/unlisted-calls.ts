/** Disk calls of a watched run that no failpoint announces. */

import { basename } from 'node:path';
import { FAILPOINTS, type Failpoint } from '../../../src/base/failpoints.ts';
import type { DiskCall, DiskChange } from './disk-log.ts';

/** Calls that a failpoint announces right before them. */
const ANNOUNCED: Partial<Record<Failpoint, readonly DiskChange[]>> = {
  'create file': ['create'],
  'write file': ['create'],
  'fsync file': ['sync'],
  'rename file': ['rename'],
  'fsync folder': ['sync'],
  'remove file': ['remove'],
  'make folder': ['mkdir'],
  'rename note': ['rename'],
  'link file': ['link'],
};

interface StepTaken {
  name: Failpoint;
  /** File that it is about. */
  what: string;
}

/** Reads a line of a place, like `fsync file a@2`; undefined: it is none. */
export function stepOf(line: string): StepTaken | undefined {
  const name = FAILPOINTS.find(
    (step) => line.startsWith(`${step} `) || line.startsWith(`${step}@`),
  );
  return name && { name, what: line.slice(name.length, line.lastIndexOf('@')).trim() };
}

/**
 * Returns calls without a failpoint of their own right before them. A write may come later: its
 * file's writes are announced together and done in turn.
 *
 * @param lines Output of `watched.ts`.
 */
export function unlistedCalls(lines: readonly string[]): DiskCall[] {
  const unlisted: DiskCall[] = [];
  const written = new Set<string>();
  let last: StepTaken | undefined;
  for (const line of lines) {
    const step = stepOf(line);
    if (step) {
      last = step;
      if (step.name === 'write file') written.add(step.what);
    }
    if (!line.startsWith('{"call"')) continue;
    const call: DiskCall = JSON.parse(line);
    const isWritten = [...written].some((name) => isOf(call.path, name));
    const isOwn =
      call.call === 'write'
        ? isWritten || (last?.name === 'write note' && isOf(call.path, last.what))
        : last !== undefined && ANNOUNCED[last.name]?.includes(call.call) === true;
    if (!isOwn) unlisted.push(call);
    // One that makes folders makes those above them too.
    if (isOwn && call.call !== 'mkdir') last = undefined;
  }
  return unlisted;
}

/** Returns true for the file of a name, finished or not. */
function isOf(path: string, name: string): boolean {
  return name !== '' && basename(path).startsWith(name);
}
