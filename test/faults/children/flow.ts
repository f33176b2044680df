/**
 * Runs the flow in a process of its own: `flow-child.ts DATA_DIR PLACE [FROM [TO]]`. Prints each
 * step as it is reached and kills itself at PLACE: a step's text and which of these it is, like
 * `move position@2`; 0: nowhere. Runs the stages from FROM to before TO, by default all.
 */

import { writeSync } from 'node:fs';
import { onFailpoint } from '../../../src/base/failpoints.ts';
import { runFlow, stagesOf } from '../support/flow.ts';
import { createPlaces } from '../support/places.ts';

const [dataDir, lastPlace, from, to] = process.argv.slice(2);
const placeOf = createPlaces();

onFailpoint((name, what) => {
  const place = placeOf(name, what);
  writeSync(1, `${place}\n`);
  if (place === lastPlace) process.kill(process.pid, 'SIGKILL');
});
await runFlow(dataDir, stagesOf([from, to]));
