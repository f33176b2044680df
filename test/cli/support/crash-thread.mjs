/**
 * Loaded before everything else into a server: makes a thread throw when a file with its name
 * appears, which it then removes. So the server under test has no hooks.
 */

import { existsSync, rmSync } from 'node:fs';
import { threadName } from 'node:worker_threads';

const file = `${process.env.CRASH_FOLDER}/crash ${threadName}`;
setInterval(() => {
  if (!existsSync(file)) return;
  rmSync(file);
  throw new Error('crashed by a test');
}, 10).unref();
