/** Priority of processes that load and publish beside the API. */

import { constants, setPriority } from 'node:os';

/**
 * Lets processes that answer requests go first where the processors are busy: a publish that takes
 * a little longer is noticed by nobody. Before any thread is started, as threads of Linux keep the
 * priority that they were started with.
 */
export function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not every system lets a process choose; it works all the same.
  }
}
