/** Chooses which kinds of events the chart marks. */

import { html } from '../parts/html.ts';
import { Menu } from '../parts/menu.ts';
import { EVENT_KINDS, type EventKind, KIND_ROWS } from './event.ts';
import type { Events } from './use-events.ts';

interface MenuProps {
  kinds: ReadonlySet<EventKind>;
  failures: Events['failures'];
  onChange: (kinds: ReadonlySet<EventKind>) => void;
}

/** Reads the address's value: kinds with commas; absent means the usual ones. */
export function kindsFromText(text: string | undefined): ReadonlySet<EventKind> {
  if (text === undefined)
    return new Set(['splits', 'dividends', 'earnings', 'insiders', 'ratings']);
  const listed = text.split(',');
  return new Set(EVENT_KINDS.filter((kind) => listed.includes(kind)));
}

export function EventsMenu({ kinds, failures, onChange }: MenuProps) {
  const toggle = (kind: EventKind) => {
    const next = new Set(kinds);
    if (!next.delete(kind)) next.add(kind);
    onChange(next);
  };
  const rows = EVENT_KINDS.map((kind) => {
    const { label, letter } = KIND_ROWS[kind];
    const failure = failures.find((one) => one.kind === kind)?.failure;
    return html`<label key=${kind} class="check">
      <input type="checkbox" checked=${kinds.has(kind)} onChange=${() => toggle(kind)} />
      <span class=${`badge ${kind}`} aria-hidden="true">${letter}</span>
      <span>${label}${failure && html`<span class="check-note">${failure.message}</span>`}</span>
    </label>`;
  });
  return html`<${Menu} label="Events" hasProblem=${failures.length > 0}>${rows}<//>`;
}
