/**
 * Runs the flow in a process of its own: `flow-child.ts DATA_DIR STEP`. Prints each step as it is
 * reached and kills itself at the one that is named: its number, or its text and which of these it
 * is, like `move position@2`; 0: at none.
 */

import { writeSync } from 'node:fs';
import { onStep } from '../../src/steps.ts';
import { runFlow } from './flow.ts';

const [dataDir, lastStep] = process.argv.slice(2);
const counts = new Map<string, number>();
let steps = 0;

onStep((name, what) => {
  const text = `${name} ${what}`.trim();
  const count = (counts.get(text) ?? 0) + 1;
  counts.set(text, count);
  writeSync(1, `${text}\n`);
  if (++steps === Number(lastStep) || `${text}@${count}` === lastStep) {
    process.kill(process.pid, 'SIGKILL');
  }
});
await runFlow(dataDir);
