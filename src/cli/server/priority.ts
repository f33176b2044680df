/** Lower priorities for work that quotes and other programs should not wait for. */

import { basename } from 'node:path';
import { readdirSync, readlinkSync } from '../../base/world/files.ts';
import { setPriority } from '../../base/world/machine.ts';
import { backgroundLimits } from './limits.ts';

/**
 * Gives every thread of this process a lower priority. Without privileges, no process can raise it
 * again, so work that a person waits for needs a process that was never lowered.
 */
export function lowerPriority(): void {
  for (const id of threadIds()) lowerPriorityOf(id);
}

/**
 * Gives the calling thread alone a lower priority. Only Linux has priorities of threads;
 * elsewhere nothing changes, since the whole process would be slowed down.
 */
export function lowerThreadPriority(): void {
  try {
    lowerPriorityOf(Number(basename(readlinkSync('/proc/thread-self'))));
  } catch {
    // There are no such files here.
  }
}

/** Lowers the priority of a process or thread. */
export function lowerPriorityOf(id: number): void {
  try {
    setPriority(id, backgroundLimits.niceness);
  } catch {
    // The system may forbid it, and the process or thread may have ended.
  }
}

/** Lists thread ids: on Linux each thread has its own priority; elsewhere 0 is the process. */
function threadIds(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [0];
  }
}
