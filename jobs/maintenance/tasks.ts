/** Maintenance tasks by name; each may be repeated or interrupted. */

import type { Settings } from '../../src/base/config/config.ts';
import {
  type AccountsPlace,
  accountsPlace,
  type ModePaths,
} from '../../src/base/config/data-dir.ts';
import { existsSync } from '../../src/base/world/files.ts';
import { withAccounts } from '../../src/store/accounts/open.ts';
import type { AccountRecords } from '../../src/store/accounts/records/contract.ts';
import type { RunDeps, TaskReport } from '../contract/reports.ts';
import type { MaintenanceTask } from '../contract/run.ts';
import { compact, isWorthCompacting } from './compact.ts';
import { checkIntegrity, faultLines } from './integrity.ts';
import { removeOld } from './retention.ts';

export interface MaintenanceDeps extends RunDeps {
  paths: ModePaths;
  settings: Settings;
  isScheduled?: boolean;
}

type Task = (deps: MaintenanceDeps) => Promise<TaskReport>;

export const MAINTENANCE = {
  /** Rewrites the store into the fewest bytes; a schedule only does so if it frees enough. */
  async compact({ paths, isScheduled, ...deps }) {
    if (isScheduled && !(await isWorthCompacting(paths))) return { did: { compacted: 0 } };
    const { storeBytes, servingBytes } = await compact(paths, { isFull: false }, deps);
    const bytes = { storeBytes: storeBytes.after, servingBytes: servingBytes.after };
    return { did: { compacted: 1, ...bytes } };
  },
  async retention({ settings, nowMs }) {
    return { did: await removeOld(settings, nowMs) };
  },
  async 'roll-up'({ settings, nowMs }) {
    return { did: await rollUp(accountsPlace(settings.dataDir), nowMs) };
  },
  /** Checks data for damage for a limited time; continues where the last run stopped. */
  async integrity({ settings, nowMs, onProgress, signal }) {
    const options = { settings, nowMs, onProgress, signal };
    const { parts, bytes, left, faults } = await checkIntegrity(options);
    return { did: { parts, bytes, left, faults: faults.length }, faults: faultLines(faults) };
  },
} as const satisfies Record<MaintenanceTask, Task>;

async function rollUp(
  place: AccountsPlace,
  nowMs: number,
): Promise<Record<'days' | 'keyMonths', number>> {
  if (place.url === undefined && !existsSync(place.path)) return { days: 0, keyMonths: 0 };
  const roll = (accounts: AccountRecords) => accounts.rollUp();
  return { ...(await withAccounts(place, roll, () => nowMs)) };
}
