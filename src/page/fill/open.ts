/** Opens the dialog that adds symbols, and remembers that data has changed since. */

import { useEffect, useRef } from 'preact/hooks';
import { html } from '../parts/html.ts';
import { isLive } from '../state/key.ts';
import { createStore } from '../state/store.ts';

/** Symbol to load; undefined while the dialog is closed. */
export const wanted = createStore<Wanted | undefined>(undefined);

export interface Wanted {
  /** Empty for one that the person names. */
  symbol: string;
  /** Source to begin with; default the best configured vendor of bars. */
  source?: string;
}

interface AddProps extends Wanted {
  label: string;
  isMain?: boolean;
  /** Takes the focus unless it is in a field. */
  isFocused?: boolean;
}

export function AddButton({ label, isMain, isFocused, ...wish }: AddProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const isTyping = document.activeElement?.matches('input, select, textarea') ?? false;
    if (isFocused && !isTyping) button.current?.focus();
  }, [isFocused]);
  return html`<button type="button" ref=${button} class=${isMain ? 'main' : ''} aria-haspopup="dialog"
    onMouseDown=${(event: MouseEvent) => event.preventDefault()}
    onClick=${() => wanted.set(wish)}>${label}</button>`;
}

export const LIVE_KEY_COMMAND =
  'npx tapeworks keys create --mode live --label me --scopes all,ingest:write';

/** Says how a tab of the sandbox gets to real data. */
export function LiveSteps() {
  return html`<div class="live-steps">
    <p>This tab shows the sandbox. Real data is in live mode:</p>
    <ol>
      <li>Open the link after <b>live</b> in the terminal of <code>npm start</code>.</li>
      <li>Is it gone? Print another: <code>npm start -- --new-key</code></li>
    </ol>
  </div>`;
}

interface MissingProps {
  symbol: string;
  reason: string;
  /** False for what no source could give, such as an index. */
  canLoad: boolean;
}

/** A view without the symbol that the address names. */
export function MissingSymbol({ symbol, reason, canLoad }: MissingProps) {
  const wayOn = isLive()
    ? html`<p><${AddButton} symbol=${symbol} label=${`Add ${symbol}`} isMain isFocused /></p>`
    : html`<p>All companies of the sandbox are invented.</p><${LiveSteps} />`;
  return html`<div class="state" role="alert">
    <h1 class="state-title">No symbol ${symbol}</h1>
    <p>${reason[0].toUpperCase()}${reason.slice(1)}.</p>
    ${canLoad ? wayOn : html`<p>Search for a stock or a fund that trades in the US.</p>`}
  </div>`;
}
