/** Stand-in for Tiingo: four days of any symbol, and the failures that a test needs. */

import type { ServerResponse } from 'node:http';
import { startVendorServer } from '../../ingest/support/vendor-server.ts';

export interface TiingoServer {
  env: Record<string, string>;
  /** Symbols in the order in which they were asked for. */
  asked(): string[];
  /** Times of the requests in milliseconds. */
  askedMs(): number[];
  /** Answers a symbol with these statuses, one a request, before it answers as usual. */
  fail(symbol: string, statuses: number[]): void;
  /** Holds requests for a symbol until `release`. */
  hold(symbol: string): void;
  release(symbol: string): void;
  /** Resolves when a symbol was asked for so many times. */
  untilAsked(symbol: string, times?: number): Promise<void>;
  close(): Promise<void>;
}

export const DAYS = ['2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05'];

export async function startTiingo(): Promise<TiingoServer> {
  const failures = new Map<string, number[]>();
  const held = new Map<string, ServerResponse[]>();
  const moments: { symbol: string; ms: number }[] = [];
  const waiting = new Set<{ isDone: () => boolean; resolve: () => void }>();
  const server = await startVendorServer(({ url }, response) => {
    const symbol = decodeURIComponent(url.pathname.split('/')[3]);
    moments.push({ symbol, ms: performance.timeOrigin + performance.now() });
    for (const one of waiting) if (one.isDone()) one.resolve();
    const status = failures.get(symbol)?.shift();
    if (status !== undefined) {
      response.statusCode = status;
      response.end(`{"detail":"trouble with ${symbol}"}`);
    } else if (held.has(symbol)) held.get(symbol)?.push(response);
    else answer(symbol, response);
  });
  const times = (symbol: string) => moments.filter((one) => one.symbol === symbol).length;
  return {
    env: { TAPEWORKS_TIINGO_URL: server.url, TAPEWORKS_TIINGO_KEY: 'not-a-real-key' },
    asked: () => moments.map(({ symbol }) => symbol),
    askedMs: () => moments.map(({ ms }) => ms),
    fail: (symbol, statuses) => failures.set(symbol, [...statuses]),
    hold: (symbol) => held.set(symbol, []),
    release(symbol) {
      const responses = held.get(symbol) ?? [];
      held.delete(symbol);
      for (const response of responses) answer(symbol, response);
    },
    untilAsked(symbol, wanted = 1) {
      const isDone = () => times(symbol) >= wanted;
      if (isDone()) return Promise.resolve();
      return new Promise((resolve) => waiting.add({ isDone, resolve }));
    },
    close: server.close,
  };
}

/** Rows that follow from the symbol, so that a mix-up shows. */
function answer(symbol: string, response: ServerResponse): void {
  const base = 10 + (symbol.charCodeAt(symbol.length - 1) % 50);
  const rows = DAYS.map((day, i) => {
    const close = base + i / 4;
    const prices = { open: close, high: close + 1, low: close - 1, close, volume: 1000 + i };
    return {
      date: `${day}T00:00:00.000Z`,
      ...prices,
      ...Object.fromEntries(
        Object.entries(prices).map(([name, value]) => [
          `adj${name[0].toUpperCase()}${name.slice(1)}`,
          value,
        ]),
      ),
      divCash: 0,
      splitFactor: 1,
    };
  });
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(rows));
}
