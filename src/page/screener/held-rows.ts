/** The rows of the last screen. Going back to it needs no request and keeps its place. */

import { useRef, useState } from 'preact/hooks';
import { publishes } from '../live/follow.ts';
import { session } from '../state/key.ts';
import { loadRows, type RowLoader } from './row-loader.ts';
import { type Screen, screenQuery } from './screen-address.ts';

/** Age up to which rows are shown again without a request. */
const FRESH_MS = 5 * 60_000;

export interface HeldRows {
  key: string;
  loader: RowLoader;
  /** Place of the table, in pixels. */
  top: number;
  /** Publishes that the page had heard of when the rows were requested. */
  publishes: number;
  reload: () => void;
}

let held: (HeldRows & { sinceMs: number }) | undefined;

function started(query: ReturnType<typeof screenQuery>) {
  return { loader: loadRows(query), publishes: publishes.get(), sinceMs: Date.now() };
}

export function useHeldRows(screen: Screen): HeldRows {
  const query = screenQuery(screen);
  const key = JSON.stringify([session.get().key, query]);
  const isFirst = useRef(true);
  const [, render] = useState<object>();
  const isOld = isFirst.current && held !== undefined && Date.now() - held.sinceMs > FRESH_MS;
  isFirst.current = false;
  if (!held || held.key !== key || isOld) {
    held?.loader.stop();
    const reload = () => {
      held?.loader.stop();
      if (held) held = { ...held, ...started(query) };
      render({});
    };
    held = { key, ...started(query), top: 0, reload };
  }
  return held;
}
