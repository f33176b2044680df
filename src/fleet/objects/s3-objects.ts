/** Objects of a bucket of an S3-compatible store, with addresses of the path style. */

import type { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { XMLParser } from 'fast-xml-parser';
import type { ObjectPlace, S3Access } from '../../base/config/object-place.ts';
import { closeAgents, createAgents, send as sendRequest } from '../../base/http/send.ts';
import { limits } from '../../base/limits.ts';
import { quoted } from '../../base/quoted.ts';
import { timeoutSignal } from '../../base/world/clock.ts';
import {
  type GetOptions,
  type ListedObject,
  type ObjectContent,
  type ObjectStore,
  ObjectStoreError,
  type PutOptions,
  type StoredObject,
} from '../../store/objects/object-store.ts';
import { repeated } from '../../store/objects/repeated.ts';
import { putParts } from './s3-parts.ts';
import { headerOf, md5Of, type S3Request, type S3Response, wholeText } from './s3-request.ts';

/** Hash of an empty body. */
const NO_BODY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const TOO_LONG = 'it took too long';

const NOT_MODIFIED = 304;
const NOT_FOUND = 404;
const CONDITION_FAILED = 412;

/** Statuses that pass: too slow, too many requests, and failures of the store itself. */
const PASSING = [408, 429, 500, 502, 503, 504];

/** Codes of status 400 that pass: the body was damaged or stopped on its way. */
const CONTENT_CODES = ['BadDigest', 'XAmzContentSHA256Mismatch'];
const PASSING_CODES = [...CONTENT_CODES, 'RequestTimeout'];

/** A change at the same time; the store has done nothing. */
const CONFLICT = 409;

/** @param setting Setting that names the bucket, for messages. */
export function s3Objects(
  { bucket, prefix }: Extract<ObjectPlace, { kind: 's3' }>,
  { endpoint, ...access }: S3Access,
  setting: string,
): ObjectStore {
  const agents = createAgents({ maxSockets: limits.objects.connectionsMax });
  /** Keys of signatures by day, which the signer makes once. */
  const cache = new Map<string, ArrayBuffer>();
  const addressOf = (key: string) => `s3://${bucket}/${prefix}${key}`;

  function failure(
    what: string,
    reason: string,
    options: ConstructorParameters<typeof ObjectStoreError>[1],
  ) {
    return new ObjectStoreError(`can't ${what} at ${endpoint} (${setting}): ${reason}`, options);
  }

  /** Sends a request once. @throws {ObjectStoreError} the store can't be reached. */
  async function send(what: string, request: S3Request): Promise<S3Response> {
    const { method, key, query = {}, content, bytesMax = 0, isSlow, signal } = request;
    const path = key === '' && method === 'GET' ? bucket : `${bucket}/${prefix}${key}`;
    const url = `${endpoint}/${path}?${new URLSearchParams(query)}`.replace(/\?$/, '');
    const signed = await new AwsV4Signer({
      ...{ method, url, ...access, cache, service: 's3' },
      headers: { ...request.headers, 'x-amz-content-sha256': content?.sha256 ?? NO_BODY },
    }).sign();
    const headers = Object.fromEntries(signed.headers);
    if (content) headers['content-length'] = String(content.bytes);
    const { requestMs, slowestBytesPerMs } = limits.objects;
    const bytes = Math.max(content?.bytes ?? 0, bytesMax);
    const timeoutMs = Math.ceil(requestMs + bytes / slowestBytesPerMs);
    const timeout = timeoutSignal(timeoutMs);
    try {
      const response = await sendRequest(signed.url, {
        ...{ method, headers, agents, body: content?.read() },
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        idleMs: isSlow ? timeoutMs : limits.objects.idleMs,
      });
      return { status: response.statusCode ?? 0, headers: response.headers, body: response };
    } catch (cause) {
      signal?.throwIfAborted();
      const reason = timeout.aborted ? TOO_LONG : reasonOf(cause);
      throw failure(what, reason, { cause, isPassing: true });
    }
  }

  /** Reads the store's reason and makes an error of it. */
  async function refusal(what: string, { status, body }: S3Response): Promise<ObjectStoreError> {
    const text = await wholeText(body, limits.objects.errorBytesMax).catch(() => '');
    const [, code = ''] = /<Code>([^<]*)<\/Code>/.exec(text) ?? [];
    const [, words = ''] = /<Message>([^<]*)<\/Message>/.exec(text) ?? [];
    const said = [code, words && quoted(words)].filter(Boolean).join(': ');
    const isPassing =
      PASSING.includes(status) || status === CONFLICT || PASSING_CODES.includes(code);
    return failure(what, `status ${status}${said && ` ${said}`}${hintOf(status, code)}`, {
      isPassing,
      isOfContent: CONTENT_CODES.includes(code),
    });
  }

  /** Sends a request that may be repeated, until it succeeds or the failure does not pass. */
  async function exchange<T>(
    what: string,
    request: S3Request,
    take: (response: S3Response) => Promise<T | undefined>,
  ): Promise<T> {
    return repeated({ signal: request.signal }, async () => {
      const response = await send(what, request);
      const taken = await take(response);
      if (taken !== undefined) return taken;
      throw await refusal(what, response);
    });
  }

  /**
   * Makes errors of a transfer that breaks off typed.
   *
   * @param bytes Length of the body, if it is known.
   */
  async function* guarded(
    what: string,
    body: Readable,
    bytes: number | undefined,
    signal?: AbortSignal,
  ) {
    let received = 0;
    try {
      for await (const piece of body) {
        received += piece.length;
        yield piece as Uint8Array;
      }
    } catch (cause) {
      signal?.throwIfAborted();
      throw failure(what, `the transfer broke off: ${reasonOf(cause)}`, { cause, isPassing: true });
    }
    if (received === (bytes ?? received)) return;
    const reason = `the response has ${received} bytes instead of ${bytes}`;
    throw failure(what, reason, { isPassing: true });
  }

  async function get(key: string, { start = 0, bytesMax, unless, signal }: GetOptions = {}) {
    const what = `read ${addressOf(key)}`;
    const headers = {
      ...(start > 0 && { range: `bytes=${start}-` }),
      ...(unless !== undefined && { 'if-none-match': unless }),
    };
    const request = { method: 'GET', key, headers, bytesMax, signal } as const;
    return exchange<StoredObject | 'unchanged' | 'absent'>(what, request, async (response) => {
      const { status, body } = response;
      if (status === NOT_MODIFIED) {
        await body.resume();
        return 'unchanged';
      }
      if (status === NOT_FOUND) {
        const error = await refusal(what, response);
        if (/ NoSuchBucket/.test(error.message)) throw error;
        return 'absent';
      }
      if (status !== 200 && status !== 206) return undefined;
      // A store that ignores ranges sends all of it.
      if (start > 0 && status === 200) {
        body.destroy();
        throw failure(what, 'it ignores ranges', {});
      }
      const length = Number(headerOf(response, 'content-length') ?? Number.NaN);
      const etag = headerOf(response, 'etag');
      if (!Number.isInteger(length) || etag === undefined) {
        body.destroy();
        throw failure(what, 'the response has no length or no ETag', { isPassing: true });
      }
      return { bytes: start + length, etag, body: guarded(what, body, length, signal) };
    });
  }

  /**
   * Sends a conditional write once: a second one would not meet its own condition.
   *
   * @param take Returns the ETag of a write that was done.
   */
  async function putOnce(
    what: string,
    request: S3Request,
    take: (response: S3Response) => Promise<string | undefined>,
  ): Promise<string | undefined> {
    let response: S3Response;
    try {
      response = await send(what, request);
      const etag = await take(response);
      if (etag !== undefined) return etag;
    } catch (error) {
      if (!(error instanceof ObjectStoreError)) throw error;
      throw new ObjectStoreError(error.message, { cause: error, isPassing: true, isUnknown: true });
    }
    const { status, body } = response;
    if (status === CONDITION_FAILED || status === CONFLICT) {
      await body.resume();
      return undefined;
    }
    const error = await refusal(what, response);
    // Of an object that is gone, S3 says that there is none instead of the condition.
    if (status === NOT_FOUND && / NoSuchKey/.test(error.message)) return undefined;
    const { isPassing, isOfContent } = error;
    throw new ObjectStoreError(error.message, { isPassing, isUnknown: isPassing, isOfContent });
  }

  async function etagOf(response: S3Response): Promise<string | undefined> {
    if (response.status !== 200) return undefined;
    await response.body.resume();
    return headerOf(response, 'etag');
  }

  async function bytesOf(key: string, signal?: AbortSignal): Promise<number | undefined> {
    for await (const found of list(key, signal)) if (found.key === key) return found.bytes;
    return undefined;
  }

  async function put(key: string, content: ObjectContent, options: PutOptions = {}) {
    const { condition, inParts = false, signal } = options;
    const what = `write ${addressOf(key)}`;
    const { objectBytesMax, singleBytesMax } = limits.objects;
    if (content.bytes > objectBytesMax) {
      throw failure(what, `it has ${content.bytes} bytes, at most ${objectBytesMax} fit`, {});
    }
    if (inParts || content.bytes > singleBytesMax) {
      if (typeof condition === 'object') {
        // Some stores admit two at the end of parts. Two of one new object have the same content.
        throw failure(what, `a swap takes one request of at most ${singleBytesMax} bytes`, {});
      }
      const sender = { exchange, once: putOnce, bytesOf, remove, prefix };
      return putParts(sender, what, key, content, { condition, signal });
    }
    // Not every store compares `x-amz-content-sha256` with the body. All compare this.
    const headers: Record<string, string> = { 'content-md5': await md5Of(content) };
    if (condition === 'absent') headers['if-none-match'] = '*';
    else if (condition) headers['if-match'] = condition.etag;
    const request: S3Request = { method: 'PUT', key, headers, content, signal };
    if (condition !== undefined) return putOnce(what, request, etagOf);
    return exchange(what, request, async (response) => {
      const etag = await etagOf(response);
      return response.status === 200 ? (etag ?? '') : undefined;
    });
  }

  async function remove(what: string, request: Omit<S3Request, 'method'>): Promise<void> {
    await exchange(what, { ...request, method: 'DELETE' }, async ({ status, body }) => {
      if (status !== 204 && status !== 200 && status !== NOT_FOUND) return undefined;
      await body.resume();
      return true;
    });
  }

  async function* list(from: string, signal?: AbortSignal): AsyncGenerator<ListedObject> {
    const what = `list ${addressOf(from)}`;
    let token: string | undefined;
    do {
      const query = {
        'list-type': '2',
        prefix: prefix + from,
        ...(token !== undefined && { 'continuation-token': token }),
      };
      const request = { method: 'GET', key: '', query, signal } as const;
      const page = await exchange(what, request, async ({ status, body }) =>
        status === 200
          ? pageFromXml(
              await wholeText(guarded(what, body, undefined, signal), limits.objects.wholeBytesMax),
            )
          : undefined,
      );
      for (const { Key: key, Size: bytes, LastModified: modified } of page.objects) {
        const modifiedMs = Date.parse(modified);
        yield { key: key.slice(prefix.length), bytes: Number(bytes), modifiedMs };
      }
      token = page.token;
    } while (token !== undefined);
  }

  return {
    addressOf,
    async get(key, options) {
      const found = await get(key, options);
      return found === 'absent' ? undefined : found;
    },
    put,
    list,
    delete: (key, signal) => remove(`remove ${addressOf(key)}`, { key, signal }),
    async close() {
      closeAgents(agents);
    },
  };
}

/** Returns the system's reason, which may lie in a cause or in a code. */
function reasonOf(error: unknown): string {
  const { message, cause, code, name } = error as NodeJS.ErrnoException;
  return message || code || (cause instanceof Error ? reasonOf(cause) : name);
}

function hintOf(status: number, code: string): string {
  if (code === 'NoSuchBucket') return '; create the bucket';
  if (status === 401 || status === 403) {
    return '; check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and the rights of the key';
  }
  return '';
}

const parser = new XMLParser({ parseTagValue: false, isArray: (name) => name === 'Contents' });

interface ListPage {
  objects: { Key: string; Size: string; LastModified: string }[];
  token: string | undefined;
}

/** @throws {ObjectStoreError} the text is no list. */
function pageFromXml(text: string): ListPage {
  const { ListBucketResult: result } = parser.parse(text) as {
    ListBucketResult?: {
      Contents?: ListPage['objects'];
      IsTruncated?: string;
      NextContinuationToken?: string;
    };
  };
  if (!result) throw new ObjectStoreError('the list of a bucket can not be read');
  const token = result.IsTruncated === 'true' ? result.NextContinuationToken : undefined;
  return { objects: result.Contents ?? [], token };
}
