/**
 * Loaded before everything else into a server: while its data folder has a file `collect-garbage`,
 * each of its threads collects its garbage every second, so that what is still there is held by
 * somebody. With a file `release-versions` it no longer holds replaced versions for two minutes. So
 * the server under test has no hooks.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const hasSign = (name) => existsSync(join(process.env.TAPEWORKS_DATA_DIR, name));
let collect;

setInterval(async () => {
  if (hasSign('release-versions')) {
    const { limits } = await import('../../../src/base/limits.ts');
    limits.serving.heldVersions.recentMs = 0;
  }
  if (!hasSign('collect-garbage')) return;
  setFlagsFromString('--expose-gc');
  collect ??= runInNewContext('gc');
  collect();
}, 1000).unref();
