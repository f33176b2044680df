/** Simulated time: it stands still while code runs, and advances from step to step. */

import { current, simulation } from '../simulation.ts';

export function wallMs(): number {
  return Math.floor(simulation().nowMs + (current()?.machine.clockMs ?? 0));
}

export function monotonicMs(): number {
  return simulation().elapsedMs;
}

export class Timer {
  cancel: () => void = () => {};
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
  [Symbol.dispose](): void {
    this.cancel();
  }
}

type Run = (...args: never[]) => void;

export function setTimeout(run: Run, ms = 0, ...args: never[]): Timer {
  const timer = new Timer();
  timer.cancel = simulation().later(current(), ms, 'timer', () => run(...args));
  return timer;
}

export function setInterval(run: Run, ms = 0, ...args: never[]): Timer {
  const timer = new Timer();
  const again = () => {
    timer.cancel = simulation().later(current(), ms, 'timer', () => {
      again();
      run(...args);
    });
  };
  again();
  return timer;
}

export function setImmediate(run: Run, ...args: never[]): Timer {
  return setTimeout(run, 0, ...args);
}

export function clearTimeout(timer: Timer | undefined): void {
  timer?.cancel();
}

export const clearInterval = clearTimeout;
export const clearImmediate = clearTimeout;

export async function delay<T>(
  ms = 0,
  value?: T,
  { signal }: { signal?: AbortSignal } = {},
): Promise<T> {
  signal?.throwIfAborted();
  await simulation().turn('wake up', ms);
  signal?.throwIfAborted();
  return value as T;
}

export function nextTick(): Promise<void> {
  return simulation().turn('next tick');
}

export function timeoutSignal(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException('timeout', 'TimeoutError')), ms);
  return controller.signal;
}
