/** The simulated process whose code runs; settings and the platform are those of this one. */

import real from 'node:process';
import { current } from '../simulation.ts';

export const process = new Proxy(real, {
  get: (target, name) => {
    if (name === 'pid') return current()?.pid ?? target.pid;
    const value = Reflect.get(target, name);
    return typeof value === 'function' ? value.bind(target) : value;
  },
});
