/** Stores of a database as promises, with transactions that last over an `await`. */

import type { DatabaseSync } from 'node:sqlite';
import { beginTransaction, endTransaction } from './transaction.ts';

type Functions = Record<string, (...values: never[]) => unknown>;

export type Promised<T> = {
  [Name in keyof T]: T[Name] extends (...values: infer Values) => infer Result
    ? (...values: Values) => Promise<Awaited<Result>>
    : never;
};

/** Transactions that are open in this thread, by file. Another connection would wait for ever. */
const open = new Map<string, Promise<void>>();

/** Returns functions that run in the transaction that is open. */
export function promised<T extends object>(functions: T): Promised<T> {
  return mapped(
    functions,
    (run) =>
      async (...values) =>
        run(...values),
  );
}

/** Returns functions that wait for the transaction of the file that is open in this thread. */
export function promisedApart<T extends object>(path: string, functions: T): Promised<T> {
  return mapped(functions, (run) => async (...values) => {
    await ended(path);
    return run(...values);
  });
}

/**
 * Runs work in a transaction that is on the disk when it returns. The work may await only what
 * needs no turn of the event loop, as the functions of `promised`: other processes wait.
 */
export async function inPromisedTransaction<T>(
  path: string,
  db: DatabaseSync,
  work: () => Promise<T>,
): Promise<T> {
  await ended(path);
  const { promise, resolve } = Promise.withResolvers<void>();
  open.set(path, promise);
  try {
    beginTransaction(db, 'FULL');
    const result = await work();
    endTransaction(db, 'COMMIT');
    return result;
  } catch (error) {
    endTransaction(db, 'ROLLBACK');
    throw error;
  } finally {
    open.delete(path);
    resolve();
  }
}

async function ended(path: string): Promise<void> {
  for (let other = open.get(path); other; other = open.get(path)) await other;
}

function mapped<T extends object>(
  functions: T,
  map: (run: (...values: unknown[]) => unknown) => (...values: unknown[]) => Promise<unknown>,
): Promised<T> {
  const entries = Object.entries(functions as Functions);
  return Object.fromEntries(
    entries.map(([name, run]) => [name, map(run as (...values: unknown[]) => unknown)]),
  ) as Promised<T>;
}
