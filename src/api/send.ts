/** Writes an answer and the request's line in the log. */

import type { Response } from 'express';
import { type Answer, matchesEtag } from './answer.ts';
import type { Exchange } from './exchange.ts';
import type { Log } from './log.ts';
import { pushRateLimitHeaders } from './rate-limit.ts';
import { sendPieces } from './send-pieces.ts';

/** Everything that looks like a key; some clients put theirs into the URL. */
const KEY_TEXT = /svc_[0-9A-Za-z_]+/g;

/** @returns a promise, while it is being sent, of an answer in pieces. */
export type Send = (exchange: Exchange, response: Response, answer: Answer) => void | Promise<void>;

function isUnchanged({ headers }: Exchange, { etag }: Answer): boolean {
  const ifNoneMatch = headers['if-none-match'];
  return etag !== undefined && ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag);
}

export function createSend(log: Log): Send {
  function logRequest(
    { requestId, method, target, startMs, key }: Exchange,
    { statusCode, writableEnded }: Response,
  ): void {
    log.request({
      requestId,
      method,
      target: target.includes('svc_') ? target.replace(KEY_TEXT, 'svc_…') : target,
      status: statusCode,
      isAborted: !writableEnded,
      durationMs: Math.round((performance.now() - startMs) * 1000) / 1000,
      keyId: key?.id,
    });
  }

  return (exchange, response, answer) => {
    const { requestId, quota } = exchange;
    // Names and values in turn: the form that Node writes without building an object.
    const lines = ['X-Request-Id', requestId, 'X-Content-Type-Options', 'nosniff'];
    lines.push(...answer.headers);
    if (quota) pushRateLimitHeaders(lines, quota);
    const status = isUnchanged(exchange, answer) ? 304 : answer.status;
    if (status === 304 || answer.bodyBytes === 0) {
      response.writeHead(status, lines).end();
    } else if (answer.pieces) {
      lines.push('Content-Type', answer.contentType);
      response.writeHead(status, lines);
      const pieces = exchange.method === 'HEAD' ? [] : answer.pieces();
      return sendPieces(response, pieces).finally(() => logRequest(exchange, response));
    } else {
      lines.push('Content-Type', answer.contentType, 'Content-Length', String(answer.bodyBytes));
      response.writeHead(status, lines).end(answer.body);
    }
    logRequest(exchange, response);
    return undefined;
  };
}
