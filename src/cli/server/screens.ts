/** The thread of screens as the main thread sees it: one per server, restarted when it dies. */

import { limits } from '../../base/limits.ts';
import { MessageChannel, type MessagePort, Worker } from '../../base/world/threads.ts';
import type { ScreenThreadData, ScreenThreadMessage } from './screen-thread.ts';
import { envWithCompileCache, type Run, type Supervised, supervise } from './supervise.ts';

/** Receives a port to the thread; each replaces the one before. */
type Give = (port: MessagePort) => void;

export interface ScreenThread {
  /**
   * Connects an API thread now and whenever the thread has been restarted. What it sends before the
   * first start waits.
   *
   * @returns A function to call when the API thread has ended.
   */
  connect(give: Give): () => void;
  start(data: ScreenThreadData): void;
  stop(): Promise<void>;
}

const NAME = 'screen thread';
const module = `./screen-thread${import.meta.url.slice(-3)}`;

function launchWorker(workerData: ScreenThreadData): Worker {
  const { heapMegabytes, youngMegabytes } = limits.screenThread;
  return new Worker(new URL(module, import.meta.url), {
    name: NAME,
    workerData,
    env: envWithCompileCache(),
    resourceLimits: {
      maxOldGenerationSizeMb: heapMegabytes,
      maxYoungGenerationSizeMb: youngMegabytes,
    },
  });
}

/** @param note Receives a line with the reason whenever the thread ends. */
export function createScreenThread(note: (line: string) => void): ScreenThread {
  const clients = new Set<Give>();
  /** Ports of the thread that wait for its first start. */
  let early: MessagePort[] = [];
  let worker: Worker | undefined;
  let supervised: Supervised<undefined> | undefined;

  function send(to: Worker, port: MessagePort): void {
    to.postMessage({ kind: 'connect', port } satisfies ScreenThreadMessage, [port]);
  }

  /** Gives one end of a new channel to an API thread. @returns the other end. */
  function channelTo(give: Give): MessagePort {
    const { port1, port2 } = new MessageChannel();
    give(port1);
    return port2;
  }

  function launch(data: ScreenThreadData, report: (report: undefined) => void): Run {
    const started = launchWorker(data);
    const { promise: ended, resolve } = Promise.withResolvers<string>();
    const ports = worker === undefined && early.length > 0 ? early : [...clients].map(channelTo);
    early = [];
    worker = started;
    for (const port of ports) send(started, port);
    started.on('message', () => report(undefined));
    started.on('error', (error: Error) => note(`${NAME} failed: ${error.stack ?? error.message}`));
    started.on('exit', (code) => resolve(`exit ${code}`));
    return {
      ended,
      stop: () => started.postMessage({ kind: 'stop' } satisfies ScreenThreadMessage),
      kill: () => void started.terminate(),
    };
  }

  return {
    connect(give) {
      clients.add(give);
      const port = channelTo(give);
      if (worker) send(worker, port);
      else early.push(port);
      return () => clients.delete(give);
    },
    start(data) {
      const stopMs = limits.shutdown.threadMs;
      supervised = supervise({
        name: NAME,
        launch: (report) => launch(data, report),
        note,
        stopMs,
      });
    },
    async stop() {
      await supervised?.stop();
    },
  };
}
