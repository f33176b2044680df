/** Wraps the third-party dashboard under `/jobs`: checks access, logs and measures requests. */

import type { RequestHandler } from 'express';
import type { Log } from '../http/log.ts';
import { createRequestIds, openContext } from '../http/request-context.ts';
import type { Measure } from '../http/send.ts';
import type { OperatorCheck } from './access.ts';

export interface BoardOptions {
  check: OperatorCheck;
  log: Pick<Log, 'request'>;
  measure: Measure;
  /** Number of `/jobs` in the request metrics; it stands for all paths below. */
  route: number;
}

/** Creates the handler; errors of the check go to the app's error handler, which logs them. */
export function boardHandler(
  board: () => Promise<RequestHandler>,
  { check, log, measure, route }: BoardOptions,
): RequestHandler {
  const nextRequestId = createRequestIds();
  return async (request, response, next) => {
    check(request);
    const context = { ...openContext(request, nextRequestId()), route };
    const { requestId, method, startMs } = context;
    response.setHeader('X-Request-Id', requestId);
    const dashboard = await board();
    response.once('close', () => {
      const durationMs = performance.now() - startMs;
      const { statusCode: status, writableEnded } = response;
      measure(context, status, durationMs);
      log.request({
        ...{ requestId, method, target: request.originalUrl, status },
        ...{ isAborted: !writableEnded, durationMs: Math.round(durationMs * 1000) / 1000 },
        keyId: undefined,
      });
    });
    await dashboard(request, response, next);
  };
}
