/** The newest events and those to come, as a list. */

import { KIND_ROWS, type MarketEvent } from '../events/event.ts';
import { EventItem } from '../events/event-card.ts';
import type { Events } from '../events/use-events.ts';
import { html } from '../parts/html.ts';

const SHOWN = 8;

export function LatestEvents({ events, failures }: Events) {
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
