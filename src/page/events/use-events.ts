/** The events of a symbol, by the kinds that are shown. */

import { useMemo } from 'preact/hooks';
import type {
  Article,
  CorporateActions,
  EarningsReport,
  InsiderTransaction,
  RatingChange,
} from '../../../clients/typescript/operations.js';
import { isoDay } from '../parts/times.ts';
import { getJson, type Query, type RequestFailure } from '../state/request.ts';
import { useRequest } from '../state/use-request.ts';
import {
  EVENT_KINDS,
  type EventKind,
  eventFromAction,
  eventFromArticle,
  eventFromInsider,
  eventFromRating,
  eventFromReport,
  type MarketEvent,
} from './event.ts';

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

const DAY_MS = 86_400_000;

/** Pages of one kind that are loaded at most, of 100 rows each. */
const PAGES_MAX = 3;

/** Days of the earnings calendar that one request may span, and requests into the past. */
const CALENDAR_DAYS = 92;
const CALENDARS_BACK = 4;

interface Page<Row> {
  data: Row[];
  cursor: string | null;
}

/** Loads pages, newest first, up to the bound. */
async function rowsOf<Row>(path: string, query: Query, signal: AbortSignal): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const next: Page<Row> = await getJson(path, { ...query, limit: 100, cursor }, signal);
    rows.push(...next.data);
    if (next.cursor === null) break;
    cursor = next.cursor;
  }
  return rows;
}

/** The calendar spans 92 days a request: the last year and the days to come. */
async function reportsOf(symbol: string, signal: AbortSignal): Promise<EarningsReport[]> {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const starts = Array.from(
    { length: CALENDARS_BACK + 1 },
    (_, i) => today + (i - CALENDARS_BACK) * (CALENDAR_DAYS + 1) * DAY_MS,
  );
  const parts = await Promise.all(
    starts.map((start) => {
      const from = isoDay(start);
      const to = isoDay(start + CALENDAR_DAYS * DAY_MS);
      const query = { symbols: symbol, from, to };
      return rowsOf<EarningsReport>('v1/svc/earnings/calendar', query, signal);
    }),
  );
  return parts.flat();
}

/** Loads splits and dividends, which the API gives in one response. */
async function loadActions(symbol: string, signal: AbortSignal): Promise<MarketEvent[]> {
  const path = `v1/svc/corporate-actions/${encodeURIComponent(symbol)}`;
  const { data } = await getJson<CorporateActions>(path, {}, signal);
  return data.map(eventFromAction);
}

/** @param fromDay First day, `2026-01-01`; the newest 300 since then are loaded. */
async function loadEvents(
  kind: Exclude<EventKind, 'splits' | 'dividends'>,
  symbol: string,
  fromDay: string,
  signal: AbortSignal,
): Promise<MarketEvent[]> {
  const name = encodeURIComponent(symbol);
  if (kind === 'earnings') return (await reportsOf(symbol, signal)).map(eventFromReport);
  if (kind === 'insiders') {
    const path = `v1/svc/insider/${name}`;
    return (await rowsOf<InsiderTransaction>(path, { from: fromDay }, signal)).map(
      eventFromInsider,
    );
  }
  if (kind === 'ratings') {
    const path = `v1/svc/upgrades-downgrades/${name}`;
    return (await rowsOf<RatingChange>(path, {}, signal)).map(eventFromRating);
  }
  const path = `v1/svc/news/${name}`;
  return (await rowsOf<Article>(path, { from: fromDay }, signal)).map(eventFromArticle);
}
