/** Reports for the operator, from a thread that starts at the first request and ends when idle. */

import type { OperatorReports } from '../../api/operator/reports.ts';
import { errorFromSent, type SentError } from '../../api/screens/sent-error.ts';
import type { Settings } from '../../base/config/config.ts';
import type { Mode } from '../../base/config/data-dir.ts';
import { HttpError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { RetryRequest } from '../../base/operator/report.ts';
import { clearTimeout, setTimeout } from '../../base/world/clock.ts';
import { Worker } from '../../base/world/threads.ts';
import { envWithCompileCache } from './supervise.ts';

/** Call of the thread. */
export type OperatorCall =
  | { kind: 'status' }
  | { kind: 'gaps'; mode: Mode }
  | { kind: 'retry'; request: RetryRequest };

/** Reply of the thread to the call with the id; `text` is JSON. */
export type OperatorReply = { id: number } & ({ text: string } | { error: SentError });

const module = `../operator/thread${import.meta.url.slice(-3)}`;

export function createOperatorReports(settings: Settings): OperatorReports {
  const { responseMs, idleMs, heapMegabytes } = limits.operatorReport;
  const waiting = new Map<number, PromiseWithResolvers<string>>();
  /** Reports that are being made, which later requests share. */
  const shared = new Map<string, Promise<string>>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  function start(): Worker {
    const started = new Worker(new URL(module, import.meta.url), {
      name: 'operator thread',
      workerData: { settings },
      env: envWithCompileCache(),
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    });
    const end = (error: Error) => {
      if (worker !== started) return;
      worker = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on('message', (reply: OperatorReply) => {
      const call = waiting.get(reply.id);
      waiting.delete(reply.id);
      if ('text' in reply) call?.resolve(reply.text);
      else call?.reject(errorFromSent(reply.error));
    });
    const ended = 'The thread of reports has ended';
    started.on('error', ({ message }) => end(unavailable(`${ended} (${message})`)));
    started.on('exit', () => end(unavailable(ended)));
    // The server keeps the process alive.
    started.unref();
    return started;
  }

  function send(call: OperatorCall): Promise<string> {
    worker ??= start();
    clearTimeout(idle);
    const id = ++lastId;
    const reply = Promise.withResolvers<string>();
    waiting.set(id, reply);
    const late = setTimeout(() => {
      waiting.delete(id);
      reply.reject(unavailable(`The report took more than ${responseMs / 1000} s`));
    }, responseMs).unref();
    worker.postMessage({ id, call });
    return reply.promise.finally(() => {
      clearTimeout(late);
      clearTimeout(idle);
      idle = setTimeout(stopIdle, idleMs).unref();
    });
  }

  function stopIdle(): void {
    if (waiting.size > 0) return;
    const old = worker;
    worker = undefined;
    old?.terminate();
  }

  function share(call: OperatorCall): Promise<string> {
    const key = JSON.stringify(call);
    const known = shared.get(key);
    if (known) return known;
    const sent = send(call).finally(() => shared.delete(key));
    shared.set(key, sent);
    return sent;
  }

  return {
    status: () => share({ kind: 'status' }),
    gaps: (mode) => share({ kind: 'gaps', mode }),
    retry: (request) => send({ kind: 'retry', request }),
  };
}

function unavailable(reason: string): HttpError {
  return new HttpError(503, `${reason}: try again later`, ['Retry-After', '5']);
}
