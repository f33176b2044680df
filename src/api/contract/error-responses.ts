/** Errors of operations, each with an example of its message. */

import { NEEDS_VERSION } from '../http/send-pieces.ts';

interface ErrorExample {
  description: string;
  /** Used if a route has no message of its own. */
  message: string;
}

export const ERROR_RESPONSES = {
  400: {
    description: 'A parameter, a header or the body is invalid; the message names it.',
    message: '"colour" is not a parameter of this path',
  },
  401: {
    description: 'The key is missing, unknown, revoked or has expired.',
    message: 'API key is missing: send it in the header X-API-Key',
  },
  403: {
    description:
      'The key lacks the scope, or its account is suspended. The message names the scope.',
    message: 'API key lacks the scope that this path needs',
  },
  404: {
    description: 'Not found in the mode of the key.',
    message: 'Unknown symbol "NONE" in sandbox data',
  },
  406: {
    description: '`Accept` allows none of the available formats.',
    message:
      'Accept must allow one of application/json, text/csv, application/vnd.apache.arrow.stream, ' +
      'application/vnd.apache.parquet, got "image/png"',
  },
  408: {
    description: 'The request arrived too slowly; the connection is closed.',
    message: 'body must arrive within 30 seconds',
  },
  409: {
    description:
      'The `Idempotency-Key` was used with other parameters, or its first request is still running.',
    message: 'This Idempotency-Key was used with other parameters',
  },
  412: {
    description: '`If-Match` does not name the `ETag` of the file.',
    message: 'If-Match must name the ETag of the file: list the files again',
  },
  413: {
    description: 'The body is too long.',
    message: 'body must have at most 65536 bytes',
  },
  414: {
    description: 'Path and query are longer than 16 KiB.',
    message: 'path and query must have at most 16384 characters',
  },
  415: {
    description: 'The body has another type than the operation reads, or it is compressed.',
    message: 'Content-Type must be application/json, got "text/plain"',
  },
  416: {
    description: 'The range begins behind the end of the file, whose size `Content-Range` has.',
    message: 'Range must begin within the 37525826 bytes of the file',
  },
  426: {
    description:
      'A response of unknown length has more than 8 MiB, and the request came by HTTP/1.0, where ' +
      'a cut response looks complete.',
    message: NEEDS_VERSION,
  },
  429: {
    description:
      'The rate limit or the daily token quota is used up, or too many requests without a valid ' +
      'key came from this address.',
    message: 'Rate limit of 600 requests per 60 s reached; try again in 10 s',
  },
  431: {
    description: 'Request line and headers are longer than 32 KiB; the connection is closed.',
    message: 'request line and headers must have at most 32768 bytes together',
  },
  500: {
    description: "The server failed; its log has the cause under the response's `request_id`.",
    message: 'The server failed; its log says why under this request_id',
  },
  503: {
    description: 'Data or a part of the server is busy or damaged, or there is no data yet.',
    message: 'accounts.sqlite is being written by another process: try again',
  },
} satisfies Record<number, ErrorExample>;

export type ErrorStatus = keyof typeof ERROR_RESPONSES;
