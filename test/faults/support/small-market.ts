/**
 * Stands in for EODHD: a synthetic market of a few stocks, a day a request, so that years of it are
 * thousands of small jobs.
 */

import { startVendorServer } from '../../ingest/support/vendor-server.ts';

export interface SmallMarket {
  env: Record<string, string>;
  /** Returns the number of requests for each session, by date. */
  asked(): Map<string, number>;
  close(): Promise<void>;
}

export const STOCKS = ['SYNA', 'SYNB', 'SYNC'];

/** @param host Address to listen on. */
export async function startSmallMarket(host?: string): Promise<SmallMarket> {
  const asked = new Map<string, number>();
  const server = await startVendorServer(({ url }, response) => {
    const date = String(url.searchParams.get('date'));
    response.setHeader('content-type', 'application/json');
    // No splits and no dividends.
    if (url.searchParams.has('type')) return void response.end('[]');
    asked.set(date, (asked.get(date) ?? 0) + 1);
    response.end(JSON.stringify(STOCKS.map((code, i) => barOf(code, i, date))));
  }, host);
  return {
    env: {
      TAPEWORKS_EODHD_URL: server.url,
      TAPEWORKS_EODHD_KEY: 'not-a-real-key',
      TAPEWORKS_EODHD_LIMIT: '10000/1',
    },
    asked: () => asked,
    close: server.close,
  };
}

/** Follows from stock and date, so that a mix-up shows; it moves little, as believed prices do. */
export function closeOf(stock: number, date: string): number {
  const day = Date.parse(date) / 86_400_000;
  return 20 + 10 * stock + (day % 97) / 100;
}

function barOf(code: string, stock: number, date: string) {
  const close = closeOf(stock, date);
  return { code, date, open: close, high: close + 1, low: close - 1, close, volume: 1000 + stock };
}
