/** Changes of one symbol, one for each publish that concerns it. */

import { type LiveEvent, onLiveEvent } from './live-event.ts';

export interface SymbolChange {
  /** No earlier bar differs, in milliseconds since the epoch; −∞ if any bar may. */
  fromMs: number;
}

/** Data that changes the bars of the past, or their symbol. */
const REWRITING = ['corporate-actions', 'securities'];

/** Time after the first event of a publish by which its last one is there. */
const GATHER_MS = 1500;

/** @returns true if the event names the symbol, or names only some of its symbols. */
function concerns({ data }: LiveEvent, symbol: string): boolean {
  const { symbols, symbolCount } = data as { symbols: string[]; symbolCount: number };
  return symbols.includes(symbol) || symbolCount > symbols.length;
}

/**
 * Calls the listener after each publish that may have changed the symbol's bars or quote; in a tab
 * that is hidden, once it is shown.
 *
 * @returns a function that ends the subscription.
 */
export function onSymbolChange(
  symbol: string,
  listener: (change: SymbolChange) => void,
): () => void {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let fromMs = Number.POSITIVE_INFINITY;
  let [isConcerned, hasBars] = [false, false];

  function finish(): void {
    clearTimeout(timer);
    timer = undefined;
    hasBars = false;
    if (!isConcerned || document.hidden) return;
    const change = { fromMs };
    isConcerned = false;
    fromMs = Number.POSITIVE_INFINITY;
    listener(change);
  }

  function all(): void {
    isConcerned = true;
    fromMs = Number.NEGATIVE_INFINITY;
  }

  const unsubscribe = onLiveEvent((event) => {
    const { type, data } = event;
    timer ??= setTimeout(finish, GATHER_MS);
    if (type === 'candles.updated') hasBars = true;
    if (type === 'candles.updated' || type === 'quote.updated') {
      if (!concerns(event, symbol)) return;
      isConcerned = true;
      if (type === 'candles.updated') fromMs = Math.min(fromMs, Date.parse(String(data.from)));
      return;
    }
    const datasets = (data.datasets ?? []) as string[];
    // A key without the scope of quotes hears of no symbols.
    const isUnnamed = datasets.includes('candles') && !hasBars;
    if (type === 'stream.reset' || isUnnamed) all();
    if (datasets.some((dataset) => REWRITING.includes(dataset))) all();
    finish();
  });
  document.addEventListener('visibilitychange', finish, { signal: stop.signal });
  return () => {
    clearTimeout(timer);
    unsubscribe();
    stop.abort();
  };
}
