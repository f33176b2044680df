/** States what accepting held loads changes, and asks for a confirmation. */

import { useEffect, useRef } from 'preact/hooks';
import type { HeldReport } from '../../base/operator/report.ts';
import { html } from '../parts/html.ts';

interface AcceptProps {
  held: readonly HeldReport[];
  onAccept: () => void;
  onClose: () => void;
}

export function AcceptDialog({ held, onAccept, onClose }: AcceptProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const [{ mode, source }] = held;
  const loads = held.length === 1 ? 'this load' : `these ${held.length} loads`;
  return html`<dialog ref=${dialog} class="dialog" aria-labelledby="accept-title" onClose=${onClose}
      onClick=${(event: MouseEvent) => event.target === dialog.current && onClose()}>
    <header class="dialog-head"><h2 id="accept-title">Accept ${loads} of ${source}?</h2>
      <button type="button" class="plain" aria-label="Close" onClick=${onClose}>×</button></header>
    <ul class="held">${held.map(
      ({ id, origin, reason }) =>
        html`<li key=${id}><p><code>${origin}</code></p><p>${reason.replace(`${origin}: `, '')}</p></li>`,
    )}</ul>
    <p>Tapeworks loads ${loads} without sanity checks and publishes a new version of the ${mode} data. Clients read it at once. Rows that break a rule stay refused.</p>
    <p class="quiet">To undo it later: <code>npx tapeworks segments drop</code>${' '}
      with the number that <code>segments list</code> shows.</p>
    <div class="row">
      <button type="button" class="main" onClick=${onAccept}>Accept and load</button>
      <button type="button" onClick=${onClose}>Cancel</button>
    </div>
  </dialog>`;
}
