/** Search by ticker or name: `/` focuses it, arrows choose, Enter opens, Escape closes. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { SymbolPage, SymbolRow } from '../../../clients/typescript/operations.js';
import { AddButton } from '../fill/open.ts';
import { html } from '../parts/html.ts';
import { go } from '../state/address.ts';
import { isLive } from '../state/key.ts';
import { getJson, RequestFailure } from '../state/request.ts';

const HITS = 8;

interface Found {
  text: string;
  rows: readonly SymbolRow[];
  failure: RequestFailure | undefined;
}

/** Exact tickers first, then the server's order. */
function ranked(rows: readonly SymbolRow[], text: string): SymbolRow[] {
  const ticker = text.toUpperCase();
  return [...rows].sort((a, b) => Number(b.symbol === ticker) - Number(a.symbol === ticker));
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select') !== null;
}

export function SymbolSearch() {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [found, setFound] = useState<Found>();
  const [chosen, choose] = useState(0);
  const [isOpen, setOpen] = useState(false);

  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);

  const wanted = text.trim();
  useEffect(() => {
    if (wanted === '') return setFound(undefined);
    const abort = new AbortController();
    const settle = (rows: readonly SymbolRow[], failure?: RequestFailure) => {
      if (abort.signal.aborted) return;
      setFound({ text: wanted, rows, failure });
      choose(0);
    };
    getJson<SymbolPage>('v1/svc/symbols', { search: wanted, limit: HITS }, abort.signal).then(
      ({ data }) => settle(ranked(data, wanted)),
      (error) => {
        if (error instanceof RequestFailure) settle([], error);
      },
    );
    return () => abort.abort();
  }, [wanted]);

  const rows = found?.rows ?? [];
  const isShown = isOpen && wanted !== '' && found !== undefined;
  const open = (symbol: string) => {
    setText('');
    setOpen(false);
    input.current?.blur();
    go({ symbol, view: undefined });
    // Readers of screens go on where the view begins.
    document.getElementById('content')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') choose((chosen + 1) % Math.max(1, rows.length));
    else if (event.key === 'ArrowUp') choose((chosen + rows.length - 1) % Math.max(1, rows.length));
    else if (event.key === 'Enter') {
      // A quick typist presses Enter before the hits of the last letter are there.
      const hit = found?.text === wanted ? rows[chosen]?.symbol : undefined;
      if (wanted !== '') open(hit ?? wanted.toUpperCase());
    } else if (event.key === 'Escape') {
      setOpen(false);
      setText('');
      input.current?.blur();
    } else return;
    event.preventDefault();
  };
  const hits = rows.map(
    (
      row,
      i,
    ) => html`<li key=${row.symbol} id=${`hit-${i}`} role="option" aria-selected=${i === chosen}
      onMouseDown=${(event: MouseEvent) => event.preventDefault()} onClick=${() => open(row.symbol)}
      onMouseMove=${() => choose(i)}>
      <span class="hit-symbol">${row.symbol}</span>
      <span class="hit-name">${row.companyName}</span>
      <span class="hit-market">${[row.exchange, row.type].filter(Boolean).join(' · ')}</span>
    </li>`,
  );
  return html`<div class="search" role="search">
    <input ref=${input} type="text" role="combobox" aria-label="Search by ticker or name"
      aria-expanded=${isShown} aria-controls="hits" aria-autocomplete="list" autocomplete="off"
      autocapitalize="off" spellcheck=${false}
      aria-activedescendant=${isShown && rows.length > 0 ? `hit-${chosen}` : undefined}
      placeholder="Ticker or name" value=${text}
      onInput=${(event: Event) => {
        setText((event.target as HTMLInputElement).value);
        setOpen(true);
      }}
      onFocus=${() => setOpen(true)} onBlur=${() => setOpen(false)} onKeyDown=${onKeyDown} />
    <kbd aria-hidden="true">/</kbd>
    <ul id="hits" role="listbox" aria-label="Symbols" hidden=${!isShown || rows.length === 0}>${hits}</ul>
    ${
      isShown &&
      rows.length === 0 &&
      html`<div class="no-hits" role="status">
        <p>${found.failure?.message ?? `No symbol or name starts with “${found.text}”.`}</p>
        ${!found.failure && isLive() && html`<${AddButton} symbol=${wanted.toUpperCase()} label=${`Add ${wanted.toUpperCase()}`} />`}
      </div>`
    }
  </div>`;
}
