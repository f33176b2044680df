/** Timers and the time of day that libraries look up: within a simulated process, they are simulated. */

import { current } from '../simulation.ts';
import * as clock from './clock.ts';

type Call = (...args: unknown[]) => unknown;

const { setTimeout, setInterval, clearTimeout, clearInterval } = clock;

for (const [name, timer] of Object.entries({
  setTimeout,
  setInterval,
  clearTimeout,
  clearInterval,
})) {
  const real = globalThis[name as 'setTimeout'] as unknown as Call;
  const simulated = timer as unknown as Call;
  const isClear = name.startsWith('clear');
  Object.defineProperty(globalThis, name, {
    value: (...args: unknown[]) => {
      const isSimulated = isClear ? args[0] instanceof clock.Timer : current() !== undefined;
      return (isSimulated ? simulated : real)(...args);
    },
    writable: true,
    configurable: true,
  });
}

const realNow = Date.now;
Date.now = () => (current() ? clock.wallMs() : realNow());
