/** Sends the one request to Yahoo's chart endpoint, which needs neither key nor cookie. */

import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import type { HttpClient } from '../../http/client.ts';
import { vendor } from './vendor.ts';

export interface YahooChartRequest {
  symbol: string;
  fromDay: number;
  nowMs: number;
}

/** An agent that names the program and passes: Yahoo answers plain HTTP clients with 429. */
const USER_AGENT = 'Mozilla/5.0 (compatible; tapeworks)';

const NOT_FOUND = 404;

/** Fetches daily bars with splits and dividends from `fromDay` to now. */
export async function fetchYahooChart(
  http: Pick<HttpClient, 'get'>,
  { symbol, fromDay, nowMs }: YahooChartRequest,
): Promise<string> {
  const { text } = await http.get({
    host: vendor.host,
    path: `/v8/finance/chart/${encodeURIComponent(symbol)}`,
    query: {
      interval: '1d',
      includePrePost: 'false',
      events: 'div|split|capitalGains',
      lang: 'en-US',
      period1: (fromDay * MILLIS_PER_DAY) / 1000,
      period2: Math.floor(nowMs / 1000),
    },
    headers: { 'user-agent': USER_AGENT },
    readable: [NOT_FOUND],
  });
  return text;
}
