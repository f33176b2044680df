/**
 * Removes what nobody reads any more, in both modes: each part is bounded, harmless to repeat, and
 * a kill between two of them leaves work for the next run. `docs/operations.md` has the periods.
 */

import { existsSync } from 'node:fs';
import type { Settings } from '../../src/base/config/config.ts';
import { accountsPath, jobsPaths, MODES, workPaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits/limits.ts';
import { openAccountUpkeep } from '../../src/store/sqlite/upkeep.ts';
import { JobLedger } from '../runner/job-ledger.ts';
import { removeOldFiles, removeOldLandings } from './old-files.ts';

/** What was removed. A type: tasks say what they did by names with a number each. */
export type Removed = Record<'events' | 'plans' | 'landings' | 'files', number>;

export async function removeOld(
  settings: Pick<Settings, 'dataDir' | 'segmentsDir'>,
  nowMs: number,
): Promise<Removed> {
  const removed: Removed = { events: 0, plans: 0, landings: 0, files: 0 };
  removed.events = removeOldEvents(accountsPath(settings.dataDir), nowMs);
  removed.plans = removeOldPlans(jobsPaths(settings.dataDir).ledger, nowMs);
  for (const mode of MODES) {
    const paths = workPaths(settings, mode);
    removed.landings += await removeOldLandings(paths, nowMs);
    removed.files += await removeOldFiles(paths, nowMs);
  }
  return removed;
}

function removeOldEvents(path: string, nowMs: number): number {
  if (!existsSync(path)) return 0;
  const upkeep = openAccountUpkeep(path, () => nowMs);
  try {
    return upkeep.removeOld();
  } finally {
    upkeep.close();
  }
}

/** Without Redis, where nothing runs schedules that would resume plans. Redis forgets by itself. */
function removeOldPlans(path: string, nowMs: number): number {
  if (!existsSync(path)) return 0;
  const ledger = new JobLedger(path);
  try {
    return ledger.sweep(nowMs - limits.jobs.keptMs).length;
  } finally {
    ledger.close();
  }
}
