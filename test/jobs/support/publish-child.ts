/**
 * Publishes a mode, with early folds, and kills itself at a step: `publish-child.ts ROOT
 * STEP_NUMBER`. Prints the name of each step as it is reached.
 */

import { writeSync } from 'node:fs';
import { publish } from '../../../jobs/publish/publish.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { onFailpoint } from '../../../src/base/failpoints.ts';
import { limits } from '../../../src/base/limits.ts';
import { FOLD_EARLY } from './fold-early.ts';

const [dataDir, lastStep] = process.argv.slice(2);
let steps = 0;

Object.assign(limits.serving, FOLD_EARLY);
onFailpoint((step, name) => {
  writeSync(1, `${`${step} ${name}`.trim()}\n`);
  if (++steps === Number(lastStep)) process.kill(process.pid, 'SIGKILL');
});
await publish(modePaths(dataDir, 'live'), {
  verb: 'test',
  nowMs: Date.parse('2026-07-01T12:00:00Z'),
});
