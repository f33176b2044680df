/** The newest backfills of the account, to look at one again or to cancel it. */

import { useState } from 'preact/hooks';
import type { Backfill, BackfillPage } from '../../../clients/typescript/operations.js';
import { html } from '../parts/html.ts';
import { FailureBox, Skeleton } from '../parts/states.ts';
import { ageText } from '../parts/times.ts';
import { getJson } from '../state/request.ts';
import { useRequest } from '../state/use-request.ts';
import { sourceName } from './vendor-form.ts';

const SHOWN = 10;

interface EarlierProps {
  onShow: (backfill: Backfill) => void;
}

/** The list is requested once it is opened: a key without the scope could not read it. */
export function Earlier({ onShow }: EarlierProps) {
  const [isOpen, open] = useState(false);
  return html`<details onToggle=${(event: Event) => open((event.target as HTMLDetailsElement).open)}>
    <summary>Earlier loads</summary>
    ${isOpen && html`<${List} onShow=${onShow} />`}
  </details>`;
}

function List({ onShow }: EarlierProps) {
  const { value, failure, retry } = useRequest('loads', 'loads', (signal) =>
    getJson<BackfillPage>('v1/svc/backfills', { limit: SHOWN }, signal),
  );
  if (failure)
    return html`<${FailureBox} failure=${failure} retry=${retry} subject="earlier loads" />`;
  if (!value) return html`<${Skeleton} label="earlier loads" />`;
  if (value.data.length === 0) return html`<p class="quiet">None in the last 30 days.</p>`;
  const rows = value.data.map((one: Backfill) => {
    const age = ageText(Date.now() - Date.parse(one.createdAt));
    return html`<li key=${one.id}><button type="button" class="plain" onClick=${() => onShow(one)}>${titleOf(one)}</button>
      <span class="quiet">${one.state}, ${age} ago</span></li>`;
  });
  return html`<ul class="earlier">${rows}</ul>`;
}

function titleOf({ symbols, file, source }: Backfill): string {
  if (file) return file.name;
  const [first, ...others] = symbols ?? [];
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return `${first ?? 'All symbols'}${more} from ${source === 'any' ? 'any vendor' : sourceName(source)}`;
}
