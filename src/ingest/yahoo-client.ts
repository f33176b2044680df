/** Requests to Yahoo's chart endpoint through yahoo-finance2, which follows Yahoo's changes. */

import YahooFinance from 'yahoo-finance2';
import { MILLIS_PER_DAY } from '../bars.ts';
import { SourceUnavailableError, TapeworksError } from '../errors.ts';
import type { FetchContext } from './fetch-context.ts';
import type { HttpClient } from './http-client.ts';
import { vendors } from './vendors.ts';

export interface YahooClient {
  /**
   * Daily bars with splits and dividends from `fromDay` to now.
   *
   * @param symbol In Yahoo's spelling.
   * @returns the body as received, for `parseYahooChart`; that of an unknown symbol too.
   * @throws as `HttpClient.get`.
   */
  chartBody(symbol: string, fromDay: number): Promise<string>;
}

const NOT_FOUND = 404;
const silent = () => undefined;

export function createYahooClient(
  http: Pick<HttpClient, 'get'>,
  { nowMs, signal }: Pick<FetchContext, 'nowMs' | 'signal'>,
): YahooClient {
  let body: string | undefined;
  const client = new YahooFinance({
    fetch: async (input, init) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input);
      const { status, text, contentType } = await http.get({
        vendor: vendors.YAHOO,
        path: pathname + search,
        headers: Object.fromEntries(new Headers(init?.headers)),
        readable: [NOT_FOUND],
      });
      body = text;
      return new Response(text, {
        status,
        headers: contentType ? { 'content-type': contentType } : {},
      });
    },
    // The HTTP client keeps the pace.
    queue: { concurrency: 1, interval: 0 },
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
            period2: new Date(nowMs),
            interval: '1d',
            events: 'div|split|capitalGains',
            includePrePost: false,
            return: 'object',
          },
          { validateResult: false },
        );
      } catch (cause) {
        signal?.throwIfAborted();
        if (cause instanceof TapeworksError) throw cause;
        // The package judges bodies too; ours is the parser that says what is wrong with one.
        if (body === undefined) {
          throw new SourceUnavailableError('Yahoo is not available: nothing was asked', { cause });
        }
      }
      return body!;
    },
  };
}
