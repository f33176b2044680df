/** Runs queries of agents, each in a process that is killed at its deadline. */

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { SqlQueries, SqlQuery, SqlRows } from '../../api/mcp/tools/sql.ts';
import { HttpError, ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { envWithCompileCache } from './supervise.ts';

const entry = fileURLToPath(new URL(`./sql-process${import.meta.url.slice(-3)}`, import.meta.url));

/** Advice for a query that is too large. */
const LESS = 'filter by symbol or day, or aggregate';

const { duckdbMegabytes, errorCharsMax, heapMegabytes, processBytesMax, waitingMax } = limits.sql;

function hasDuckDb(): boolean {
  try {
    createRequire(import.meta.url).resolve('@duckdb/node-api');
    return true;
  } catch {
    return false;
  }
}

function refused(reason: string): ParameterError {
  return new ParameterError('sql', `sql ${reason}`);
}

/** Passes on no settings of the server, which hold keys. */
function bareEnv(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE, SystemRoot } = envWithCompileCache();
  return { NODE_COMPILE_CACHE, SystemRoot, TZ: 'UTC' };
}

async function runOnce(
  { folder, ...query }: SqlQuery,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<SqlRows> {
  const heap = `--max-old-space-size=${heapMegabytes}`;
  const child = spawn(process.execPath, [heap, entry], {
    cwd: folder,
    env: bareEnv(),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  let isLate = false;
  const kill = () => child.kill('SIGKILL');
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, deadlineMs);
  signal.addEventListener('abort', kill, { once: true });
  try {
    // A process that ended early has closed its input.
    child.stdin.on('error', () => undefined);
    child.stdin.write(`${JSON.stringify(query)}\n`);
    const [output, code] = await Promise.all([text(child.stdout), ended]);
    if (isLate) {
      throw refused(`took more than ${deadlineMs / 1000} s: ${LESS}`);
    }
    // A heap that is full ends the process with a status of its own.
    if (code !== 0) throw refused(`needs more than ${processBytesMax / 2 ** 20} MiB: ${LESS}`);
    const reply = JSON.parse(output) as SqlRows | { error: string };
    if (!('error' in reply)) return reply;
    const isMemory = reply.error.startsWith('Out of Memory Error');
    // The rest of DuckDB's text suggests settings, which are locked.
    const memory = `needs more than ${duckdbMegabytes} MB: ${LESS}`;
    throw refused(isMemory ? memory : `failed: ${reply.error.slice(0, errorCharsMax)}`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
    kill();
  }
}

/** @param processesMax Processes at once; further queries wait. */
export function createSqlQueries(
  processesMax: number,
  deadlineMs: number = limits.sql.deadlineMs,
): SqlQueries {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    isAvailable: hasDuckDb(),
    async run(query, signal) {
      if (running >= processesMax) {
        if (waiting.length >= waitingMax) {
          const retry = ['Retry-After', String(deadlineMs / 1000)];
          throw new HttpError(503, 'Too many SQL queries are running', retry);
        }
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else running++;
      try {
        if (signal.aborted) throw refused('was given up by its client');
        return await runOnce(query, deadlineMs, signal);
      } finally {
        // The next query takes over the place of this one.
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
  };
}
