/**
 * `flow-child.ts` in a broken build: `mutant-child.ts DATA_DIR PLACE FROM TO MUTANT`, where MUTANT is
 * the number of one of `MUTANTS`, or -1. Tells what is asked of the disk on the standard error
 * output, a JSON line each.
 */

import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { logDisk } from './disk-log.ts';
import { MUTANTS } from './mutants.ts';

const mutant = MUTANTS[Number(process.argv[6])];
if (mutant) {
  const url = new URL(`../../${mutant.file}`, import.meta.url).href;
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
await import('./flow-child.ts');
