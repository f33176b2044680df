/** From a request to its answer sent, whatever happens in between. */

import type { Request, Response } from 'express';
import { HttpError } from '../../base/errors.ts';
import { createOriginLog, preflightAnswer } from './cors.ts';
import { errorReply, statusFromError } from './error-reply.ts';
import { type Exchange, openExchange } from './request-context.ts';
import { createRequestIds } from './request-id.ts';
import type { Answer } from './response.ts';
import { createSend, type SendOptions } from './send.ts';

/** Sends what `answer` gives, or the reply to what it throws. */
export type Handle = (
  request: Request,
  response: Response,
  answer: (exchange: Exchange) => Answer | Promise<Answer>,
) => void;

/** Node joins repeated headers by a comma, which no name of a host contains. */
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

export function createHandle(options: HandleOptions): Handle {
  const { log, origins, now } = options;
  const lookAtOrigin = createOriginLog(origins, log, now);
  const nextRequestId = createRequestIds();
  const send = createSend(options);

  function fail(exchange: Exchange, response: Response, error: unknown): void {
    if (statusFromError(error) >= 500) log.failure(exchange.requestId, error);
    if (response.headersSent) response.destroy();
    else send(exchange, response, errorReply(error, exchange));
  }

  return (request, response, answer) => {
    const exchange = openExchange(request, nextRequestId());
    try {
      checkFraming(request);
      lookAtOrigin(exchange);
      const made = preflightAnswer(origins, exchange) ?? answer(exchange);
      const sent =
        made instanceof Promise
          ? made.then((later) => send(exchange, response, later))
          : send(exchange, response, made);
      sent?.catch((error) => fail(exchange, response, error));
    } catch (error) {
      fail(exchange, response, error);
    }
  };
}
