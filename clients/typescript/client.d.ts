/** Types of the client; the operations are in `operations.d.ts`, which is generated. */

import type { ErrorType, Operations } from './operations.js';

export type { ErrorType } from './operations.js';

export type OperationName = keyof Operations;

/** Parameters of path, query and header by their own names, and `body` where there is one. */
export type RequestOf<Name extends OperationName> = Operations[Name]['request'];

/** JSON by default; CSV as a text; Arrow (one IPC stream) and Parquet as bytes. */
export type ResponseOf<Name extends OperationName, Request> = Request extends { format: 'csv' }
  ? string
  : Request extends { format: 'arrow' | 'parquet' }
    ? Uint8Array
    : Operations[Name]['response'];

/** A page of an operation that returns pages. */
export type PageOf<Name extends OperationName> = Extract<
  Operations[Name]['response'],
  { has_more: boolean }
>;

/** A row of such a page. */
export type RowOf<Name extends OperationName> =
  PageOf<Name> extends { data: (infer Row)[] } ? Row : never;

export type PagedName = {
  [Name in OperationName]: [PageOf<Name>] extends [never] ? never : Name;
}[OperationName];

export interface CallOptions {
  /** Ends the request, and the wait before a retry. */
  signal?: AbortSignal;
  /** Receives the response before its body is read, for its headers. */
  onResponse?: (response: Response) => void;
}

export interface ClientOptions {
  /** Address of the server without `/v1`. Default: `TAPEWORKS_URL`, else `http://127.0.0.1:8787`. */
  url?: string;
  /** Default: `TAPEWORKS_API_KEY`. */
  apiKey?: string;
  /** Retries of a request that got 429 or 503. Default: 4. */
  retries?: number;
  /** Seconds; a longer `Retry-After` (a day's tokens are used up) throws at once. Default: 120. */
  waitMaxS?: number;
  /** Default: the global one. */
  fetch?: typeof fetch;
}

/** The request may be left out if no parameter is required. */
type Arguments<Request> =
  Partial<Request> extends Request
    ? [request?: Request, options?: CallOptions]
    : [request: Request, options?: CallOptions];

/** One method per operation of the API. @throws {ApiError} if the response is an error. */
export type Tapeworks = {
  [Name in OperationName]: <const Request extends RequestOf<Name>>(
    ...args: Arguments<Request>
  ) => Promise<ResponseOf<Name, Request>>;
} & {
  /** All pages of a list, from the requested one on. */
  pages: {
    [Name in PagedName]: (
      ...args: Arguments<Omit<RequestOf<Name>, 'format'>>
    ) => AsyncGenerator<PageOf<Name>, void, undefined>;
  };
  /** The rows of all these pages, one by one. */
  rows: {
    [Name in PagedName]: (
      ...args: Arguments<Omit<RequestOf<Name>, 'format'>>
    ) => AsyncGenerator<RowOf<Name>, void, undefined>;
  };
};

export const Tapeworks: new (options?: ClientOptions) => Tapeworks;

/** An error response. */
export class ApiError extends Error {
  readonly name: 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** Kind of the error; `api_error` if a proxy responded without our envelope. */
  readonly type: ErrorType;
  /** Identifier of the request in the server's log. */
  readonly requestId: string | undefined;
  /** A page about the type. */
  readonly docsUrl: string | undefined;
  /** Seconds after which the same request may pass. */
  readonly retryAfterS: number | undefined;
}
