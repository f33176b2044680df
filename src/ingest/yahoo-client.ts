/** Requests to Yahoo's chart endpoint through yahoo-finance2, which follows Yahoo's changes. */

import YahooFinance from 'yahoo-finance2';
import { MILLIS_PER_DAY } from '../bars.ts';
import { MalformedInputError, SourceUnavailableError, TapeworksError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { FetchContext } from './fetch-context.ts';

export interface YahooClient {
  /**
   * Daily bars with splits and dividends from `fromDay` to now.
   *
   * @param symbol In Yahoo's spelling.
   * @returns the body as received, for `parseYahooChart`; that of an unknown symbol too.
   * @throws {SourceUnavailableError} no connection, rate limited, or a failure of Yahoo's own.
   */
  chartBody(symbol: string, fromDay: number): Promise<string>;
}

const STATUS_NOT_FOUND = 404;
const STATUS_RATE_LIMITED = 429;
const silent = () => undefined;

export function createYahooClient(context: FetchContext): YahooClient {
  let body: string | undefined;
  const base = context.settings.vendorUrls.YAHOO;
  const client = new YahooFinance({
    fetch: async (input, init) => {
      const response = await request(addressOf(input, base), init, context.signal);
      body = await bodyOf(response);
      return new Response(body, { status: response.status, headers: response.headers });
    },
    // The pace spares Yahoo; a mirror or a test's server needs none.
    queue: { concurrency: 1, interval: base === undefined ? limits.yahoo.requestGapMs : 0 },
    logger: { info: silent, warn: silent, error: silent, debug: silent, dir: silent },
    validation: { logErrors: false, logOptionsErrors: false },
    versionCheck: false,
  });
  return {
    async chartBody(symbol, fromDay) {
      body = undefined;
      try {
        await client.chart(
          symbol,
          {
            period1: new Date(fromDay * MILLIS_PER_DAY),
            period2: new Date(context.nowMs),
            interval: '1d',
            events: 'div|split|capitalGains',
            includePrePost: false,
            return: 'object',
          },
          { validateResult: false },
        );
      } catch (error) {
        context.signal?.throwIfAborted();
        if (error instanceof TapeworksError) throw error;
        // The package judges bodies too; ours is the parser that says what is wrong with one.
        if (body === undefined) throw unavailable('it cannot be reached', error);
      }
      return body!;
    },
  };
}

/** The address asked for, or the same path below the base address that settings name. */
function addressOf(input: string | URL | Request, base: string | undefined): URL {
  const url = new URL(input instanceof Request ? input.url : input);
  return base === undefined ? url : new URL(url.pathname + url.search, base);
}

async function request(
  url: URL,
  init: RequestInit | undefined,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const timeout = AbortSignal.timeout(limits.yahoo.timeoutMs);
  const response = await fetch(url, {
    ...init,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
  if (response.ok || response.status === STATUS_NOT_FOUND) return response;
  if (response.status === STATUS_RATE_LIMITED) {
    throw unavailable('it limits the rate of this address; try again in some minutes');
  }
  throw unavailable(`it answered with status ${response.status}`);
}

async function bodyOf(response: Response): Promise<string> {
  const max = limits.yahoo.bodyBytesMax;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > max) throw new MalformedInputError(`Yahoo's answer is larger than ${max} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function unavailable(what: string, cause?: unknown): SourceUnavailableError {
  return new SourceUnavailableError(`Yahoo is not available: ${what}`, { cause });
}
