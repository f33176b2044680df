/** Returns the CPU time of this process in milliseconds: user and system, all threads. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Returns the clock for work that never waits. Other programs on the machine count less in CPU
 * time. Windows counts it in steps of 16 ms, so the wall clock counts there.
 */
export function workClock(): { nowMs: () => number; name: string } {
  if (process.platform === 'win32') return { nowMs: () => performance.now(), name: 'time' };
  return { nowMs: cpuMs, name: 'CPU time of the process, all threads' };
}
