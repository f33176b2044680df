/** Handles a request from its arrival to the sent response, errors included. */

import type { Request, Response } from 'express';
import { HttpError } from '../../base/errors.ts';
import { createOriginLog, preflightResponse } from './cors.ts';
import { errorResponse, statusFromError } from './error-response.ts';
import { createRequestIds, openContext, type RequestContext } from './request-context.ts';
import type { ApiResponse } from './response.ts';
import { createSend, type SendOptions } from './send.ts';

/** Node joins repeated headers with a comma, which no host name contains. */
function checkFraming({ headers, httpVersion }: Request): void {
  const { host, 'transfer-encoding': transferEncoding } = headers;
  if (host === undefined && httpVersion === '1.1') {
    throw new HttpError(400, 'Host is missing: HTTP/1.1 needs the header');
  }
  if (host?.includes(',')) throw new HttpError(400, 'Host must be sent once, with one name');
  if (transferEncoding !== undefined && transferEncoding.toLowerCase() !== 'chunked') {
    const closing = ['Connection', 'close'];
    throw new HttpError(400, 'Transfer-Encoding must be chunked alone', closing);
  }
}

export interface HandleOptions extends SendOptions {
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Creates a function that sends the response of `respond`, or the error that it throws. */
export function createHandle(options: HandleOptions) {
  const { log, origins, now } = options;
  const logOrigin = createOriginLog(origins, log, now);
  const nextRequestId = createRequestIds();
  const send = createSend(options);

  function fail(context: RequestContext, response: Response, error: unknown): void {
    if (statusFromError(error) >= 500) log.failure(context.requestId, error);
    if (response.headersSent) response.destroy();
    else send(context, response, errorResponse(error, context));
  }

  return (
    request: Request,
    response: Response,
    respond: (context: RequestContext) => ApiResponse | Promise<ApiResponse>,
  ): void => {
    const context = openContext(request, nextRequestId());
    try {
      checkFraming(request);
      logOrigin(context);
      const result = preflightResponse(origins, context) ?? respond(context);
      const sent =
        result instanceof Promise
          ? result.then((later) => send(context, response, later))
          : send(context, response, result);
      sent?.catch((error) => fail(context, response, error));
    } catch (error) {
      fail(context, response, error);
    }
  };
}
