/** States what accepting held loads changes, and asks for a confirmation. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { HeldReport } from '../../base/operator/report.ts';
import { html } from '../parts/html.ts';

interface AcceptProps {
  held: readonly HeldReport[];
  /** Receives true, or the chosen symbols where loads are held by symbol. */
  onAccept: (accept: true | string[]) => void;
  onClose: () => void;
}

export function AcceptDialog({ held, onAccept, onClose }: AcceptProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const [{ mode, source }] = held;
  const [chosen, choose] = useState<readonly string[]>([]);
  const isBySymbol = held.every(({ symbols }) => symbols.length > 0);
  const toggle = (symbol: string) =>
    choose(chosen.includes(symbol) ? chosen.filter((one) => one !== symbol) : [...chosen, symbol]);
  const loads = held.length === 1 ? 'this load' : `these ${held.length} loads`;
  return html`<dialog ref=${dialog} class="dialog" aria-labelledby="accept-title" onClose=${onClose}
      onClick=${(event: MouseEvent) => event.target === dialog.current && onClose()}>
    <header class="dialog-head"><h2 id="accept-title">Accept ${loads} of ${source}?</h2>
      <button type="button" class="plain" aria-label="Close" onClick=${onClose}>×</button></header>
    <ul class="held">${held.map(
      ({ id, origin, reason, symbols }) =>
        html`<li key=${id}><p><code>${origin}</code></p>${
          isBySymbol
            ? symbols.map(
                (one) => html`<label class="held-symbol" key=${one.symbol}><input type="checkbox"
                  checked=${chosen.includes(one.symbol)} onChange=${() => toggle(one.symbol)} />
                  <span><b>${one.symbol}</b> ${one.reason}</span></label>`,
              )
            : html`<p>${reason.replace(`${origin}: `, '')}</p>`
        }</li>`,
    )}</ul>
    <p>Tapeworks loads ${isBySymbol ? 'the chosen symbols' : held.length === 1 ? 'it' : 'them'} without sanity checks and publishes a new version of the ${mode} data. Clients read it at once. Rows that break a rule stay refused.</p>
    <p class="quiet">To undo it later: <code>npx tapeworks segments drop</code>${' '}
      with the number that <code>segments list</code> shows.</p>
    <div class="row">
      <button type="button" class="main" disabled=${isBySymbol && chosen.length === 0}
        onClick=${() => onAccept(isBySymbol ? [...chosen] : true)}>Accept and load</button>
      <button type="button" onClick=${onClose}>Cancel</button>
    </div>
  </dialog>`;
}
