/** What keeps the data in order: small tasks by name, each harmless to repeat or interrupt. */

import type { Settings } from '../../src/base/config/config.ts';
import { accountsPath, type ModePaths } from '../../src/base/config/data-dir.ts';
import { compact } from '../inspect/compact.ts';
import type { RunDeps } from '../load/backfill.ts';
import { checkIntegrity, faultLines } from '../maintenance/integrity.ts';
import { removeOld } from '../maintenance/retention.ts';
import { rollUp } from '../maintenance/roll-up.ts';
import { isWorthCompacting } from '../maintenance/worth-compacting.ts';

export interface MaintenanceDeps extends RunDeps {
  paths: ModePaths;
  settings: Settings;
  /** A schedule has asked, and not a person. */
  isScheduled?: boolean;
}

export interface TaskReport {
  /** What was done, by names that stay the same. */
  did: Record<string, number>;
  /** What is damaged, and what to do; only of what looks for damage. */
  faults?: string[];
}

type Task = (deps: MaintenanceDeps) => Promise<TaskReport>;

/** By name, as in schedules and jobs. All but `compact` look after both modes. */
export const MAINTENANCE = {
  /** Rewrites the store into the fewest bytes; for a schedule, where that gives back enough. */
  async compact({ paths, isScheduled, ...deps }) {
    if (isScheduled && !(await isWorthCompacting(paths))) return { did: { compacted: 0 } };
    const { storeBytes, servingBytes } = await compact(paths, { isFull: false }, deps);
    const bytes = { storeBytes: storeBytes.after, servingBytes: servingBytes.after };
    return { did: { compacted: 1, ...bytes } };
  },
  /** Removes what nobody reads any more. */
  async retention({ settings, nowMs }) {
    return { did: await removeOld(settings, nowMs) };
  },
  /** Puts the usage of days that are long past together by month. */
  async 'roll-up'({ settings, nowMs }) {
    return { did: rollUp(accountsPath(settings.dataDir), nowMs) };
  },
  /** Looks for damage, for a while, from where the run before has stopped. */
  async integrity({ settings, nowMs, onProgress, signal }) {
    const options = { settings, nowMs, onProgress, signal };
    const { parts, bytes, left, faults } = await checkIntegrity(options);
    return { did: { parts, bytes, left, faults: faults.length }, faults: faultLines(faults) };
  },
} as const satisfies Record<string, Task>;

export type MaintenanceTask = keyof typeof MAINTENANCE;

export const MAINTENANCE_TASKS = Object.keys(MAINTENANCE) as MaintenanceTask[];
