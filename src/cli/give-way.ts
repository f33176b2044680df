/** Priority of processes that load and publish beside the API. */

import { constants, setPriority } from 'node:os';

/**
 * Lets processes that answer requests go first where the processors are busy: a publish that takes
 * a little longer is noticed by nobody. The lowest priority, since the five threads of a publish
 * add up: ten steps higher they took a thread of the API a third of its time on two processors.
 * Before any thread is started, as threads of Linux keep the priority that they were started with.
 */
export function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // Not every system lets a process choose; it works all the same.
  }
}
