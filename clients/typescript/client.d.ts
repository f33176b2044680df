/** Types of the client; the operations are in `operations.d.ts`, which is generated. */

import type {
  AnalystRatingChangedEvent,
  CandlesUpdatedEvent,
  DataReadyEvent,
  EarningsUpdatedEvent,
  FundamentalsStatementCreatedEvent,
  IngestFailedEvent,
  InsiderTransactionCreatedEvent,
  NewsPublishedEvent,
  Operations,
  QuoteUpdatedEvent,
  ScreenedDaysPage,
  ScreenerMatchedEvent,
  ScreenerPage,
} from './operations.js';

export type { ErrorType } from './operations.js';

/** Says that events are missing: request the data again. */
export interface StreamResetEvent {
  id: string;
  type: 'stream.reset';
  timestamp: string;
  data: {
    lastEventId: string;
    reason: string;
    events: string[];
    symbols: string[] | null;
    screens: string[] | null;
  };
}

export type StreamedEvent =
  | QuoteUpdatedEvent
  | CandlesUpdatedEvent
  | NewsPublishedEvent
  | InsiderTransactionCreatedEvent
  | FundamentalsStatementCreatedEvent
  | EarningsUpdatedEvent
  | AnalystRatingChangedEvent
  | ScreenerMatchedEvent
  | DataReadyEvent
  | IngestFailedEvent
  | StreamResetEvent;

export type OperationName = Exclude<keyof Operations, 'streamEvents'>;

/** Parameters of path, query and header by their own names, and `body` where there is one. */
export type RequestOf<Name extends OperationName> = Operations[Name]['request'];

/** JSON by default; CSV as a text; Arrow (one IPC stream) and Parquet as bytes. */
export type ResponseOf<Name extends OperationName, Request> = Request extends { format: 'csv' }
  ? string
  : Request extends { format: 'arrow' | 'parquet' }
    ? Uint8Array
    : JsonOf<Name, Request>;

/** The screener has rows over days with `from` or `to`. */
type JsonOf<Name extends OperationName, Request> = Name extends 'getScreener'
  ? Request extends { from: string } | { to: string }
    ? ScreenedDaysPage
    : ScreenerPage
  : Operations[Name]['response'];

/** A page of an operation that returns pages. */
export type PageOf<Name extends OperationName, Request = unknown> = Extract<
  JsonOf<Name, Request>,
  { has_more: boolean }
>;

/** A row of such a page. */
export type RowOf<Name extends OperationName, Request = unknown> =
  PageOf<Name, Request> extends { data: (infer Row)[] } ? Row : never;

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
  /**
   * Events as they are published, over as many connections as that takes. After an interruption it
   * continues behind the last event; `stream.reset` says that some are missing.
   */
  streamEvents(
    request: Omit<Operations['streamEvents']['request'], 'Last-Event-ID'>,
    options?: CallOptions,
  ): AsyncGenerator<StreamedEvent, void, undefined>;
  /** All pages of a list, from the requested one on. */
  pages: {
    [Name in PagedName]: <const Request extends Omit<RequestOf<Name>, 'format'>>(
      ...args: Arguments<Request>
    ) => AsyncGenerator<PageOf<Name, Request>, void, undefined>;
  };
  /** The rows of all these pages, one by one. */
  rows: {
    [Name in PagedName]: <const Request extends Omit<RequestOf<Name>, 'format'>>(
      ...args: Arguments<Request>
    ) => AsyncGenerator<RowOf<Name, Request>, void, undefined>;
  };
};

export const Tapeworks: new (options?: ClientOptions) => Tapeworks;

export { ApiError } from './api-error.js';
