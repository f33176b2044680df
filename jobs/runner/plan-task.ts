/** A task of maintenance as a plan: no children, and the task in the place of a load. */

import type { Mode } from '../../src/base/config/data-dir.ts';
import type { MaintenanceTask } from '../processors/maintenance.ts';
import { type Plan, planId } from './plan.ts';

/** @param tick As `PlanHead.tick`. */
export function planTask(
  { mode, task, tick }: { mode: Mode; task: MaintenanceTask; tick?: string },
  nowMs: number,
): Plan {
  const source = `maintenance ${task}`;
  return {
    id: planId({ mode, source, asked: {}, tick }),
    ...{ mode, source, tick, task, verb: source, priority: 'backfill' },
    createdMs: nowMs,
    childCount: 0,
    children: [],
    shared: {},
  };
}
