import type { ErrorType, ScreenerError } from './operations.js';

/** An error response. */
export class ApiError extends Error {
  /** @param envelope The parsed body, if it is one of ours. */
  constructor(response: Response, envelope: unknown);
  readonly name: 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** Kind of the error; `api_error` if a proxy responded without our envelope. */
  readonly type: ErrorType;
  /** Identifier of the request in the server's log. */
  readonly requestId: string | undefined;
  /** A page about the type. */
  readonly docsUrl: string | undefined;
  /** Place of an error in an expression of a screen: field, position, and the nearest known name. */
  readonly expression: ScreenerError['expression'];
  /** Seconds after which the same request may pass. */
  readonly retryAfterS: number | undefined;
}
