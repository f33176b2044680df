/**
 * Runs another of these scripts in a broken build: `watched.ts MUTANT SCRIPT …`, where MUTANT is
 * the number of one of `MUTANTS`, or -1 for a sound build. The rest goes to the script. Prints each
 * disk call as a JSON line, between the lines of the script.
 */

import { writeSync } from 'node:fs';
import { watchDisk } from '../support/disk-log.ts';
import { BROKEN, MUTANTS, skipsOf } from '../support/mutants.ts';

const [number, script] = process.argv.splice(2, 2);
const mutant = MUTANTS[Number(number)];
const print = writeSync;
const onBroken = () => void print(1, `${BROKEN}\n`);
const isSkipped = mutant ? skipsOf(mutant) : () => false;
mutant?.change?.(onBroken);
await watchDisk((call) => {
  // The lines of the script itself.
  if (/^(pipe|socket):/.test(call.path)) return true;
  if (isSkipped(call)) {
    onBroken();
    return false;
  }
  print(1, `${JSON.stringify(call)}\n`);
  return true;
});
await import(`./${script}`);
