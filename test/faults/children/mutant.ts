/**
 * Runs another of these scripts in a broken build: `mutant.ts MUTANT SCRIPT …`, where MUTANT is
 * the number of one of `MUTANTS`, or -1, and the rest is what the script is given. Tells what is
 * asked of the disk on the standard error output, a JSON line each.
 */

import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { logDisk } from '../support/disk-log.ts';
import { MUTANTS } from '../support/mutants.ts';

const [number, script] = process.argv.splice(2, 2);
const mutant = MUTANTS[Number(number)];
if (mutant) {
  const url = new URL(`../../../${mutant.file}`, import.meta.url).href;
  registerHooks({
    load(loaded, context, nextLoad) {
      const result = nextLoad(loaded, context);
      if (loaded !== url) return result;
      const source = String(result.source);
      if (!source.includes(mutant.from)) throw new Error(`${mutant.file} lacks "${mutant.from}"`);
      return { ...result, source: source.replace(mutant.from, mutant.to) };
    },
  });
}
await logDisk((call) => writeSync(2, `${JSON.stringify(call)}\n`));
await import(`./${script}`);
