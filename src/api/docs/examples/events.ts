/** Examples of the events that webhooks are sent, by type; each is the `data` of a body. */

import type { EventType } from '../../../store/sqlite/webhooks/event-record.ts';
import { ARTICLE, REPORT, STATEMENT, TARGET, TRANSACTION } from './companies.ts';
import { SCREENER_ROW } from './directory.ts';
import { QUOTE } from './prices.ts';

const named = { symbolCount: 1, symbols: ['QXAA'] };

const DATA: Readonly<Record<EventType, unknown>> = {
  'quote.updated': { ...named, quotes: [QUOTE] },
  'candles.updated': {
    interval: '1d',
    source: 'sandbox',
    from: '2026-11-17T00:00:00.000Z',
    ...named,
  },
  'news.published': { dataset: 'news', row: ARTICLE },
  'insider.transaction_created': { dataset: 'insider', symbol: 'QXAA', row: TRANSACTION },
  'fundamentals.statement_created': { dataset: 'statements', symbol: 'QXAA', row: STATEMENT },
  'earnings.updated': { dataset: 'earnings-calendar', symbol: REPORT.symbol, row: REPORT },
  'analyst.rating_changed': { dataset: 'analyst-targets', symbol: 'QXAA', row: TARGET },
  'screener.matched': {
    screener: 'sector=technology&price_min=100',
    total: 12,
    symbolCount: 1,
    symbols: [SCREENER_ROW.symbol],
    rows: [SCREENER_ROW],
  },
  'data.ready': { mode: 'sandbox', version: 7, datasets: ['candles', 'news'] },
  'ingest.failed': {
    source: 'yahoo',
    dataset: null,
    failures: 2,
    kind: 'unavailable',
    reason: 'Yahoo is not available: status 500',
  },
  'webhook.test': {
    webhookId: 'wh_5f0c6a1b2c3d4e5f60718293a4b5c6',
    message: 'Asked for by POST /svc/webhooks/{id}/test',
  },
};

/** The body of an event. */
export function eventExample(type: EventType) {
  return {
    id: 'evt_0b6e3a9d41c7f28e5d90a4b1c6372f18',
    type,
    timestamp: '2026-11-18T12:31:00.000Z',
    data: DATA[type],
  };
}
