/**
 * Runs stages of the flow on a disk that is full from a step on: `full-child.ts DATA_DIR PLACE FROM
 * TO`, as `flow-child.ts`. Fails as a command does, with the message on the standard error output.
 */

import { onFailpoint } from '../../../src/base/failpoints.ts';
import { fillDisk } from '../../support/small-disk.ts';
import { runFlow, stagesOf } from '../support/flow.ts';
import { createPlaces } from '../support/places.ts';

const [dataDir, fullFrom, ...stages] = process.argv.slice(2);
const placeOf = createPlaces();

onFailpoint((name, what) => {
  if (placeOf(name, what) === fullFrom) fillDisk(dataDir);
});
try {
  await runFlow(dataDir, stagesOf(stages));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
