/** Plants each bug in turn and runs seeds until one fails: `planted.ts [NAME…]`. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { BUGS } from './planted/bugs.ts';
import type { PlantedBug } from './planted/planted-bug.ts';

const RUN = fileURLToPath(new URL('run.ts', import.meta.url));
const SEEDS_MAX = 200;

/** Returns the seeds until a bug is caught and the invariant that caught it; undefined: none. */
export function seedsToCatch({
  name,
  file,
}: PlantedBug): { seeds: number; invariant: string } | undefined {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [RUN, '--seeds', String(SEEDS_MAX), '--first', '--turn', '--night', nightsOf(file)],
    { encoding: 'utf8', env: { ...process.env, SIMULATION_BUG: name } },
  );
  const found = /^seed (\d+): ([^:]+):/m.exec(stdout);
  if (found) return { seeds: Number(found[1]), invariant: found[2] };
  if (status !== 0) throw new Error(`"${name}" does not run: ${stderr}`);
  return undefined;
}

/** Returns the nights in which the code of a file runs. */
function nightsOf(file: string): string {
  if (/^src\/(fleet\/postgres|api)/.test(file)) return 'accounts';
  if (/^jobs\/(redis|contract\/stag)/.test(file)) return 'queue';
  return /^jobs|accounts/.test(file) ? 'work' : 'fleet,files';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2);
  let missed = 0;
  for (const bug of BUGS) {
    const { name } = bug;
    if (names.length > 0 && !names.includes(name)) continue;
    const caught = seedsToCatch(bug);
    if (!caught) missed++;
    console.log(`| ${name} | ${caught?.seeds ?? 'not caught'} | ${caught?.invariant ?? ''} |`);
  }
  process.exit(missed > 0 ? 1 : 0);
}
