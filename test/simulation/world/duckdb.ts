/** DuckDB runs as it is: the next step waits for each of its calls, so that they come in order. */

import { createRequire } from 'node:module';
import { current, simulation } from '../simulation.ts';

type Calls = Record<string, (...args: unknown[]) => Promise<unknown>>;

const real: Calls = createRequire(import.meta.url)('@duckdb/node-bindings');
const bindings: Calls = Object.create(real);

const CALLS = [
  ...['open', 'get_or_create_from_cache', 'connect', 'query', 'prepare', 'execute_prepared'],
  ...['execute_prepared_streaming', 'extract_statements', 'prepare_extracted_statement'],
  ...['execute_pending', 'fetch_chunk'],
];

/** Ways to end what a process has opened, as the kernel does it when the process ends. */
const ends = new Map<unknown, () => void>();

/** Calls that open something, and those that close it. */
const OPENED = {
  connect: 'disconnect_sync',
  open: 'close_sync',
  get_or_create_from_cache: 'close_sync',
};

for (const name of CALLS) {
  const close = (OPENED as Record<string, string | undefined>)[name];
  define(name, (...args) => {
    const process = current();
    if (!process) return real[name](...args);
    // A process dies between two calls of DuckDB, not within one.
    if (name !== 'fetch_chunk') simulation().mayDie();
    const call = simulation().awaitReal(real[name](...args));
    if (close === undefined) return call;
    return call.then((opened) => {
      const end = () => bindings[close](opened);
      ends.set(opened, () => process.open.delete(end));
      process.open.add(end);
      if (process.isDead) end();
      return opened;
    });
  });
}

for (const name of ['disconnect_sync', 'close_sync']) {
  define(name, (opened) => {
    ends.get(opened)?.();
    ends.delete(opened);
    return real[name](opened);
  });
}

function define(name: string, value: (...args: unknown[]) => Promise<unknown>): void {
  Object.defineProperty(bindings, name, { value });
}

export { bindings as 'module.exports' };
