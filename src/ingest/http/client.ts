/**
 * The one way to ask a vendor over HTTP: paced over all processes, tried again where that may
 * help, bounded in time and size, and told apart when it fails.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { request as sendRequest } from 'undici';
import type { VendorSettings } from '../../base/config/config.ts';
import { requestsPath } from '../../base/config/data-dir.ts';
import {
  MalformedInputError,
  RateLimitedError,
  SourceUnavailableError,
  TapeworksError,
} from '../../base/errors.ts';
import { limits } from '../../base/limits/limits.ts';
import { failureOf, isPassing, limitUsedUp, networkFailure, vendorWords } from './failure.ts';
import { baseUrl, type Host, paceOf } from './host.ts';
import { openRequestPace, type RequestPace } from './pace.ts';
import { ProxiedAgents } from './proxy.ts';
import { type HttpAnswer, type HttpResponse, readBody, wholeAnswer } from './response.ts';
import { backoffMs, retryAfterMs } from './retry-wait.ts';

export interface HttpRequest {
  host: Host;
  /** Below the host's base address, from the slash on; may hold a query of its own. */
  path: string;
  /** Added to it; undefined values are left out. */
  query?: Record<string, string | number | undefined>;
  headers?: Record<string, string>;
  /** Texts of the request that no message may hold. */
  secrets?: readonly string[];
  /** A 404 means that the vendor does not know it. */
  symbol?: string;
  /** Statuses besides 200 whose answers the caller reads: 304 with validators in `headers`, 404. */
  readable?: readonly number[];
  /** Of the unpacked answer; default `limits.http.bodyBytesMax`. */
  bodyBytesMax?: number;
  /** Makes the text of its bytes, given its `Content-Type`; default strict UTF-8. */
  decode?: (bytes: Buffer, contentType?: string) => string;
  /** Of this answer, body included; default the client's. */
  answerMs?: number;
}

export interface HttpClientOptions {
  /** Aborting ends a request, and the wait before one, with the signal's reason. */
  signal?: AbortSignal;
  /** The longest wait for a turn at a vendor; default `limits.http.turnWaitMaxMs`. */
  turnWaitMaxMs?: number;
  /** Of one answer, body included; default `limits.http.answerMs`. */
  answerMs?: number;
  /** Replaced by tests, which never sleep. */
  nowMs?: () => number;
  random?: () => number;
  sleep?: (ms: number) => Promise<unknown>;
}

/** A try that gave no answer. */
interface Failure {
  error: TapeworksError;
  /** Another try may do better. */
  isPassing: boolean;
  /** The vendor's wish for a pause. */
  retryMs?: number;
}

const REFUSED_FOR_RATE = [403, 429];

export class HttpClient {
  readonly #settings: VendorSettings;
  readonly #signal: AbortSignal | undefined;
  readonly #answerMs: number;
  readonly #turnWaitMaxMs: number;
  readonly #nowMs: () => number;
  readonly #random: () => number;
  readonly #sleep: (ms: number) => Promise<unknown>;
  readonly #agents: ProxiedAgents;
  readonly #pace: RequestPace | Promise<RequestPace>;

  constructor(settings: VendorSettings, options: HttpClientOptions = {}) {
    const { signal, nowMs = Date.now, random = Math.random } = options;
    this.#settings = settings;
    this.#signal = signal;
    this.#answerMs = options.answerMs ?? limits.http.answerMs;
    this.#turnWaitMaxMs = options.turnWaitMaxMs ?? limits.http.turnWaitMaxMs;
    this.#nowMs = nowMs;
    this.#random = random;
    this.#sleep = options.sleep ?? ((ms) => delay(ms, undefined, { signal }));
    this.#agents = new ProxiedAgents({
      connectTimeout: limits.http.connectMs,
      headersTimeout: limits.http.headersMs,
      bodyTimeout: limits.http.bodyIdleMs,
    });
    const { redisUrl, dataDir } = settings;
    // Its driver is loaded only where the settings name a Redis.
    this.#pace = redisUrl
      ? import('./redis-pace.ts').then(({ redisPace }) => redisPace(redisUrl))
      : openRequestPace(requestsPath(dataDir));
  }

  /**
   * Asks until there is an answer or no hope of one.
   *
   * @throws {RateLimitedError} the vendor was asked too often, or rests after it was.
   * @throws {PlanNeededError} 401, 402 or 403: the key, or what its plan includes.
   * @throws {SourceBlockedError} the same of a vendor that takes no keys.
   * @throws {UnknownSymbolError} 404 to a question about a symbol.
   * @throws {MalformedInputError} the answer is too large, not UTF-8 or not what it says.
   * @throws {SourceUnavailableError} anything else between here and an answer.
   */
  get(request: HttpRequest): Promise<HttpAnswer> {
    return this.exchange(request, (response) => wholeAnswer(response, request));
  }

  /**
   * Asks as `get` does, and lets `take` read the body of a readable answer, to its end or to where
   * it breaks. What `take` throws is a failed try.
   *
   * @throws as `get`.
   */
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
      const waitMs = outcome.retryMs ?? backoffMs(failures, this.#random());
      const isHopeless = !outcome.isPassing || waitMs > limits.http.retryAfterMaxMs;
      if (isHopeless || failures === limits.http.triesMax) throw outcome.error;
      await this.#sleep(waitMs);
    }
  }

  async close(): Promise<void> {
    (await this.#pace).close();
    await this.#agents.destroy();
  }

  async #try<T>(
    request: HttpRequest,
    take: (response: HttpResponse) => Promise<T>,
  ): Promise<{ taken: T } | Failure> {
    const { host, readable = [], answerMs = this.#answerMs } = request;
    let url = addressOf(request, this.#settings);
    for (let redirects = 0; ; redirects++) {
      await this.#takeTurn(host, host.bucket ?? url.host);
      const timeout = AbortSignal.timeout(answerMs);
      const response = await sendRequest(url, {
        dispatcher: this.#agents.for(url),
        headers: {
          'accept-encoding': 'gzip, deflate',
          'user-agent': 'tapeworks',
          ...request.headers,
        },
        signal: this.#signal ? AbortSignal.any([this.#signal, timeout]) : timeout,
      });
      const location = redirectOf(response.statusCode, response.headers.location);
      if (location === undefined) {
        const { statusCode: status, body } = response;
        const header = (name: string) => [response.headers[name]].flat()[0];
        const isReadable = status === 200 || readable.includes(status);
        const cookies = [response.headers['set-cookie'] ?? []].flat();
        if (isReadable) return { taken: await take({ status, body, header, cookies }) };
        return await this.#failure(request, url, { status, body, header, cookies });
      }
      await response.body.dump({ limit: limits.http.wordsBytesMax });
      url = redirectedTo(host.title, url, location, redirects);
    }
  }

  /**
   * Waits for a token of the host or bucket.
   *
   * @throws {RateLimitedError} it rests, or there is none for longer than a run should stand still.
   */
  async #takeTurn(host: Host, bucket: string): Promise<void> {
    const restMs = (await (await this.#pace).restsUntilMs(bucket)) - this.#nowMs();
    // A longer rest than it ever gets: the clock was set back.
    if (host.restMs !== undefined && restMs > 0 && restMs <= host.restMs) {
      const seconds = Math.ceil(restMs / 1000);
      throw new RateLimitedError(
        restMs,
        `${host.title} refused lately and is left alone for ${seconds} s more`,
      );
    }
    const limit = paceOf(host, this.#settings);
    while (limit) {
      this.#signal?.throwIfAborted();
      const waitMs = await (await this.#pace).take(bucket, limit, this.#nowMs);
      if (waitMs === 0) return;
      if (waitMs > this.#turnWaitMaxMs) throw limitUsedUp(host.title, limit, waitMs);
      await this.#sleep(waitMs);
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
    // Without a wish of the vendor's, its window has passed by then.
    const windowMs = limit && limit.windowS * 1000;
    const retryMs = retryAfterMs(header('retry-after'), this.#nowMs()) ?? windowMs;
    const address = url.origin + url.pathname;
    const { title, restMs, auth } = host;
    const failed = { title, address, isKeyed: auth !== undefined, status, words, retryMs, symbol };
    if (restMs !== undefined && REFUSED_FOR_RATE.includes(status)) {
      await (await this.#pace).rest(host.bucket ?? url.host, this.#nowMs() + restMs);
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

/** Returns the `Location` of a redirect; undefined for another response. */
function redirectOf(status: number, location: string | string[] | undefined): string | undefined {
  return REDIRECTS.includes(status) ? [location].flat()[0] : undefined;
}

/**
 * Returns the address that a redirect leads to. It stays on its host, since the request may carry a
 * key, and never goes back from https to http.
 *
 * @param redirects How many were followed before.
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
