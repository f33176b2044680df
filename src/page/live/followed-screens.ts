/** Saved screens that the page follows, for all tabs of a key, and their new matches. */

import { createStore } from '../state/store.ts';
import { type LiveEvent, onLiveEvent } from './live-event.ts';

/** Number of screens that one stream takes. */
export const FOLLOWED_MAX = 10;

/** New matches that are kept. */
const KEPT_MAX = 20;

/** Ids of saved screens. */
export const followed = createStore<readonly string[]>([]);

/** Symbols that began to match a saved screen with one publish. */
export interface NewMatches {
  id: string;
  name: string;
  /** Filters and condition of the screen, as a query. */
  query: string;
  symbols: readonly string[];
  /** Number of the new ones; `symbols` has the first of them. */
  symbolCount: number;
  atMs: number;
}

/** Newest first. */
export const newMatches = createStore<readonly NewMatches[]>([]);

let keep: (ids: readonly string[]) => void = () => {};

/**
 * Reads what the tabs of a key follow, and keeps it.
 *
 * @param name Name of the key, or empty where tabs can't share: then the tab has its own list.
 */
export function openFollowed(name: string, signal: AbortSignal): void {
  const item = `${name || 'tapeworks-live'} screens`;
  const storage = name === '' ? sessionStorage : localStorage;
  const read = () => {
    const ids = storage.getItem(item)?.split(',').filter(Boolean) ?? [];
    if (ids.join() !== followed.get().join()) followed.set(ids);
  };
  keep = (ids) => {
    if (ids.length > 0) storage.setItem(item, ids.join());
    else storage.removeItem(item);
  };
  newMatches.set([]);
  read();
  addEventListener('storage', read, { signal });
}

export function setFollowed(ids: readonly string[]): void {
  keep(ids);
  followed.set(ids);
}

onLiveEvent(({ type, data, timestamp }: LiveEvent) => {
  if (type !== 'screener.matched') return;
  const { screen, screener, symbols, symbolCount } = data as {
    screen?: { id: string; name: string };
    screener: string;
    symbols: string[];
    symbolCount: number;
  };
  const atMs = Date.parse(timestamp ?? '');
  const one = { id: screen?.id ?? '', name: screen?.name ?? screener, query: screener };
  const all = [{ ...one, symbols, symbolCount, atMs }, ...newMatches.get()];
  newMatches.set(all.slice(0, KEPT_MAX));
});
