/** Threads that answer requests on one port, each started anew when it dies. */

import { Worker } from 'node:worker_threads';
import type { MetricMemory } from '../../api/operator/metrics/metric-memory.ts';
import type { Settings } from '../../base/config/config.ts';
import { dataFolders, folderFailure } from '../../base/data-folder.ts';
import { limits } from '../../base/limits/limits.ts';
import type { CountMemory } from '../../store/sqlite/usage/count-memory.ts';
import type { UsageCount } from '../../store/sqlite/usage/usage-counts.ts';
import { envWithCompileCache } from './compile-cache.ts';
import { type Run, type Supervised, supervise } from './supervise.ts';

/** What a thread is given to begin with; it loads its program meanwhile. */
export interface ApiThreadData {
  /** With the port that all threads listen on. */
  settings: Settings;
  /** How many threads listen there; several share columns and wait for them first. */
  threadCount: number;
  memory: CountMemory;
  /** A part for each thread. */
  metrics: MetricMemory;
  /** Which of the threads it is, from 0. */
  thread: number;
}

/** What a thread says once it listens. */
export interface ApiReport {
  /** `http://host:port` as a client on this machine reaches it. */
  address: string;
  /** How many symbols are published for the sandbox. */
  sandboxSymbolCount: number;
}

/** What a thread sends. */
export type ApiReply =
  | { kind: 'report'; report: ApiReport }
  /** Usage that it has counted since its last message. */
  | { kind: 'usage'; counts: readonly UsageCount[] };

/** What a thread is told. */
export type ApiMessage =
  /** To open accounts and data, and listen. */
  | { kind: 'begin'; data: ApiThreadData }
  /** To finish the requests in flight and end. */
  | { kind: 'stop' };

export interface ApiThreads extends Supervised<ApiReport> {
  /**
   * Lets every thread, and each that is started later, begin; before they only load.
   *
   * @param addCounts Receives the usage that threads count.
   */
  begin(
    data: Omit<ApiThreadData, 'thread'>,
    addCounts: (counts: readonly UsageCount[]) => void,
  ): void;
}

const module = `./api-thread${import.meta.url.slice(-3)}`;

function launchWorker(name: string): Worker {
  const resourceLimits = { maxYoungGenerationSizeMb: limits.api.threadYoungMegabytes };
  const options = { name, resourceLimits, env: envWithCompileCache() };
  return new Worker(new URL(module, import.meta.url), options);
}

/** A failure of the data folder needs no stack. */
function told(error: Error): string {
  return folderFailure(error, dataFolders(process.env))?.message ?? error.stack ?? error.message;
}

/**
 * Starts threads, which load their program at once: most of the time until the first answer. What
 * they need to begin may follow.
 *
 * @param note Is told of every end and its reason.
 * @returns The report is that of the first thread, once all of them listen.
 */
export function startApiThreads(threadCount: number, note: (line: string) => void): ApiThreads {
  /** By thread: a worker that is started anew takes its place. */
  const workers = new Map<number, Worker>();
  let begun: Omit<ApiThreadData, 'thread'> | undefined;
  let addCounts: (counts: readonly UsageCount[]) => void = () => {};

  function tellBegin(thread: number): void {
    if (!begun) return;
    const message: ApiMessage = { kind: 'begin', data: { ...begun, thread } };
    workers.get(thread)?.postMessage(message);
  }

  function launch(thread: number, name: string, report: (report: ApiReport) => void): Run {
    const worker = launchWorker(name);
    const { promise: ended, resolve } = Promise.withResolvers<string>();
    workers.set(thread, worker);
    worker.on('message', (reply: ApiReply) => {
      if (reply.kind === 'usage') addCounts(reply.counts);
      else report(reply.report);
    });
    worker.on('error', (error: Error) => note(`${name} failed: ${told(error)}`));
    worker.on('exit', (code) => {
      workers.delete(thread);
      resolve(`exit ${code}`);
    });
    const tell = (message: ApiMessage) => worker.postMessage(message);
    tellBegin(thread);
    const kill = () => void worker.terminate();
    // One that has not begun has nothing to finish.
    return { ended, stop: () => (begun ? tell({ kind: 'stop' }) : kill()), kill };
  }

  const threads = Array.from({ length: threadCount }, (_, i) => {
    const name = `API thread ${i + 1}`;
    return supervise<ApiReport>({
      name,
      launch: (report) => launch(i, name, report),
      note,
      stopMs: limits.shutdown.threadMs,
      fatalUntilReported: true,
    });
  });
  const reports = Promise.all(threads.map((thread) => thread.firstReport));
  const firstReport = reports.then(([report]) => report);
  // A thread may end before anybody waits for it.
  firstReport.catch(() => undefined);
  return {
    firstReport,
    begin(data, add) {
      begun = data;
      addCounts = add;
      for (const thread of workers.keys()) tellBegin(thread);
    },
    async stop() {
      await Promise.all(threads.map((thread) => thread.stop()));
    },
  };
}
