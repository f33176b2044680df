/**
 * Loaded before everything else into a server: while its data folder has a file `collect-garbage`,
 * each of its threads collects its garbage every second, so that what is still there is held by
 * somebody. So the server under test has no hooks.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const sign = join(process.env.TAPEWORKS_DATA_DIR, 'collect-garbage');
let collect;

setInterval(() => {
  if (!existsSync(sign)) return;
  setFlagsFromString('--expose-gc');
  collect ??= runInNewContext('gc');
  collect();
}, 1000).unref();
