/** The one place where an error becomes an answer. */

import type { IncomingHttpHeaders } from 'node:http';
import { isDiskFull } from '../../base/disk-full.ts';
import {
  CorruptDataError,
  HttpError,
  ParameterError,
  QueueUnavailableError,
  SecretKeyError,
  StoreBusyError,
} from '../../base/errors.ts';
import { errorTypeFromStatus } from './error-types.ts';
import type { Exchange } from './request-context.ts';
import { type Answer, jsonAnswer } from './response.ts';

/** Somebody has to make room. */
const RETRY_DISK = ['Retry-After', '60'];

/** The status of an error; 500 for every bug and every failure of our own. */
export function statusFromError(error: unknown): number {
  if (error instanceof HttpError) return error.status;
  if (error instanceof ParameterError) return 400;
  if (error instanceof StoreBusyError || error instanceof SecretKeyError) return 503;
  if (error instanceof CorruptDataError || error instanceof QueueUnavailableError) return 503;
  if (isDiskFull(error)) return 503;
  // The router's own failure to decode a path.
  if (error instanceof URIError) return 400;
  return 500;
}

function messageFromError(error: unknown, status: number): string {
  if (status === 500) return 'The server failed; its log says why under this request_id';
  // Its own message has a path of ours in it.
  if (error instanceof CorruptDataError) {
    return 'What the answer needs is damaged; the log of the server says where under this request_id';
  }
  if (isDiskFull(error)) {
    return 'The disk of the server is full: nothing was written, and nothing can be until it has room';
  }
  if (error instanceof URIError) return 'path must be percent-encoded UTF-8';
  return (error as Error).message;
}

/**
 * The envelope of section 2.1 of the specification.
 *
 * @param details Further fields beside `error`, for probes.
 */
export function errorReply(
  error: unknown,
  exchange: Pick<Exchange, 'requestId' | 'headers'>,
  details: Record<string, unknown> = {},
): Answer {
  const status = statusFromError(error);
  const type = errorTypeFromStatus(status);
  const envelope = {
    error: {
      message: messageFromError(error, status),
      type,
      docs_url: `${originOf(exchange.headers)}/docs/errors/${type}`,
    },
    request_id: exchange.requestId,
    ...details,
  };
  const headers = error instanceof HttpError ? error.headers : isDiskFull(error) ? RETRY_DISK : [];
  return jsonAnswer(status, envelope, ['Cache-Control', 'no-store', ...headers]);
}

const HOST = /^[\w.:[\]-]+$/;

/**
 * The server's address as the client wrote it; empty, which makes links relative, where it wrote
 * none. A proxy's word is believed here because nothing but a link follows from it.
 */
export function originOf(headers: IncomingHttpHeaders): string {
  if (headers.host === undefined || !HOST.test(headers.host)) return '';
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  return `${scheme}://${headers.host}`;
}
