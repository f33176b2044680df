/** Writes an answer, counts it, measures it and logs it. */

import type { Response } from 'express';
import type { KeyUse } from '../../store/sqlite/usage/usage-counts.ts';
import { pushRateLimitHeaders } from '../access/rate-limit.ts';
import type { RequestMetrics } from '../operator/metrics/request-metrics.ts';
import { sendPieces } from '../responses/send-pieces.ts';
import { codedBody } from './coded-body.ts';
import { type Coding, chosenCoding, codedEtag, isCodable } from './content-coding.ts';
import { type CorsOrigins, pushCorsHeaders } from './cors.ts';
import type { Log } from './log.ts';
import { maskedTarget } from './masked-target.ts';
import type { Exchange } from './request-context.ts';
import { type Answer, matchesEtag } from './response.ts';
import { NO_ENDPOINT } from './route-access.ts';
import { DATA_POLICY, SECURITY_HEADERS } from './security-headers.ts';

export interface SendOptions {
  log: Log;
  count: (use: KeyUse) => void;
  measure: RequestMetrics['count'];
  origins: CorsOrigins;
}

/** @returns a promise, while it is being sent, of an answer in pieces. */
export type Send = (exchange: Exchange, response: Response, answer: Answer) => void | Promise<void>;

/**
 * The validator of a form that the client has and may go on using; undefined where it has none.
 *
 * @param coding That of the answer. Its plain form, which may have come before, is as good.
 */
function heldEtag(
  { headers }: Exchange,
  { etag }: Answer,
  coding: Coding | undefined,
): string | undefined {
  const ifNoneMatch = headers['if-none-match'];
  if (etag === undefined || ifNoneMatch === undefined) return undefined;
  const tags = coding ? [codedEtag(etag, coding), etag] : [etag];
  return tags.find((tag) => matchesEtag(ifNoneMatch, tag));
}

/** Headers that do not depend on how the body is sent, names and values in turn. */
function headerLines(exchange: Exchange, answer: Answer, origins: CorsOrigins): string[] {
  const { requestId, quota } = exchange;
  // The form that Node writes without building an object.
  const lines = ['X-Request-Id', requestId, ...SECURITY_HEADERS];
  if (!answer.contentType.startsWith('text/html')) lines.push(...DATA_POLICY);
  lines.push(...answer.headers);
  if (isCodable(answer)) lines.push('Vary', 'Accept-Encoding');
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

  /** The head of the form that is sent. */
  function writeHead(
    exchange: Exchange,
    response: Response,
    { status, contentType, etag }: Answer,
    lines: string[],
    coding: Coding | undefined,
  ): void {
    if (etag !== undefined) lines.push('ETag', codedEtag(etag, coding));
    if (coding) lines.push('Content-Encoding', coding);
    if (contentType !== '') lines.push('Content-Type', contentType);
    response.writeHead(status, lines);
    countUse(exchange, status);
  }

  function sendUnchanged(
    exchange: Exchange,
    response: Response,
    lines: string[],
    etag: string,
  ): void {
    response.writeHead(304, [...lines, 'ETag', etag]);
    countUse(exchange, 304);
    response.end();
    endRequest(exchange, response);
  }

  function sendWhole(
    exchange: Exchange,
    response: Response,
    answer: Answer,
    lines: string[],
    coded?: { coding: Coding; body: Buffer },
  ): void {
    const { body } = coded ?? answer;
    const bytes = coded ? coded.body.length : answer.bodyBytes;
    if (bytes > 0) lines.push('Content-Length', String(bytes));
    writeHead(exchange, response, answer, lines, coded?.coding);
    response.end(bytes > 0 ? body : undefined);
    endRequest(exchange, response);
  }

  async function sendInPieces(
    exchange: Exchange,
    response: Response,
    answer: Answer,
    pieces: Iterable<Uint8Array>,
    lines: string[],
    coding: Coding | undefined,
  ): Promise<void> {
    try {
      const head = () => writeHead(exchange, response, answer, lines, coding);
      await sendPieces(response, pieces, head, coding);
    } finally {
      // Without a head what failed is answered, and told then.
      if (response.headersSent || response.destroyed) endRequest(exchange, response);
    }
  }

  return (exchange, response, answer) => {
    const lines = headerLines(exchange, answer, origins);
    const coding = chosenCoding(answer, exchange.headers['accept-encoding']);
    const held = heldEtag(exchange, answer, coding);
    if (held !== undefined) return sendUnchanged(exchange, response, lines, held);
    if (answer.pieces) {
      if (exchange.method !== 'HEAD') {
        return sendInPieces(exchange, response, answer, answer.pieces(), lines, coding);
      }
      writeHead(exchange, response, answer, lines, coding);
      response.end();
      return endRequest(exchange, response);
    }
    if (!coding) return sendWhole(exchange, response, answer, lines);
    const body = codedBody(answer, coding);
    const send = (coded: Buffer) =>
      sendWhole(exchange, response, answer, lines, { coding, body: coded });
    return body instanceof Promise ? body.then(send) : send(body);
  };
}
