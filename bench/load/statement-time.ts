/**
 * Preloaded into a load: counts the processor time of the main thread, and that of DuckDB's statements
 * by the file of this program that runs them. Writes both at the end to the path in `LOAD_TIMES`.
 */

import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';

export interface LoadTimes {
  threadMs: number;
  /** By the file that runs the statements. */
  statementMs: Record<string, number>;
}

type Statement = (...args: unknown[]) => Promise<unknown>;

const msByFile = new Map<string, number>();
/** Rooms of this program, without the one that hands statements on. */
const CALLER = /\/((?:src\/(?!store\/duckdb\/connection\/)|jobs\/)[^:)]+)/;

function counted(run: Statement): Statement {
  return async function count(this: unknown, ...args) {
    const stack = new Error().stack ?? '';
    // A method that calls another one of these counts once.
    if (/\bcount .*statement-time/.test(stack.split('\n').slice(2).join('\n')))
      return run.apply(this, args);
    const [, file = 'others'] = CALLER.exec(stack) ?? [];
    const from = process.cpuUsage();
    try {
      return await run.apply(this, args);
    } finally {
      const { user, system } = process.cpuUsage(from);
      msByFile.set(file, (msByFile.get(file) ?? 0) + (user + system) / 1000);
    }
  };
}

function count(prototype: object, names: readonly string[]): void {
  const methods = prototype as Record<string, Statement>;
  for (const name of names) methods[name] = counted(methods[name]);
}

if (isMainThread) {
  Error.stackTraceLimit = 30;
  count(DuckDBConnection.prototype, ['run', 'stream', 'runUntilLast']);
  count(DuckDBPreparedStatement.prototype, ['run', 'stream']);
  process.once('exit', () => {
    const { user, system } = process.threadCpuUsage();
    const times: LoadTimes = {
      threadMs: (user + system) / 1000,
      statementMs: Object.fromEntries(msByFile),
    };
    writeFileSync(process.env.LOAD_TIMES!, JSON.stringify(times));
  });
}
