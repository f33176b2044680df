/** More about the events of a mark, over the chart. */

import { Card } from '../parts/card.ts';
import { html } from '../parts/html.ts';
import { KIND_ROWS, type MarketEvent } from './event.ts';

const SHOWN_MAX = 30;

/** One event with its facts. */
export function EventItem({ event }: { event: MarketEvent }) {
  const { kind, title, lines, url, tone = '' } = event;
  const link = url
    ? html`<a href=${url} target="_blank" rel="noopener noreferrer">${title}</a>`
    : title;
  return html`<li class="event">
    <span class=${`badge ${kind} ${tone}`} aria-hidden="true">${KIND_ROWS[kind].letter}</span>
    <div>
      <p class="event-title"><span class="unseen">${KIND_ROWS[kind].one}: </span>${link}</p>
      ${lines.map((line) => html`<p class="quiet" key=${line}>${line}</p>`)}
    </div>
  </li>`;
}

interface CardProps {
  events: readonly MarketEvent[];
  /** Pixels from the left edge of the chart. */
  left: number;
  onClose: () => void;
}

export function EventCard({ events, left, onClose }: CardProps) {
  // The newest first, as in all lists.
  const shown = events.toReversed().slice(0, SHOWN_MAX);
  const rest = events.length - shown.length;
  return html`<${Card} label="Events" left=${left} onClose=${onClose}>
    <ul class="events">${shown.map((event) => html`<${EventItem} key=${event.id} event=${event} />`)}</ul>
    ${rest > 0 && html`<p class="quiet">and ${rest} older ones; zoom in to see them apart.</p>`}
  <//>`;
}
