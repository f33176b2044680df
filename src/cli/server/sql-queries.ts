/** Runs queries of agents, each in a process that is killed at its deadline. */

import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { SqlQueries, SqlQuery, SqlRows } from '../../api/mcp/tools/sql.ts';
import { createPool } from '../../api/responses/pool.ts';
import { ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { clearTimeout, setTimeout } from '../../base/world/clock.ts';
import { process } from '../../base/world/process.ts';
import { spawn } from '../../base/world/programs.ts';
import { envWithCompileCache } from './supervise.ts';

const entry = fileURLToPath(new URL(`./sql-process${import.meta.url.slice(-3)}`, import.meta.url));

/** Advice for a query that is too large. */
const LESS = 'filter by symbol or day, or aggregate';

const { duckdbMegabytes, errorCharsMax, heapMegabytes, processBytesMax, waitingMax } = limits.sql;

function hasDuckDb(): boolean {
  try {
    import.meta.resolve('@duckdb/node-api');
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

interface Waiting {
  account: string;
  begin: () => void;
}

/**
 * @param processesMax Processes at once, of which an account has at most half; further queries wait
 *   in order.
 */
export function createSqlQueries(
  processesMax: number,
  deadlineMs: number = limits.sql.deadlineMs,
): SqlQueries {
  const places = createPool('SQL queries', processesMax + waitingMax);
  const accountMax = Math.max(1, Math.floor(processesMax / 2));
  const waiting: Waiting[] = [];
  /** Accounts of the running queries, each as often as it has some. */
  const running: string[] = [];
  const runningOf = (account: string) => running.filter((one) => one === account).length;

  /** Begins waiting queries while there are processes for their accounts. */
  function fill(): void {
    while (running.length < processesMax) {
      const at = waiting.findIndex(({ account }) => runningOf(account) < accountMax);
      if (at < 0) return;
      const [{ account, begin }] = waiting.splice(at, 1);
      running.push(account);
      begin();
    }
  }

  return {
    isAvailable: hasDuckDb(),
    async run(account, query, signal) {
      const leave = places.enter(account);
      await new Promise<void>((begin) => {
        waiting.push({ account, begin });
        fill();
      });
      try {
        if (signal.aborted) throw refused('was given up by its client');
        return await runOnce(query, deadlineMs, signal);
      } finally {
        running.splice(running.indexOf(account), 1);
        leave();
        fill();
      }
    },
  };
}
