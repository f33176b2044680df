/** Sections about a company, below its chart: statements, analysts, insiders, facts, events. */

import type { Quote, SymbolDetails } from '../../../clients/typescript/operations.js';
import { KIND_ROWS, type MarketEvent } from '../events/event.ts';
import { EventItem } from '../events/event-card.ts';
import type { Events } from '../events/use-events.ts';
import { html } from '../parts/html.ts';
import type { Requested } from '../state/use-request.ts';
import { Analysts, Facts, Insiders } from './facts.ts';
import { Statements } from './statements.ts';

export interface CompanyProps {
  symbol: string;
  /** Returns undefined until the datasets of the symbol are known. */
  has: (dataset: string) => boolean | undefined;
  details: Requested<SymbolDetails>;
  quote: Quote | undefined;
  marked: Events;
}

export function Company({ symbol, has, details, quote, marked }: CompanyProps) {
  return html`<div class="below">
    <div>
      <${Statements} symbol=${symbol} has=${has} />
      <div class="pair">
        <${Analysts} symbol=${symbol} isCovered=${has('analyst-consensus')} quote=${quote} />
        <${Insiders} symbol=${symbol} hasTrades=${has('insider')} />
      </div>
    </div>
    <div>
      <${Facts} ...${details} />
      <${LatestEvents} ...${marked} />
    </div>
  </div>`;
}

const SHOWN = 8;

function LatestEvents({ events, failures }: Events) {
  const now = Date.now();
  const isToCome = ({ timeMs }: MarketEvent) => timeMs > now;
  const toCome = events.filter(isToCome).slice(0, 3);
  const latest = events
    .filter((event) => !isToCome(event))
    .slice(-SHOWN)
    .reverse();
  const list = (title: string, rows: readonly MarketEvent[]) =>
    rows.length > 0 &&
    html`<h3>${title}</h3><ul class="events">${rows.map(
      (event) => html`<${EventItem} key=${event.id} event=${event} />`,
    )}</ul>`;
  return html`<section class="panel" aria-labelledby="events-title">
    <header class="panel-head"><h2 id="events-title">Events</h2></header>
    ${list('To come', toCome)}
    ${list('Latest', latest)}
    ${
      failures.length > 0 &&
      html`<p class="quiet">Not loaded: ${failures.map(({ kind }) => KIND_ROWS[kind].label).join(', ')}. The menu
        Events says why.</p>`
    }
    ${events.length === 0 && failures.length === 0 && html`<p class="quiet">No events of the kinds that the chart marks.</p>`}
  </section>`;
}
