/**
 * Loaded before everything else into a server: makes a thread, by default its first API thread,
 * throw when a file appears, which it then removes. So the server under test has no hooks.
 */

import { existsSync, rmSync } from 'node:fs';
import { threadName } from 'node:worker_threads';

const file = process.env.CRASH_FILE;
if (threadName === (process.env.CRASH_THREAD ?? 'API thread 1') && file) {
  setInterval(() => {
    if (!existsSync(file)) return;
    rmSync(file);
    throw new Error('crashed by a test');
  }, 10).unref();
}
