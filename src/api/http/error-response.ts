/** Turns errors into responses; no other file does. */

import type { IncomingHttpHeaders } from 'node:http';
import { isDiskFull } from '../../base/disk-full.ts';
import {
  AccountsUnreachableError,
  CorruptDataError,
  HttpError,
  ParameterError,
  QueueUnavailableError,
  SecretKeyError,
  StoreBusyError,
} from '../../base/errors.ts';
import { ObjectStoreError } from '../../store/objects/object-store.ts';
import { errorTypeFromStatus } from './error-types.ts';
import type { RequestContext } from './request-context.ts';
import { type ApiResponse, jsonResponse } from './response.ts';

/** Delay before a retry when the disk is full: freeing space takes a person. */
const RETRY_DISK = ['Retry-After', '60'];

/** Returns the status of an error; 500 for every bug. */
export function statusFromError(error: unknown): number {
  if (error instanceof HttpError) return error.status;
  if (error instanceof ParameterError) return 400;
  if (error instanceof StoreBusyError || error instanceof SecretKeyError) return 503;
  if (error instanceof CorruptDataError || error instanceof QueueUnavailableError) return 503;
  if (error instanceof AccountsUnreachableError || isDiskFull(error)) return 503;
  if (error instanceof ObjectStoreError) return 503;
  // The router failed to decode the path.
  if (error instanceof URIError) return 400;
  return 500;
}

function messageFromError(error: unknown, status: number): string {
  if (status === 500) return 'The server failed; its log says why under this request_id';
  // The error's own message contains a path of the server.
  if (error instanceof CorruptDataError) {
    return 'The data for this response is damaged; the log of the server says where under this request_id';
  }
  if (error instanceof ObjectStoreError) {
    return 'The object storage of the server failed: try again later; the log says why';
  }
  if (isDiskFull(error)) {
    return 'The disk of the server is full: nothing was written; free space and try again';
  }
  if (error instanceof URIError) return 'path must be percent-encoded UTF-8';
  return (error as Error).message;
}

/**
 * Writes the envelope of section 2.1 of the specification.
 *
 * @param details Further fields next to `error`; default: those of the error.
 */
export function errorResponse(
  error: unknown,
  context: Pick<RequestContext, 'requestId' | 'headers'>,
  details = error instanceof ParameterError ? error.details : {},
): ApiResponse {
  const status = statusFromError(error);
  const type = errorTypeFromStatus(status);
  const envelope = {
    error: {
      message: messageFromError(error, status),
      type,
      docs_url: `${originOf(context.headers)}/docs/errors/${type}`,
    },
    request_id: context.requestId,
    ...details,
  };
  const headers = error instanceof HttpError ? error.headers : isDiskFull(error) ? RETRY_DISK : [];
  return jsonResponse(status, envelope, ['Cache-Control', 'no-store', ...headers]);
}

const HOST = /^[\w.:[\]-]+$/;

/**
 * Returns the server's address as the client wrote it; empty, which makes links relative, without
 * one. `X-Forwarded-Proto` is trusted here because only links depend on it.
 */
export function originOf(headers: IncomingHttpHeaders): string {
  if (headers.host === undefined || !HOST.test(headers.host)) return '';
  // A chain of proxies names several; the first one is what the client used.
  const [first] = String(headers['x-forwarded-proto']).split(',');
  const scheme = first.trim().toLowerCase() === 'https' ? 'https' : 'http';
  return `${scheme}://${headers.host}`;
}
