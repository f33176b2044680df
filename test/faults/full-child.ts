/**
 * Runs stages of the flow on a disk that is full from a step on: `full-child.ts DATA_DIR PLACE FROM
 * TO`, as `flow-child.ts`. Fails as a command does, with the message on the standard error output.
 */

import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onStep } from '../../src/steps.ts';
import { BALLAST_NAME, runFlow, stagesOf } from './flow.ts';
import { createPlaces } from './places.ts';

const [dataDir, fullFrom, ...stages] = process.argv.slice(2);
const placeOf = createPlaces();

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

onStep((name, what) => {
  if (placeOf(name, what) === fullFrom) fillDisk();
});
try {
  await runFlow(dataDir, stagesOf(stages));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
