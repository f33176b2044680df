/** Requests to this server, with the key of the tab or the operator's token. */

import type { Error as ErrorBody, Readiness } from '../../../clients/typescript/operations.js';
import { session, signOut } from './key.ts';
import { forgetToken, operatorSession } from './operator.ts';

const TIMEOUT_MS = 30_000;
/** The server's time for a file to arrive. */
const FILE_TIMEOUT_MS = 600_000;

export type FailureKind =
  | 'signed-out'
  | 'forbidden'
  | 'not-found'
  | 'limited'
  | 'refused'
  | 'unreachable'
  | 'failed';

/** A request without a usable response. */
export class RequestFailure extends Error {
  readonly kind: FailureKind;
  /** Undefined if no response came. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** Milliseconds since the epoch from which the same request may succeed. */
  readonly retryAtMs: number | undefined;
  /** Body of the response, for errors with further fields. */
  readonly body: unknown;

  constructor(
    kind: FailureKind,
    message: string,
    details: { status?: number; requestId?: string; retryAtMs?: number; body?: unknown } = {},
  ) {
    super(message);
    this.kind = kind;
    this.status = details.status;
    this.requestId = details.requestId;
    this.retryAtMs = details.retryAtMs;
    this.body = details.body;
  }
}

/** Returns what a request threw as a failure; any other error is one too. */
export function asFailure(error: unknown): RequestFailure {
  return error instanceof RequestFailure ? error : new RequestFailure('failed', String(error));
}

export type DataState = Pick<Readiness, 'modes' | 'newestBars'>;

/** Values of parameters; undefined omits one. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** @param path Below the server's root: `v1/svc/quotes/AAPL`. */
export function requestPath(path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) params.set(name, String(value));
  }
  const text = params.toString();
  return text === '' ? path : `${path}?${text}`;
}

function kindOf(status: number): FailureKind {
  if (status === 401) return 'signed-out';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not-found';
  if (status === 429) return 'limited';
  return status < 500 ? 'refused' : 'failed';
}

async function failureOf(response: Response): Promise<RequestFailure> {
  const { status, headers } = response;
  const body = (await response.json().catch(() => undefined)) as ErrorBody | undefined;
  const retryAfterS = Number(headers.get('Retry-After') ?? Number.NaN);
  return new RequestFailure(kindOf(status), body?.error?.message ?? `HTTP status ${status}`, {
    status,
    requestId: body?.request_id ?? headers.get('X-Request-Id') ?? undefined,
    retryAtMs: Number.isFinite(retryAfterS) ? Date.now() + retryAfterS * 1000 : undefined,
    body,
  });
}

interface Credential {
  headers: Record<string, string>;
  options?: RequestInit;
  /** Signs out, unless another key or token has replaced this one meanwhile. */
  refused(message: string): void;
}

function credentialOf(path: string): Credential {
  if (path.startsWith('operator/')) {
    const { token } = operatorSession.get();
    return {
      headers: { Authorization: `Bearer ${token}` },
      // Otherwise browsers show their own prompt for a refused token.
      options: { credentials: 'omit' },
      refused(message) {
        if (token !== operatorSession.get().token) return;
        forgetToken(`The server refused the token: ${message}`);
      },
    };
  }
  const { key } = session.get();
  return {
    headers: key === undefined ? {} : { 'X-API-Key': key },
    refused(message) {
      if (key === session.get().key) signOut(`The server refused the key: ${message}`);
    },
  };
}

/** @throws {RequestFailure | DOMException} `AbortError` if `signal` ends the request. */
async function responseTo(
  path: string,
  signal?: AbortSignal,
  change?: { method: 'POST' | 'DELETE'; body?: unknown },
): Promise<Response> {
  const credential = credentialOf(path);
  const { body } = change ?? {};
  const isFile = body instanceof Blob;
  const type = isFile ? 'application/octet-stream' : 'application/json';
  const timeoutMs = isFile ? FILE_TIMEOUT_MS : TIMEOUT_MS;
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  try {
    response = await fetch(path, {
      method: change?.method,
      ...credential.options,
      headers: {
        Accept: 'application/json, */*;q=0.9',
        ...credential.headers,
        ...(body !== undefined && { 'Content-Type': type }),
      },
      body: isFile || body === undefined ? body : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    const late = timeout.aborted ? ` within ${timeoutMs / 1000} s` : '';
    throw new RequestFailure('unreachable', `The server did not respond${late}.`);
  }
  if (response.ok) return response;
  const failure = await failureOf(response);
  if (failure.kind === 'signed-out') credential.refused(failure.message);
  throw failure;
}

export async function getJson<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
  const response = await responseTo(requestPath(path, query), signal);
  return response.json() as Promise<T>;
}

/** State of the server's data. Unlike `/readyz`, it is no error while there is none. */
export function getDataState(signal?: AbortSignal): Promise<DataState> {
  return getJson('./', {}, signal);
}

export interface TextResponse {
  text: string;
  headers: Headers;
}

export async function getText(
  path: string,
  query?: Query,
  signal?: AbortSignal,
): Promise<TextResponse> {
  const response = await responseTo(requestPath(path, query), signal);
  return { text: await response.text(), headers: response.headers };
}

/** @returns the response with a status of success, its body not yet read. */
export function getResponse(path: string, query?: Query, signal?: AbortSignal): Promise<Response> {
  return responseTo(requestPath(path, query), signal);
}

/** Sends a change. @returns undefined for a response without a body. */
export async function sendChange<T>(
  method: 'POST' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T | undefined> {
  const response = await responseTo(path, undefined, { method, body });
  return response.status === 204 ? undefined : (response.json() as Promise<T>);
}

/** Sends a file. @param path With its query. */
export async function sendFile<T>(path: string, file: Blob): Promise<T> {
  const response = await responseTo(path, undefined, { method: 'POST', body: file });
  return response.json() as Promise<T>;
}
