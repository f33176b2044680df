/** Writes an answer, counts it, measures it and logs it. */

import type { Response } from 'express';
import type { KeyUse } from '../store/accounts/usage-counts.ts';
import { type Answer, matchesEtag } from './answer.ts';
import { type CorsOrigins, pushCorsHeaders } from './cors.ts';
import type { Exchange } from './exchange.ts';
import type { Log } from './log.ts';
import { maskedTarget } from './masked-target.ts';
import type { RequestMetrics } from './metrics/request-metrics.ts';
import { pushRateLimitHeaders } from './rate-limit.ts';
import { NO_ENDPOINT } from './route-access.ts';
import { DATA_POLICY, SECURITY_HEADERS } from './security-headers.ts';
import { sendPieces } from './send-pieces.ts';

export interface SendOptions {
  log: Log;
  count: (use: KeyUse) => void;
  measure: RequestMetrics['count'];
  origins: CorsOrigins;
}

/** @returns a promise, while it is being sent, of an answer in pieces. */
export type Send = (exchange: Exchange, response: Response, answer: Answer) => void | Promise<void>;

function isUnchanged({ headers }: Exchange, { etag }: Answer): boolean {
  const ifNoneMatch = headers['if-none-match'];
  return etag !== undefined && ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag);
}

/** Headers that do not depend on how the body is sent, names and values in turn. */
function headerLines(exchange: Exchange, answer: Answer, origins: CorsOrigins): string[] {
  const { requestId, quota } = exchange;
  // The form that Node writes without building an object.
  const lines = ['X-Request-Id', requestId, ...SECURITY_HEADERS];
  if (!answer.contentType.startsWith('text/html')) lines.push(...DATA_POLICY);
  lines.push(...answer.headers);
  if (quota) pushRateLimitHeaders(lines, quota);
  pushCorsHeaders(lines, origins, exchange);
  return lines;
}

export function createSend({ log, count, measure, origins }: SendOptions): Send {
  function endRequest(exchange: Exchange, { statusCode, writableEnded }: Response): void {
    const { requestId, method, target, startMs, key } = exchange;
    const durationMs = performance.now() - startMs;
    measure(exchange, statusCode, durationMs);
    log.request({
      requestId,
      method,
      target: maskedTarget(target),
      status: statusCode,
      isAborted: !writableEnded,
      durationMs: Math.round(durationMs * 1000) / 1000,
      keyId: key?.id,
    });
  }

  /** Once a request: the head of an answer is written once. */
  function countUse(exchange: Exchange, status: number): void {
    const { key, admittedMs, endpoint = NO_ENDPOINT, method, tokens } = exchange;
    if (!key) return;
    const isError = status >= 400;
    count({ key, atMs: admittedMs, endpoint, method, isError, tokens: isError ? 0 : tokens });
  }

  return (exchange, response, answer) => {
    const lines = headerLines(exchange, answer, origins);
    const status = isUnchanged(exchange, answer) ? 304 : answer.status;
    if (status === 304 || answer.bodyBytes === 0) {
      response.writeHead(status, lines);
      countUse(exchange, status);
      response.end();
    } else if (answer.pieces) {
      lines.push('Content-Type', answer.contentType);
      const pieces = exchange.method === 'HEAD' ? [] : answer.pieces();
      const writeHead = () => {
        response.writeHead(status, lines);
        countUse(exchange, status);
      };
      return sendPieces(response, pieces, writeHead).finally(() => {
        // Without a head what failed is answered, and told then.
        if (response.headersSent || response.destroyed) endRequest(exchange, response);
      });
    } else {
      lines.push('Content-Type', answer.contentType, 'Content-Length', String(answer.bodyBytes));
      response.writeHead(status, lines);
      countUse(exchange, status);
      response.end(answer.body);
    }
    endRequest(exchange, response);
    return undefined;
  };
}
