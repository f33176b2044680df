// @ts-check
/** An error response. */

/** @typedef {{ error?: { message?: string, type?: import('./operations.js').ErrorType, docs_url?: string }, request_id?: string, expression?: import('./operations.js').ScreenerError['expression'] }} Envelope */

export class ApiError extends Error {
  name = 'ApiError';

  /** @param {Response} response @param {Envelope | undefined} envelope */
  constructor(response, envelope) {
    const error = envelope?.error;
    super(error?.message ?? `HTTP status ${response.status} without an explanation`);
    this.status = response.status;
    this.type = error?.type ?? 'api_error';
    this.requestId = envelope?.request_id ?? response.headers.get('X-Request-Id') ?? undefined;
    this.docsUrl = error?.docs_url;
    this.expression = envelope?.expression;
    const retryAfter = response.headers.get('Retry-After');
    this.retryAfterS = retryAfter && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
  }
}
