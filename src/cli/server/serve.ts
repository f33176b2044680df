/**
 * `serve`: the API over the published data. Threads answer requests, one more runs screens; the
 * main thread supervises them, writes usage counts, and delivers webhooks.
 */

import type { Command } from 'commander';
import type { FleetCounts } from '../../api/access/fleet-counts.ts';
import type { Settings } from '../../base/config/config.ts';
import { accountsPlace, type Mode } from '../../base/config/data-dir.ts';
import { limits } from '../../base/limits.ts';
import { wallMs } from '../../base/world/clock.ts';
import { process } from '../../base/world/process.ts';
import type { Accounts } from '../../store/accounts/records/contract.ts';
import type { CountMemory } from '../../store/accounts/usage/count-memory.ts';
import { loadReplicas } from '../fleet.ts';
import { listeningLine, wholeNumberFor } from '../options.ts';
import { createOutput } from '../output.ts';
import { type ApiReport, type ApiThreads, startApiThreads } from './api-threads.ts';
import { createScreenThread, type ScreenThread } from './screens.ts';
import { onStop } from './supervise.ts';

export interface RunningApi extends ApiReport {
  host: string;
  /** Finishes active requests, ends all threads and writes their counts. */
  close(): Promise<void>;
}

interface ApiOptions {
  threadCount: number;
  follow: Follow | undefined;
  note: (line: string) => void;
}

/** Starts the API on `threadCount` threads that have not begun. */
async function startApi(
  settings: Settings,
  threads: ApiThreads,
  screens: ScreenThread,
  { threadCount, follow, note }: ApiOptions,
): Promise<RunningApi> {
  const [
    { openAccounts },
    { newCountMemory },
    { newMetricMemory },
    { newStreamMemory },
    { freePort },
  ] = await Promise.all([
    import('../../store/accounts/open.ts'),
    import('../../store/accounts/usage/count-memory.ts'),
    import('../../api/operator/metrics/request-metrics.ts'),
    import('../../api/streams/key-counts.ts'),
    import('./free-port.ts'),
  ]);
  const memory = newCountMemory();
  const accounts = openAccounts(accountsPlace(settings.dataDir), wallMs, { memory });
  await firstLook(accounts, note);
  // Functions that stop the work next to the threads.
  const helpers: (() => Promise<void>)[] = [];
  const shared = await sharedCounts(settings, memory, note);
  if (shared) helpers.push(shared.close);
  const close = async () => {
    await Promise.all([threads.stop(), ...helpers.map((stop) => stop())]);
    // Requests in flight may wait for screens.
    await screens.stop();
    await accounts.close();
  };
  try {
    const port = await freePort(settings);
    const metrics = newMetricMemory(threadCount);
    const streamMemory = newStreamMemory();
    const data = { settings: { ...settings, port }, threadCount, memory, metrics, streamMemory };
    const damaged = new Set<Mode>();
    threads.begin(data, {
      addCounts(counts) {
        accounts.addCounts(counts);
        shared?.noteUse(counts);
      },
      noteDamage: (mode) => damaged.add(mode),
    });
    const report = await threads.firstReport;
    screens.start({
      dataDir: settings.dataDir,
      isShared: settings.snapshotsUrl !== undefined,
      verify: settings.verify,
    });
    // Its code is imported after the API has started.
    helpers.push(stoppable((signal) => deliver(settings, accounts, signal)));
    if (follow) helpers.push(stoppable((signal) => follow(signal, damaged)));
    return { ...report, host: settings.host, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts the exchange of counts with other machines. @returns Undefined without Redis. */
async function sharedCounts(
  { redisUrl, accountsUrl }: Settings,
  memory: CountMemory,
  note: (line: string) => void,
): Promise<FleetCounts | undefined> {
  if (redisUrl === undefined) {
    const advice = 'set TAPEWORKS_REDIS_URL to count over all servers of these accounts';
    if (accountsUrl !== undefined) note(`This server counts rate limits alone: ${advice}.`);
    return undefined;
  }
  const { shareRequestCounts } = await import('../../api/access/fleet-counts.ts');
  return shareRequestCounts(memory, redisUrl, note);
}

/** Reads the keys. Without Postgres the server starts with the copy of its last run. */
async function firstLook(accounts: Accounts, note: (line: string) => void): Promise<void> {
  try {
    await accounts.refresh();
  } catch (error) {
    try {
      accounts.cursorSecret();
    } catch {
      await accounts.close();
      throw error;
    }
    note(`${(error as Error).message}; known keys are admitted meanwhile`);
  }
}

/**
 * Follows object storage until the signal aborts.
 *
 * @param damaged Modes in which a request has met damage.
 */
type Follow = (signal: AbortSignal, damaged: Set<Mode>) => Promise<void>;

/** Starts work; the result stops it and waits for its end. */
function stoppable(work: (signal: AbortSignal) => Promise<void>): () => Promise<void> {
  const stop = new AbortController();
  const ended = work(stop.signal);
  return () => {
    stop.abort();
    return ended;
  };
}

async function deliver(settings: Settings, accounts: Accounts, signal: AbortSignal): Promise<void> {
  const [{ startDelivery }, { createLog }] = await Promise.all([
    import('../../../jobs/webhooks/deliver.ts'),
    import('../../api/http/log.ts'),
  ]);
  // With Redis, workers have jobs for deliveries; a server helps where they are late.
  const lateMs = settings.redisUrl === undefined ? 0 : limits.webhook.lateMs;
  await startDelivery({ accounts, settings, signal, lateMs, log: createLog(settings.logLevel) });
}

/** Returns the number of threads: one if the system cannot share a port. */
async function threadCountHere(wanted: number, note: (line: string) => void): Promise<number> {
  if (wanted === 1) return 1;
  const { canSharePort } = await import('./free-port.ts');
  if (await canSharePort()) return wanted;
  note('This system does not let threads share a port, so one thread serves.');
  return 1;
}

/** Runs the start of the threads; ends them if it fails. */
async function withThreads<T>(threads: ApiThreads, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await threads.stop();
    throw error;
  }
}

/** Resolves at the first SIGINT or SIGTERM, or when the supervisor has ended. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => onStop(resolve));
}

export interface ServeOptions {
  processes: number;
  replica?: boolean;
  json?: boolean;
}

/** Adds `--processes`. */
export function withThreadCount(command: Command): Command {
  const read = wholeNumberFor('--processes', 1, limits.api.threadsMax);
  return command.option('--processes <n>', 'number of threads that serve requests', read, 1);
}

async function serve(options: ServeOptions): Promise<void> {
  const stopped = untilStopped();
  const output = createOutput(options.json);
  const threadCount = await threadCountHere(options.processes, output.note);
  const screens = createScreenThread(output.note);
  const threads = startApiThreads(threadCount, screens, output.note);
  const { close, host, ...report } = await withThreads(threads, async () => {
    const { settingsFromEnv } = await import('../../base/config/config.ts');
    const settings = settingsFromEnv(process.env);
    const follow = options.replica ? await replicaOf(settings, output.note) : undefined;
    return startApi(settings, threads, screens, { threadCount, follow, note: output.note });
  });
  const { address } = report;
  output.result({ address }, [listeningLine(address, { host })]);
  // Only `start` holds a channel.
  if (process.connected) process.send?.(report);
  await stopped;
  await close();
  if (process.connected) process.disconnect?.();
}

/** @throws {UsageError} this data folder can't be a replica. */
async function replicaOf(settings: Settings, note: (line: string) => void): Promise<Follow> {
  const { followObjects, requireReplica } = await loadReplicas();
  requireReplica(settings);
  return (signal, damaged) => followObjects(settings, note, signal, damaged);
}

export function registerServe(program: Command): void {
  withThreadCount(program.command('serve'))
    .description('serve the API, without loading data')
    .option('--replica', 'serve what TAPEWORKS_SNAPSHOTS_URL has, and follow it')
    .option('--json', 'print one JSON document when the server is ready')
    .action(serve);
}
