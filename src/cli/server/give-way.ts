/** Priority of processes that load and publish beside the API. */

import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Lets processes that answer requests go first where the processors are busy: a publish that takes
 * a little longer is noticed by nobody. The lowest priority, since the five threads of a publish
 * add up: ten steps higher they took a thread of the API a third of its time on two processors.
 */
export function giveWay(): void {
  for (const id of threadIds()) {
    try {
      setPriority(id, constants.priority.PRIORITY_LOW);
    } catch {
      // Not every system lets a process choose, and a thread may end; the others give way.
    }
  }
}

/** Linux gives each thread a priority of its own; elsewhere 0 stands for the process. */
function threadIds(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [0];
  }
}
