/** An answer that is an error, with what its envelope says. */

import type { ErrorType } from './operations.ts';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** What kind of error it is; `api_error` where something between answered without an envelope. */
  readonly type: ErrorType;
  /** What the server's log calls the request. */
  readonly requestId: string | undefined;
  /** A page about the type. */
  readonly docsUrl: string | undefined;
  /** Seconds after which the same request may pass. */
  readonly retryAfterS: number | undefined;

  constructor(response: Response, envelope: Envelope | undefined) {
    const error = envelope?.error;
    super(error?.message ?? `HTTP status ${response.status} without an explanation`);
    this.status = response.status;
    this.type = error?.type ?? 'api_error';
    this.requestId = envelope?.request_id ?? response.headers.get('X-Request-Id') ?? undefined;
    this.docsUrl = error?.docs_url;
    const retryAfter = response.headers.get('Retry-After');
    this.retryAfterS = retryAfter && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
  }
}

interface Envelope {
  error?: { message?: string; type?: ErrorType; docs_url?: string };
  request_id?: string;
}

export async function errorFromResponse(response: Response): Promise<ApiError> {
  const envelope = await response.json().catch(() => undefined);
  return new ApiError(response, envelope as Envelope | undefined);
}
