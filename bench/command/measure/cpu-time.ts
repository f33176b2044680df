/** Returns the CPU time of this process in milliseconds: user and system, all threads. */

import { monotonicMs } from '../../../src/base/world/clock.ts';
import { process } from '../../../src/base/world/process.ts';

export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Returns the clock for work that never waits. Other programs on the machine count less in CPU
 * time. Windows counts it in steps of 16 ms, so the wall clock counts there.
 */
export function workClock(): { nowMs: () => number; name: string } {
  if (process.platform === 'win32') return { nowMs: () => monotonicMs(), name: 'time' };
  return { nowMs: cpuMs, name: 'CPU time of the process, all threads' };
}
