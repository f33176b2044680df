/** Writes a response, counts it, measures it and logs it. */

import type { Response } from 'express';
import { monotonicMs } from '../../base/world/clock.ts';
import type { KeyUse } from '../../store/accounts/usage/usage-counts.ts';
import { type Coding, chosenCoding, codedBody, codedEtag, isCodable } from './coding.ts';
import { type CorsOrigins, pushCorsHeaders } from './cors.ts';
import type { Log } from './log.ts';
import { pushRateLimitHeaders } from './quota.ts';
import type { RequestContext } from './request-context.ts';
import { type ApiResponse, DATA_POLICY, matchesEtag, SECURITY_HEADERS } from './response.ts';
import { sendPieces } from './send-pieces.ts';

export interface SendOptions {
  log: Log;
  count: (use: KeyUse) => void;
  measure: Measure;
  origins: CorsOrigins;
}

/** Counts a finished request in the request metrics. */
export type Measure = (context: RequestContext, status: number, durationMs: number) => void;

/** Endpoint of paths without a route in usage; no template looks like this. */
export const NO_ENDPOINT = '(none)';

/**
 * Returns the validator of a form that the client has and may go on using; undefined without one.
 *
 * @param coding Coding of this response. The client may also have the plain form from before.
 */
function heldEtag(
  { headers }: RequestContext,
  { etag }: ApiResponse,
  coding: Coding | undefined,
): string | undefined {
  const ifNoneMatch = headers['if-none-match'];
  if (etag === undefined || ifNoneMatch === undefined) return undefined;
  const tags = coding ? [codedEtag(etag, coding), etag] : [etag];
  return tags.find((tag) => matchesEtag(ifNoneMatch, tag));
}

/** Returns true if a cut of the body would look like its end: HTTP/1.0 has no chunks. */
function isOld({ request }: RequestContext, { pieces, bodyBytes }: ApiResponse): boolean {
  return pieces !== undefined && !Number.isFinite(bodyBytes) && request.httpVersion === '1.0';
}

/** Returns the headers that do not depend on how the body is sent. */
function headerLines(context: RequestContext, reply: ApiResponse, origins: CorsOrigins): string[] {
  const { requestId, quota } = context;
  const lines = ['X-Request-Id', requestId, ...SECURITY_HEADERS];
  if (!reply.contentType.startsWith('text/html')) lines.push(...DATA_POLICY);
  lines.push(...reply.headers);
  if (isCodable(reply)) lines.push('Vary', 'Accept-Encoding');
  if (quota) pushRateLimitHeaders(lines, quota);
  pushCorsHeaders(lines, origins, context);
  return lines;
}

/** Creates a function that measures and logs a finished request. */
export function createEnd({ log, measure }: { log: Pick<Log, 'request'>; measure: Measure }) {
  /** @param isMeasured True for a stream, whose duration is the client's choice. */
  return (
    context: RequestContext,
    { statusCode, writableEnded }: Pick<Response, 'statusCode' | 'writableEnded'>,
    isMeasured = false,
  ): void => {
    const { requestId, method, target, startMs, key } = context;
    const durationMs = monotonicMs() - startMs;
    if (!isMeasured) measure(context, statusCode, durationMs);
    log.request({
      requestId,
      method,
      target,
      status: statusCode,
      isAborted: !writableEnded,
      durationMs: Math.round(durationMs * 1000) / 1000,
      keyId: key?.id,
    });
  };
}

/** Creates a function that sends a response; it returns a promise unless the body is at hand. */
export function createSend({ log, count, measure, origins }: SendOptions) {
  const endRequest = createEnd({ log, measure });

  /** Writes the head and counts usage, once a request. */
  function writeHead(
    { key, admittedMs, endpoint = NO_ENDPOINT, method, tokens }: RequestContext,
    response: Response,
    { status, contentType, etag }: Pick<ApiResponse, 'status' | 'contentType' | 'etag'>,
    lines: string[],
    coding: Coding | undefined,
  ): void {
    if (etag !== undefined) lines.push('ETag', codedEtag(etag, coding));
    if (coding) lines.push('Content-Encoding', coding);
    if (contentType !== '') lines.push('Content-Type', contentType);
    response.writeHead(status, lines);
    if (!key) return;
    const isError = status >= 400;
    count({ key, atMs: admittedMs, endpoint, method, isError, tokens: isError ? 0 : tokens });
  }

  async function sendInPieces(
    context: RequestContext,
    response: Response,
    reply: ApiResponse,
    pieces: Iterable<Uint8Array>,
    lines: string[],
    coding: Coding | undefined,
  ): Promise<void> {
    const { trailer } = reply;
    const beforeEnd = () => trailer && response.addTrailers([[trailer.name, trailer.value()]]);
    const needsLength = isOld(context, reply);
    const write = (bodyBytes: number | undefined) => {
      const isNew = bodyBytes !== undefined && !Number.isFinite(reply.bodyBytes);
      if (isNew) lines.push('Content-Length', String(bodyBytes));
      else if (trailer) lines.push('Trailer', trailer.name);
      writeHead(context, response, reply, lines, coding);
    };
    try {
      await sendPieces(response, pieces, { write, coding, needsLength, beforeEnd });
    } finally {
      // Without a head the error is sent as a response, which ends the request.
      if (response.headersSent || response.destroyed) endRequest(context, response);
    }
  }

  return (
    context: RequestContext,
    response: Response,
    reply: ApiResponse,
  ): void | Promise<void> => {
    const lines = headerLines(context, reply, origins);
    const coding = isOld(context, reply)
      ? undefined
      : chosenCoding(reply, context.headers['accept-encoding']);
    const finish = (body?: string | Buffer) => {
      response.end(body);
      endRequest(context, response);
    };
    const held = heldEtag(context, reply, coding);
    if (held !== undefined) {
      const unchanged = { status: 304, contentType: '', etag: held };
      writeHead(context, response, unchanged, lines, undefined);
      return finish();
    }
    if (reply.follow && context.method !== 'HEAD') {
      writeHead(context, response, reply, lines, undefined);
      measure(context, reply.status, monotonicMs() - context.startMs);
      return reply.follow(response).then(() => endRequest(context, response, true));
    }
    if (reply.pieces) {
      if (Number.isFinite(reply.bodyBytes)) lines.push('Content-Length', String(reply.bodyBytes));
      if (context.method !== 'HEAD') {
        return sendInPieces(context, response, reply, reply.pieces(), lines, coding);
      }
      writeHead(context, response, reply, lines, coding);
      return finish();
    }
    const sendWhole = (body: string | Buffer, bytes: number) => {
      if (bytes > 0) lines.push('Content-Length', String(bytes));
      writeHead(context, response, reply, lines, coding);
      finish(bytes > 0 ? body : undefined);
    };
    if (!coding) return sendWhole(reply.body, reply.bodyBytes);
    const body = codedBody(reply, coding);
    const sendCoded = (coded: Buffer) => sendWhole(coded, coded.length);
    return body instanceof Promise ? body.then(sendCoded) : sendCoded(body);
  };
}
