/** Time of this machine, and timers. Each is looked up when called, so that tests can replace it. */
import * as timers from 'node:timers/promises';

export { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** Returns the time of day in milliseconds UTC; it may jump. */
export function wallMs(): number {
  return Date.now();
}

/** Returns milliseconds since this thread's start; they never go back. */
export function monotonicMs(): number {
  return performance.now();
}

export function setTimeout<A extends unknown[]>(
  run: (...args: A) => void,
  ms?: number,
  ...args: A
): NodeJS.Timeout {
  return globalThis.setTimeout(run, ms, ...args);
}

export function setInterval<A extends unknown[]>(
  run: (...args: A) => void,
  ms?: number,
  ...args: A
): NodeJS.Timeout {
  return globalThis.setInterval(run, ms, ...args);
}

export function setImmediate<A extends unknown[]>(
  run: (...args: A) => void,
  ...args: A
): NodeJS.Immediate {
  return globalThis.setImmediate(run, ...args);
}

export function clearTimeout(timer: NodeJS.Timeout | undefined): void {
  globalThis.clearTimeout(timer);
}

export function clearInterval(timer: NodeJS.Timeout | undefined): void {
  globalThis.clearInterval(timer);
}

export function clearImmediate(timer: NodeJS.Immediate | undefined): void {
  globalThis.clearImmediate(timer);
}

/** Waits for a time; rejects when the signal aborts. */
export const delay = timers.setTimeout;

/** Waits until other work of this thread had its turn. */
export const nextTick = timers.setImmediate;

/** Returns a signal that aborts after a time. */
export function timeoutSignal(ms: number): AbortSignal {
  return AbortSignal.timeout(ms);
}

/** Returns the share of time in which this thread's loop was busy, as `performance` counts it. */
export const eventLoopUtilization: typeof performance.eventLoopUtilization = (...since) =>
  performance.eventLoopUtilization(...since);
