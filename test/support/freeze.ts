/** Stops processes where they are, as a machine does that hangs: their connections stay. */

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Returns once every thread of the process stands still. The signal alone returns before: on a busy
 * machine the other threads go on serving until one of them has handled it.
 */
export async function freeze(pid: number): Promise<void> {
  try {
    process.kill(pid, 'SIGSTOP');
  } catch {
    return; // It has ended meanwhile.
  }
  const deadline = Date.now() + 30_000;
  while (runningThreads(pid) > 0) {
    if (Date.now() > deadline) throw new Error(`process ${pid} goes on after SIGSTOP`);
    await delay(5);
  }
}

/** Threads that are neither stopped nor ended; 0 where the system doesn't list them. */
function runningThreads(pid: number): number {
  let count = 0;
  for (const thread of listed(`/proc/${pid}/task`)) {
    if (!/[TZXx]/.test(stateOf(`/proc/${pid}/task/${thread}/stat`))) count++;
  }
  return count;
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The letter after the name of the program, which stands in parentheses; X for one that ended. */
function stateOf(path: string): string {
  try {
    const text = readFileSync(path, 'utf8');
    return text[text.lastIndexOf(')') + 2];
  } catch {
    return 'X';
  }
}
