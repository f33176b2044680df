/** The events of a symbol, by the kinds that are shown. */

import { useMemo } from 'preact/hooks';
import type { RequestFailure } from '../state/request.ts';
import { useRequest } from '../state/use-request.ts';
import { EVENT_KINDS, type EventKind, type MarketEvent } from './event.ts';
import { loadActions, loadEvents } from './load-events.ts';

export interface Events {
  /** Ascending by time. */
  events: readonly MarketEvent[];
  /** Kinds that could not be loaded. */
  failures: readonly { kind: EventKind; failure: RequestFailure }[];
}

/** Datasets that a symbol may lack, by the kinds that come from them. */
const DATASETS: Readonly<Partial<Record<EventKind, string>>> = {
  insiders: 'insider',
  ratings: 'upgrades-downgrades',
  news: 'news',
};

/** Kinds of which all rows come at once, whatever the first day. */
const WHOLE = new Set<EventKind>(['earnings', 'ratings']);

/**
 * @param fromYear First year of dated kinds.
 * @param has Returns true if the symbol is known and has the dataset.
 */
export function useEvents(
  symbol: string,
  kinds: ReadonlySet<EventKind>,
  fromYear: number,
  has: (dataset: string | undefined) => boolean | undefined,
): Events {
  const fromDay = `${fromYear}-01-01`;
  const hasActions = has(undefined) && (kinds.has('splits') || kinds.has('dividends'));
  const actions = useRequest(symbol, hasActions ? symbol : undefined, (signal) =>
    loadActions(symbol, signal),
  );
  const requests = EVENT_KINDS.map((kind) => {
    if (kind === 'splits' || kind === 'dividends') return actions;
    const key = `${symbol} ${WHOLE.has(kind) ? '' : fromDay}`;
    const isRequested = kinds.has(kind) && has(DATASETS[kind]);
    return useRequest(symbol, isRequested ? key : undefined, (signal) =>
      loadEvents(kind, symbol, fromDay, signal),
    );
  });
  return useMemo(() => {
    const shown = EVENT_KINDS.map((kind, i) => ({ kind, ...requests[i] })).filter(({ kind }) =>
      kinds.has(kind),
    );
    return {
      // Splits and dividends share a request.
      events: shown
        .flatMap(({ kind, value = [] }) => value.filter((event) => event.kind === kind))
        .sort((a, b) => a.timeMs - b.timeMs),
      failures: shown.flatMap(({ kind, failure }) => (failure ? [{ kind, failure }] : [])),
    };
  }, [kinds, ...requests.flatMap(({ value, failure }) => [value, failure])]);
}
