/** A dashboard of somebody else's under `/jobs`: checked before, logged and measured as all else. */

import type { RequestHandler } from 'express';
import type { Log } from '../http/log.ts';
import { maskedTarget } from '../http/masked-target.ts';
import { openExchange } from '../http/request-context.ts';
import { createRequestIds } from '../http/request-id.ts';
import type { OperatorCheck } from './access.ts';
import type { RequestMetrics } from './metrics/request-metrics.ts';

export interface BoardOptions {
  /** Who may see it. */
  check: OperatorCheck;
  log: Pick<Log, 'request'>;
  measure: RequestMetrics['count'];
  /** Number of `/jobs` in what is measured; it stands for all paths below. */
  route: number;
}

/** What the check refuses goes to the app's own error handler, which logs it. */
export function boardHandler(
  board: () => Promise<RequestHandler>,
  { check, log, measure, route }: BoardOptions,
): RequestHandler {
  const nextRequestId = createRequestIds();
  return async (request, response, next) => {
    check(request);
    const exchange = { ...openExchange(request, nextRequestId()), route };
    const { requestId, method, startMs } = exchange;
    response.setHeader('X-Request-Id', requestId);
    const answer = await board();
    response.once('close', () => {
      const durationMs = performance.now() - startMs;
      const { statusCode: status, writableEnded } = response;
      measure(exchange, status, durationMs);
      log.request({
        ...{ requestId, method, target: maskedTarget(request.originalUrl), status },
        ...{ isAborted: !writableEnded, durationMs: Math.round(durationMs * 1000) / 1000 },
        keyId: undefined,
      });
    });
    await answer(request, response, next);
  };
}
