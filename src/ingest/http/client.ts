/** Sends requests to vendors: paced, retried, bounded in time and size, with typed errors. */

import type { VendorSettings } from '../../base/config/config.ts';
import { requestsPath } from '../../base/config/data-dir.ts';
import {
  MalformedInputError,
  RateLimitedError,
  SourceUnavailableError,
  TapeworksError,
} from '../../base/errors.ts';
import { closeAgents, discard, send } from '../../base/http/send.ts';
import { limits } from '../../base/limits.ts';
import { randomFraction } from '../../base/world/chance.ts';
import { delay, timeoutSignal, wallMs } from '../../base/world/clock.ts';
import {
  backoffMs,
  failureOf,
  isPassing,
  limitUsedUp,
  networkFailure,
  retryAfterMs,
  vendorWords,
} from './failure.ts';
import { baseUrl, type Host, paceOf } from './host.ts';
import { openRequestPace, type RequestPace } from './pace.ts';
import { proxiedAgents } from './proxy.ts';
import { type HttpResponse, readBody, readResponse, type TextResponse } from './response.ts';

export interface HttpRequest {
  host: Host;
  /** Path below the host's address, with its slash; may hold a query. */
  path: string;
  /** Parameters to add; undefined values are left out. */
  query?: Record<string, string | number | undefined>;
  headers?: Record<string, string>;
  /** Texts that no message may hold. */
  secrets?: readonly string[];
  /** Symbol of the request: a 404 means that the vendor does not know it. */
  symbol?: string;
  /** Statuses besides 200 whose responses the caller reads: 304 with validators in `headers`, 404. */
  readable?: readonly number[];
  /** Bound of the unpacked body; default `limits.http.bodyBytesMax`. */
  bodyBytesMax?: number;
  /** Decodes the body, given its `Content-Type`; default strict UTF-8. */
  decode?: (bytes: Buffer, contentType?: string) => string;
  /** Time for this response, body included; default the client's. */
  responseMs?: number;
}

export interface HttpClientOptions {
  /** Aborting ends a request, and the wait before one, with the signal's reason. */
  signal?: AbortSignal;
  /** Longest wait for the pace of a vendor; default `limits.http.paceWaitMaxMs`. */
  paceWaitMaxMs?: number;
  /** Tries of a request in all; default `limits.http.triesMax`. */
  triesMax?: number;
  /** Longest pause that a vendor may request; default `limits.http.retryAfterMaxMs`. */
  retryAfterMaxMs?: number;
  /** Time for one response, body included; default `limits.http.responseMs`. */
  responseMs?: number;
  /** Replaced by tests, which never sleep. */
  nowMs?: () => number;
  random?: () => number;
  sleep?: (ms: number) => Promise<unknown>;
}

interface Failure {
  error: TapeworksError;
  /** True if another try may do better. */
  isPassing: boolean;
  /** Pause that the vendor asked for. */
  retryMs?: number;
}

const REFUSED_FOR_RATE = [403, 429];

export class HttpClient {
  readonly #settings: VendorSettings;
  readonly #options: Required<Omit<HttpClientOptions, 'signal'>>;
  readonly #signal: AbortSignal | undefined;
  readonly #agents = proxiedAgents();
  readonly #pace: RequestPace | Promise<RequestPace>;

  constructor(settings: VendorSettings, options: HttpClientOptions = {}) {
    const { signal } = options;
    this.#settings = settings;
    this.#signal = signal;
    this.#options = {
      ...limits.http,
      nowMs: wallMs,
      random: randomFraction,
      sleep: (ms) => delay(ms, undefined, { signal }),
      ...options,
    };
    const { redisUrl, dataDir } = settings;
    // The driver of Redis is loaded only where settings name one.
    this.#pace = redisUrl
      ? import('./redis-pace.ts').then(({ redisPace }) => redisPace(redisUrl))
      : openRequestPace(requestsPath(dataDir));
  }

  /**
   * Fetches a response, with retries.
   * @throws {RateLimitedError} the rate limit is reached, or the pause after it is not over.
   * @throws {SubscriptionNeededError} 401, 402 or 403; `SourceBlockedError` of a vendor without keys.
   * @throws {UnknownSymbolError} 404 to a request with a symbol.
   * @throws {MalformedInputError} the body is too large, not UTF-8, or not in its stated encoding.
   * @throws {SourceUnavailableError} any other failure.
   */
  get(request: HttpRequest): Promise<TextResponse> {
    return this.exchange(request, (response) => readResponse(response, request));
  }

  /** Sends a request as `get` does. `take` reads the body; an error of it fails the try. */
  async exchange<T>(
    request: HttpRequest,
    take: (response: HttpResponse) => Promise<T>,
  ): Promise<T> {
    for (let failures = 1; ; failures++) {
      const outcome = await this.#try(request, take).catch((error: unknown) => {
        this.#signal?.throwIfAborted();
        return failureFromThrown(request.host.title, error);
      });
      if ('taken' in outcome) return outcome.taken;
      const waitMs = outcome.retryMs ?? backoffMs(failures, this.#options.random());
      const isHopeless = !outcome.isPassing || waitMs > this.#options.retryAfterMaxMs;
      if (isHopeless || failures === this.#options.triesMax) throw outcome.error;
      await this.#options.sleep(waitMs);
    }
  }

  async close(): Promise<void> {
    (await this.#pace).close();
    closeAgents(this.#agents);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #try<T>(
    request: HttpRequest,
    take: (response: HttpResponse) => Promise<T>,
  ): Promise<{ taken: T } | Failure> {
    const { host, readable = [], responseMs = this.#options.responseMs } = request;
    let url = addressOf(request, this.#settings);
    for (let redirects = 0; ; redirects++) {
      await this.#takeTurn(host, host.bucket ?? url.host);
      const timeout = timeoutSignal(responseMs);
      const body = await send(url, {
        agents: this.#agents,
        headers: {
          'accept-encoding': 'gzip, deflate',
          'user-agent': 'tapeworks',
          ...request.headers,
        },
        signal: this.#signal ? AbortSignal.any([this.#signal, timeout]) : timeout,
        connectMs: limits.http.connectMs,
        headersMs: limits.http.headersMs,
        idleMs: limits.http.bodyIdleMs,
      });
      const { statusCode: status = 0, headers } = body;
      const location = REDIRECTS.includes(status) ? headers.location : undefined;
      if (location === undefined) {
        const header = (name: string) => [headers[name]].flat()[0];
        const isReadable = status === 200 || readable.includes(status);
        const cookies = headers['set-cookie'] ?? [];
        if (isReadable) return { taken: await take({ status, body, header, cookies }) };
        return await this.#failure(request, url, { status, body, header, cookies });
      }
      await discard(body, limits.http.wordsBytesMax);
      url = redirectedTo(host.title, url, location, redirects);
    }
  }

  /** @throws {RateLimitedError} the host rests, or the wait would be longer than a run may stop. */
  async #takeTurn(host: Host, bucket: string): Promise<void> {
    const restMs = (await (await this.#pace).restsUntilMs(bucket)) - this.#options.nowMs();
    // A rest longer than its maximum means that the clock was set back.
    if (host.restMs !== undefined && restMs > 0 && restMs <= host.restMs) {
      const seconds = Math.ceil(restMs / 1000);
      throw new RateLimitedError(
        restMs,
        `${host.title} refused a request lately: the next may be sent in ${seconds} s`,
      );
    }
    const limit = paceOf(host, this.#settings);
    while (limit) {
      this.#signal?.throwIfAborted();
      const waitMs = await (await this.#pace).take(bucket, limit, this.#options.nowMs);
      if (waitMs === 0) return;
      if (waitMs > this.#options.paceWaitMaxMs) throw limitUsedUp(host.title, limit, waitMs);
      await this.#options.sleep(waitMs);
    }
  }

  async #failure(
    request: HttpRequest,
    url: URL,
    { status, body, header }: HttpResponse,
  ): Promise<Failure> {
    const { host, secrets = [], symbol } = request;
    const packed = { encoding: header('content-encoding'), length: header('content-length') };
    const bytesMax = limits.http.wordsBytesMax;
    const said = await readBody(body, { ...packed, bytesMax }).catch(() => '');
    const words = vendorWords(said.toString(), secrets);
    const limit = status === 429 ? paceOf(host, this.#settings) : undefined;
    // Without a pause from the vendor, its window has passed by then.
    const windowMs = limit && limit.windowS * 1000;
    const retryMs = retryAfterMs(header('retry-after'), this.#options.nowMs()) ?? windowMs;
    const address = url.origin + url.pathname;
    const { title, restMs, auth } = host;
    const failed = { title, address, isKeyed: auth !== undefined, status, words, retryMs, symbol };
    if (restMs !== undefined && REFUSED_FOR_RATE.includes(status)) {
      await (await this.#pace).rest(host.bucket ?? url.host, this.#options.nowMs() + restMs);
      const error = failureOf({ ...failed, isRateRefusal: true, retryMs: restMs });
      return { error, isPassing: false };
    }
    return { error: failureOf(failed), isPassing: isPassing(status), retryMs };
  }
}

function failureFromThrown(title: string, error: unknown): Failure {
  if (error instanceof MalformedInputError) {
    const message = `${title} cannot be understood: ${error.message}`;
    return { error: new MalformedInputError(message, { cause: error }), isPassing: false };
  }
  if (error instanceof TapeworksError) return { error, isPassing: false };
  return { error: networkFailure(title, error), isPassing: true };
}

function addressOf({ host, path, query = {} }: HttpRequest, settings: VendorSettings): URL {
  const url = new URL(baseUrl(host, settings) + path);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Returns the address of a redirect. It stays on its host, since the request may carry a key, and
 * never goes back to http.
 * @throws {SourceUnavailableError} it leads elsewhere, or was one too many.
 */
function redirectedTo(title: string, from: URL, location: string, redirects: number): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  const isUpgrade =
    from.protocol === 'http:' && to?.protocol === 'https:' && to.hostname === from.hostname;
  if (to && (isUpgrade || to.origin === from.origin) && redirects < limits.http.redirectsMax) {
    return to;
  }
  throw new SourceUnavailableError(
    `${title} is not available: it redirects to "${to?.origin ?? location}", which is not followed`,
  );
}
