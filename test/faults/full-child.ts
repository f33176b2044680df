/**
 * Runs the flow on a disk that is full from a step on: `full-child.ts DATA_DIR STEP`, where STEP is
 * its number. Fails as a command does, with the message on the standard error output.
 */

import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onStep } from '../../src/steps.ts';
import { BALLAST_NAME, runFlow } from './flow.ts';

const [dataDir, lastStep] = process.argv.slice(2);
let steps = 0;

function fillDisk(): void {
  const file = openSync(join(dataDir, BALLAST_NAME), 'w');
  try {
    for (const bytes of [1024 * 1024, 4096]) {
      try {
        for (;;) writeSync(file, Buffer.alloc(bytes));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  } finally {
    closeSync(file);
  }
}

onStep(() => {
  if (++steps === Number(lastStep)) fillDisk();
});
try {
  await runFlow(dataDir);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
