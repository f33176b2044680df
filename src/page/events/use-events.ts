/** The events of a symbol, by the kinds that are shown. */

import { useMemo } from 'preact/hooks';
import type { RequestFailure } from '../state/request.ts';
import { useRequest } from '../state/use-request.ts';
import { EVENT_KINDS, type EventKind, type MarketEvent } from './event.ts';
import { loadEvents } from './load-events.ts';

export interface Events {
  /** Ascending by time. */
  events: readonly MarketEvent[];
  /** Kinds that could not be loaded. */
  failures: readonly { kind: EventKind; failure: RequestFailure }[];
}

/** Kinds of which all rows come at once, whatever the first day. */
const WHOLE = new Set<EventKind>(['splits', 'dividends', 'earnings', 'ratings']);

/** @param fromYear First year of dated kinds. */
export function useEvents(symbol: string, kinds: ReadonlySet<EventKind>, fromYear: number): Events {
  const fromDay = `${fromYear}-01-01`;
  const requests = EVENT_KINDS.map((kind) => {
    const key = `${symbol} ${WHOLE.has(kind) ? '' : fromDay}`;
    return useRequest(symbol, kinds.has(kind) ? key : undefined, (signal) =>
      loadEvents(kind, symbol, fromDay, signal),
    );
  });
  return useMemo(() => {
    const shown = EVENT_KINDS.map((kind, i) => ({ kind, ...requests[i] })).filter(({ kind }) =>
      kinds.has(kind),
    );
    return {
      events: shown.flatMap(({ value = [] }) => value).sort((a, b) => a.timeMs - b.timeMs),
      failures: shown.flatMap(({ kind, failure }) => (failure ? [{ kind, failure }] : [])),
    };
  }, [kinds, ...requests.flatMap(({ value, failure }) => [value, failure])]);
}
