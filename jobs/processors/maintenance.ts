/** What keeps a store in order: small tasks by name, each harmless to repeat or interrupt. */

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModePaths } from '../../src/data-dir.ts';
import { limits } from '../../src/limits.ts';
import type { RunDeps } from '../backfill.ts';
import { compact } from '../compact.ts';
import { plansFolder, removeLandings } from '../runner/landings.ts';

export interface MaintenanceDeps extends RunDeps {
  paths: ModePaths;
}

/** Says what it did, by names that stay the same. */
type Task = (deps: MaintenanceDeps) => Promise<Record<string, number>>;

/** By name, as in schedules and jobs. */
export const MAINTENANCE = {
  /** Rewrites the store into the fewest bytes. */
  async compact(deps) {
    const { storeBytes, servingBytes } = await compact(deps.paths, { isFull: false }, deps);
    return { storeBytes: storeBytes.after, servingBytes: servingBytes.after };
  },
  /** Removes what jobs landed for plans that nobody knows any more. */
  async 'sweep-plans'({ paths, nowMs }) {
    let removed = 0;
    for (const plan of await readdir(plansFolder(paths)).catch(() => [])) {
      const { mtimeMs } = await stat(join(plansFolder(paths), plan));
      if (nowMs - mtimeMs < limits.jobs.keptMs) continue;
      await removeLandings(paths, plan);
      removed++;
    }
    return { removed };
  },
} as const satisfies Record<string, Task>;

export type MaintenanceTask = keyof typeof MAINTENANCE;
