/**
 * Makes a store anew in a process of its own: `rebuild-child.ts DATA_DIR PLACE`. Prints each step as
 * it is reached and kills itself at PLACE, as `flow-child.ts` does.
 */

import { writeSync } from 'node:fs';
import { rebuild } from '../../../jobs/rebuild/rebuild.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { onFailpoint } from '../../../src/base/failpoints.ts';
import { createPlaces } from '../support/places.ts';
import { depsOf } from '../support/rebuild-market.ts';

const [dataDir, lastPlace] = process.argv.slice(2);
const placeOf = createPlaces();

onFailpoint((name, what) => {
  const place = placeOf(name, what);
  writeSync(1, `${place}\n`);
  if (place === lastPlace) process.kill(process.pid, 'SIGKILL');
});
await rebuild(modePaths(dataDir, 'live'), { isPartial: false }, depsOf(dataDir));
