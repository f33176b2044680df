/** API threads, which share one port. Each is restarted when it dies. */

import type { MetricMemory } from '../../api/operator/metrics/thread-metrics.ts';
import type { Settings } from '../../base/config/config.ts';
import type { Mode } from '../../base/config/data-dir.ts';
import { dataFolders, folderFailure } from '../../base/data-folder.ts';
import { limits } from '../../base/limits.ts';
import { process } from '../../base/world/process.ts';
import { type MessagePort, Worker } from '../../base/world/threads.ts';
import type { CountMemory } from '../../store/accounts/usage/count-memory.ts';
import type { UsageCount } from '../../store/accounts/usage/usage-counts.ts';
import type { ScreenThread } from './screens.ts';
import { envWithCompileCache, type Run, type Supervised, supervise } from './supervise.ts';

/** Data that a thread needs to begin; it loads its program meanwhile. */
export interface ApiThreadData {
  /** Settings, with the port that all threads listen on. */
  settings: Settings;
  /** Threads that listen on the port. */
  threadCount: number;
  memory: CountMemory;
  /** One part per thread. */
  metrics: MetricMemory;
  /** Open streams of keys on all threads. */
  streamMemory: SharedArrayBuffer;
  /** Number of this thread, from 0. */
  thread: number;
}

/** Report of a thread once it listens. */
export interface ApiReport {
  /** `http://host:port` as a client on this machine reaches it. */
  address: string;
  /** Symbols published for the sandbox. */
  sandboxSymbolCount: number;
}

/** Message from a thread. */
export type ApiReply =
  | { kind: 'report'; report: ApiReport }
  /** Usage counted since the last message. */
  | { kind: 'usage'; counts: readonly UsageCount[] }
  /** A request has met damage in published files. */
  | { kind: 'damage'; mode: Mode };

/** Message to a thread. */
export type ApiMessage =
  /** Open accounts and data, and listen. */
  | { kind: 'begin'; data: ApiThreadData }
  /** Use this port to the thread of screens from now on. */
  | { kind: 'screens'; port: MessagePort }
  /** Finish the requests in flight and end. */
  | { kind: 'stop' };

interface Heard {
  addCounts(counts: readonly UsageCount[]): void;
  noteDamage(mode: Mode): void;
}

export interface ApiThreads extends Supervised<ApiReport> {
  /**
   * Lets every thread begin, and each that is started later. Until then they only load.
   *
   * @param heard.addCounts Receives the usage that threads count.
   * @param heard.noteDamage Called now and then while published files are damaged.
   */
  begin(data: Omit<ApiThreadData, 'thread'>, heard: Heard): void;
}

const module = `./api-thread${import.meta.url.slice(-3)}`;

function launchWorker(name: string): Worker {
  const resourceLimits = { maxYoungGenerationSizeMb: limits.api.threadYoungMegabytes };
  const options = { name, resourceLimits, env: envWithCompileCache() };
  return new Worker(new URL(module, import.meta.url), options);
}

/** Returns the message of an error; a failure of the data folder needs no stack. */
function messageOf(error: Error): string {
  return folderFailure(error, dataFolders(process.env))?.message ?? error.stack ?? error.message;
}

/**
 * Starts threads, which load their program at once: most of the time until the first response. The
 * data they need to begin may follow.
 *
 * @param screens Connected to every thread.
 * @param note Receives a line with the reason whenever a thread ends.
 * @returns The report is that of the first thread, once all of them listen.
 */
export function startApiThreads(
  threadCount: number,
  screens: ScreenThread,
  note: (line: string) => void,
): ApiThreads {
  /** Workers by thread number; a restarted worker replaces its predecessor. */
  const workers = new Map<number, Worker>();
  let begun: Omit<ApiThreadData, 'thread'> | undefined;
  let heard: Heard | undefined;

  function sendBegin(thread: number): void {
    if (!begun) return;
    const message: ApiMessage = { kind: 'begin', data: { ...begun, thread } };
    workers.get(thread)?.postMessage(message);
  }

  function launch(thread: number, name: string, report: (report: ApiReport) => void): Run {
    const worker = launchWorker(name);
    const { promise: ended, resolve } = Promise.withResolvers<string>();
    workers.set(thread, worker);
    const disconnect = screens.connect((port) =>
      worker.postMessage({ kind: 'screens', port } satisfies ApiMessage, [port]),
    );
    worker.on('message', (reply: ApiReply) => {
      if (reply.kind === 'usage') heard?.addCounts(reply.counts);
      else if (reply.kind === 'damage') heard?.noteDamage(reply.mode);
      else report(reply.report);
    });
    worker.on('error', (error: Error) => note(`${name} failed: ${messageOf(error)}`));
    worker.on('exit', (code) => {
      workers.delete(thread);
      disconnect();
      resolve(`exit ${code}`);
    });
    const send = (message: ApiMessage) => worker.postMessage(message);
    sendBegin(thread);
    const kill = () => void worker.terminate();
    // A thread that has not begun has nothing to finish.
    return { ended, stop: () => (begun ? send({ kind: 'stop' }) : kill()), kill };
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
  // A thread may end before `firstReport` is awaited.
  firstReport.catch(() => undefined);
  return {
    firstReport,
    begin(data, hears) {
      begun = data;
      heard = hears;
      for (const thread of workers.keys()) sendBegin(thread);
    },
    async stop() {
      await Promise.all(threads.map((thread) => thread.stop()));
    },
  };
}
