// @ts-check
/**
 * Client of a Tapeworks server, for browsers and Node from 18 up; it needs nothing but `fetch`.
 * It is JavaScript with types beside it, so that a checkout, a package and a browser load one file.
 */

import { ApiError } from './api-error.js';
import { streamedEvents } from './event-stream.js';
import { OPERATIONS } from './operations.js';

/** @typedef {import('./client.js').CallOptions} CallOptions */
/** @typedef {Readonly<Record<string, unknown>>} Values */
/** @typedef {{ readonly method: string, readonly path: string, readonly headers: readonly string[] }} Operation */
/** @typedef {{ data: readonly unknown[], cursor: string | null }} Page */

/** Seconds before a retry if the server states none. */
const WAIT_DEFAULT_S = 1;

export { ApiError };

/** @param {unknown} value */
function textOf(value) {
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** @param {Operation} operation @param {Values} request */
function targetOf({ path, headers }, request) {
  /** @type {Set<string>} */
  const inPath = new Set();
  const filled = path.replace(/\{(\w+)\}/g, (_text, name) => {
    inPath.add(name);
    if (request[name] === undefined || request[name] === null) {
      throw new TypeError(`${name} is missing`);
    }
    return encodeURIComponent(textOf(request[name]));
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request)) {
    const isElsewhere = name === 'body' || inPath.has(name) || headers.includes(name);
    if (!isElsewhere && value !== undefined && value !== null) query.append(name, textOf(value));
  }
  const text = query.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

const FILE_TYPE = 'application/octet-stream';

/** @param {unknown} body @returns {body is Blob | Uint8Array<ArrayBuffer>} */
function isFile(body) {
  return body instanceof Blob || body instanceof Uint8Array;
}

/** @param {Operation} operation @param {Values} request @param {string} apiKey */
function headersOf(operation, request, apiKey) {
  /** @type {Record<string, string>} */
  const headers = { 'X-API-Key': apiKey };
  const { body } = request;
  if (body !== undefined) headers['Content-Type'] = isFile(body) ? FILE_TYPE : 'application/json';
  for (const name of operation.headers) {
    if (request[name] !== undefined) headers[name] = textOf(request[name]);
  }
  return headers;
}

/** @param {Response} response */
async function bodyOf(response) {
  const type = response.headers.get('Content-Type') ?? '';
  if (response.status === 204) return undefined;
  if (type === 'application/json') return response.json();
  const body = type.startsWith('text/')
    ? await response.text()
    : new Uint8Array(await response.arrayBuffer());
  if (!isWhole(body, type, response.headers.get('X-SVC-Rows'))) {
    throw new TypeError('the response ended before its data did: send the request again');
  }
  return body;
}

/** Ends of Arrow's stream and of Parquet. @type {Readonly<Record<string, readonly number[]>>} */
const ENDS = {
  'application/vnd.apache.arrow.stream': [255, 255, 255, 255, 0, 0, 0, 0],
  'application/vnd.apache.parquet': [80, 65, 82, 49],
};

/**
 * Returns false if the end is missing: a proxy may pass on a cut response as a whole one.
 * @param {string | Uint8Array} body @param {string} type @param {string | null} rows
 */
function isWhole(body, type, rows) {
  if (typeof body === 'string') {
    // Rows with a count have no line breaks in their fields; the header is a row more.
    return rows === null || body.split('\r\n').length - 2 === Number(rows);
  }
  const end = ENDS[type] ?? [];
  return end.every((byte, i) => body[body.length - end.length + i] === byte);
}

/** @param {number} seconds @param {AbortSignal | undefined} signal @returns {Promise<void>} */
function wait(seconds, signal) {
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

/** Reads a setting where there is an environment; browsers have none. @param {string} name */
function setting(name) {
  return /** @type {any} */ (globalThis).process?.env?.[name];
}

class Client {
  /** @param {import('./client.js').ClientOptions} [options] */
  constructor(options = {}) {
    const url = options.url ?? setting('TAPEWORKS_URL') ?? 'http://127.0.0.1:8787';
    // A file that holds a key often ends in a newline.
    const apiKey = (options.apiKey ?? setting('TAPEWORKS_API_KEY') ?? '').trim();
    if (!apiKey) throw new TypeError('apiKey is missing: pass it, or set TAPEWORKS_API_KEY');
    // A header of other characters fails with an error that holds the key.
    if (!/^[ -~]+$/.test(apiKey))
      throw new TypeError('apiKey must be one line of ASCII characters');
    const { retries = 4, waitMaxS = 120 } = options;
    // A browser's own fetch must be called as a method of its window.
    const send = options.fetch ?? ((...args) => fetch(...args));
    const root = url.replace(/\/+(v1\/*)?$/, '');

    /**
     * Sends a request until it is not refused for a while.
     * @param {Operation} operation @param {Values} request @param {CallOptions} callOptions
     */
    async function responseTo(operation, request, { signal, onResponse }) {
      const { body } = request;
      const init = {
        method: operation.method,
        headers: headersOf(operation, request, apiKey),
        body: body === undefined || isFile(body) ? body : JSON.stringify(body),
        signal,
      };
      for (let triesLeft = retries; ; triesLeft--) {
        const response = await send(root + targetOf(operation, request), init);
        if (response.ok) {
          onResponse?.(response);
          return response;
        }
        const error = new ApiError(response, await response.json().catch(() => undefined));
        const waitS = error.retryAfterS ?? WAIT_DEFAULT_S;
        // The server did nothing yet when it sent one of these, so any method may be repeated.
        const isTemporary = error.status === 429 || error.status === 503;
        if (!isTemporary || triesLeft === 0 || waitS > waitMaxS) throw error;
        await wait(waitS, signal);
      }
    }

    /** @param {Operation} operation @param {Values} [request] @param {CallOptions} [callOptions] */
    const call = async (operation, request = {}, callOptions = {}) =>
      bodyOf(await responseTo(operation, request, callOptions));

    /** @param {Values} request @param {CallOptions} [callOptions] */
    const streamEvents = (request, { signal, onResponse } = {}) =>
      streamedEvents({
        retries,
        signal,
        open: (lastId, own) =>
          responseTo(
            OPERATIONS.streamEvents,
            { ...request, 'Last-Event-ID': lastId },
            { signal: own, onResponse },
          ),
        wait: (ms) => wait(ms / 1000, signal),
      });

    /** @param {Operation} operation @param {Values} [request] @param {CallOptions} [callOptions] */
    async function* pages(operation, request = {}, callOptions) {
      for (let cursor = /** @type {string | null | undefined} */ (undefined); cursor !== null; ) {
        const next = cursor === undefined ? request : { ...request, cursor };
        const page = /** @type {Page} */ (await call(operation, next, callOptions));
        cursor = page.cursor;
        yield page;
      }
    }

    /** @param {Parameters<typeof pages>} args */
    async function* rows(...args) {
      for await (const page of pages(...args)) yield* page.data;
    }

    /** @param {(operation: Operation, request?: Values, options?: CallOptions) => unknown} run */
    const methodsOf = (run) =>
      Object.fromEntries(
        Object.entries(OPERATIONS).map(([name, operation]) => [
          name,
          (/** @type {Values} */ request, /** @type {CallOptions} */ callOptions) =>
            run(operation, request, callOptions),
        ]),
      );
    const lists = { pages: methodsOf(pages), rows: methodsOf(rows) };
    Object.assign(this, methodsOf(call), { streamEvents }, lists);
  }
}

// The table of operations and their types come from one description, so the methods have them.
export const Tapeworks = /** @type {typeof import('./client.js').Tapeworks} */ (
  /** @type {unknown} */ (Client)
);
