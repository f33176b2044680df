/**
 * Client of a Tapeworks server, for browsers and Node from 18 up; it needs nothing but `fetch`.
 *
 * What can be asked is in `operations.ts`, which is generated from the server's own description.
 */

import { errorFromResponse } from './api-error.ts';
import { OPERATIONS, type Operations } from './operations.ts';

export { ApiError } from './api-error.ts';
export type { ErrorType } from './operations.ts';

export type OperationName = keyof Operations;

/** Parameters of path, query and header by their own names, and `body` where there is one. */
export type RequestOf<Name extends OperationName> = Operations[Name]['request'];

/** JSON, unless `format` asks for another: CSV is a text, Arrow the bytes of one IPC stream. */
export type AnswerOf<Name extends OperationName, Request> = Request extends { format: 'csv' }
  ? string
  : Request extends { format: 'arrow' }
    ? Uint8Array
    : Operations[Name]['answer'];

/** Operations whose answers are pages, and the page of each. */
export type PageOf<Name extends OperationName> = Extract<
  Operations[Name]['answer'],
  { has_more: boolean }
>;
/** A row of such a page. */
export type RowOf<Name extends OperationName> =
  PageOf<Name> extends { data: (infer Row)[] } ? Row : never;
export type PagedName = {
  [Name in OperationName]: [PageOf<Name>] extends [never] ? never : Name;
}[OperationName];

export interface CallOptions {
  /** Ends the request, and the wait before a repeated one. */
  signal?: AbortSignal;
  /** Told of the answer before its body is read: headers say limits, price basis, totals. */
  onResponse?: (response: Response) => void;
}

export interface ClientOptions {
  /** Where the server answers, without `/v1`: `http://127.0.0.1:8787`. */
  baseUrl: string;
  apiKey: string;
  /** How often a request that was refused with 429 or 503 is repeated. Default: 4. */
  retries?: number;
  /** A longer `Retry-After` (a day's tokens are used up) throws at once. Default: 120. */
  waitMaxS?: number;
  /** Default: the global one. */
  fetch?: typeof fetch;
}

/** A request that may be left out where no parameter is needed, then options. */
type Arguments<Asked> =
  Partial<Asked> extends Asked
    ? [request?: Asked, options?: CallOptions]
    : [request: Asked, options?: CallOptions];

export type Client = {
  [Name in OperationName]: <const Asked extends RequestOf<Name>>(
    ...args: Arguments<Asked>
  ) => Promise<AnswerOf<Name, Asked>>;
} & {
  /** All pages of a list, from the one that is asked on. */
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

interface Operation {
  readonly method: string;
  /** From the server's root on, with `{names}`. */
  readonly path: string;
  /** Parameters that are headers; what is in neither path nor headers is in the query. */
  readonly headers: readonly string[];
}

interface Page {
  data: readonly unknown[];
  cursor: string | null;
}

type Values = Readonly<Record<string, unknown>>;

/** As long as the server says, else a second. */
const WAIT_DEFAULT_S = 1;

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value);
}

function targetOf({ path, headers }: Operation, request: Values): string {
  const inPath = new Set<string>();
  const filled = path.replace(/\{(\w+)\}/g, (_text, name: string) => {
    inPath.add(name);
    return encodeURIComponent(textOf(request[name]));
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request)) {
    const isElsewhere = name === 'body' || inPath.has(name) || headers.includes(name);
    if (!isElsewhere && value !== undefined) query.append(name, textOf(value));
  }
  const text = query.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

function headersOf(operation: Operation, request: Values, apiKey: string): Record<string, string> {
  const headers: Record<string, string> = { 'X-API-Key': apiKey };
  if (request.body !== undefined) headers['Content-Type'] = 'application/json';
  for (const name of operation.headers) {
    if (request[name] !== undefined) headers[name] = textOf(request[name]);
  }
  return headers;
}

async function answerOf(response: Response): Promise<unknown> {
  const type = response.headers.get('Content-Type') ?? '';
  if (response.status === 204) return undefined;
  if (type === 'application/json') return response.json();
  return type.startsWith('text/') ? response.text() : new Uint8Array(await response.arrayBuffer());
}

function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

/** @throws {ApiError} from each of its operations: the answer is an error. */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, apiKey, retries = 4, waitMaxS = 120 } = options;
  const send = options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args));
  const root = baseUrl.replace(/\/+$/, '');

  async function call(
    operation: Operation,
    request: Values = {},
    { signal, onResponse }: CallOptions = {},
  ): Promise<unknown> {
    const init = {
      method: operation.method,
      headers: headersOf(operation, request, apiKey),
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
      signal,
    };
    for (let triesLeft = retries; ; triesLeft--) {
      const response = await send(root + targetOf(operation, request), init);
      if (response.ok) {
        onResponse?.(response);
        return answerOf(response);
      }
      const error = await errorFromResponse(response);
      const waitS = error.retryAfterS ?? WAIT_DEFAULT_S;
      // Both were refused before anything was done, so that any method may be repeated.
      const isLater = error.status === 429 || error.status === 503;
      if (!isLater || triesLeft === 0 || waitS > waitMaxS) throw error;
      await wait(waitS, signal);
    }
  }

  async function* pages(
    operation: Operation,
    request: Values = {},
    callOptions?: CallOptions,
  ): AsyncGenerator<Page> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const asked = cursor === undefined ? request : { ...request, cursor };
      const page = (await call(operation, asked, callOptions)) as Page;
      cursor = page.cursor;
      yield page;
    }
  }

  async function* rows(...args: Parameters<typeof pages>): AsyncGenerator<unknown> {
    for await (const page of pages(...args)) yield* page.data;
  }

  const names = Object.keys(OPERATIONS) as OperationName[];
  const methodsOf = (ask: (operation: Operation, ...args: never[]) => unknown) =>
    Object.fromEntries(
      names.map((name) => [name, (...args: never[]) => ask(OPERATIONS[name], ...args)]),
    );
  // The types come from the same description as the table from which the methods are made.
  return {
    ...methodsOf(call),
    pages: methodsOf(pages),
    rows: methodsOf(rows),
  } as unknown as Client;
}
