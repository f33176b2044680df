/** Reports for the operator, from a thread that starts at the first request and ends when idle. */

import { setTimeout as delay } from 'node:timers/promises';
import type Tinypool from 'tinypool';
import type { OperatorReports } from '../../api/operator/reports.ts';
import { errorFromSent, type SentError } from '../../api/screens/sent-error.ts';
import type { Settings } from '../../base/config/config.ts';
import type { Mode } from '../../base/config/data-dir.ts';
import { HttpError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { RetryRequest } from '../../base/operator/report.ts';
import { envWithCompileCache } from './supervise.ts';

/** Call of the thread. */
export type OperatorCall =
  | { kind: 'status' }
  | { kind: 'gaps'; mode: Mode }
  | { kind: 'retry'; request: RetryRequest };

/** Reply of the thread; `text` is JSON. */
export type OperatorReply = { text: string } | { error: SentError };

const { responseMs, idleMs, heapMegabytes, callsMax } = limits.operatorReport;

async function openThread(settings: Settings): Promise<Tinypool> {
  // Imported where it is needed: it counts cores by a shell.
  const { default: Pool } = await import('tinypool');
  return new Pool({
    filename: new URL(`../operator/thread${import.meta.url.slice(-3)}`, import.meta.url).href,
    ...{ minThreads: 0, maxThreads: 1, concurrentTasksPerWorker: callsMax, idleTimeout: idleMs },
    // A thread that waits for a call must stay free for its own callbacks.
    useAtomics: false,
    workerData: { settings },
    env: envWithCompileCache() as Record<string, string>,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
}

export function createOperatorReports(settings: Settings): OperatorReports {
  let thread: Promise<Tinypool> | undefined;
  /** Reports that are being made, which later requests share. */
  const shared = new Map<string, Promise<string>>();

  async function send(call: OperatorCall): Promise<string> {
    thread ??= openThread(settings);
    const pool = await thread;
    const late = delay(responseMs, undefined, { ref: false }).then(() => {
      const reason = `The report took more than ${responseMs / 1000} s: try again later`;
      throw new HttpError(503, reason, ['Retry-After', '5']);
    });
    const reply: OperatorReply = await Promise.race([pool.run(call), late]);
    if ('text' in reply) return reply.text;
    throw errorFromSent(reply.error);
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
