/** The frame around all views: brand, views, search, mode, and the footer. */

import { useEffect } from 'preact/hooks';
import { FillHost } from '../fill/host.ts';
import { follow } from '../live/follow.ts';
import { Freshness } from '../live/freshness.ts';
import { html } from '../parts/html.ts';
import { SymbolSearch } from '../search/symbol-search.ts';
import { address, go } from '../state/address.ts';
import { modeOfKey, session, signOut } from '../state/key.ts';
import { useStore } from '../state/store.ts';
import { VIEWS, type View } from '../views/views.ts';
import { KeyOffer } from './key-offer.ts';
import { NewMatchesMenu } from './new-matches.ts';
import { SignIn } from './sign-in.ts';

function viewOf(query: string): View {
  const name = new URLSearchParams(query).get('view') ?? undefined;
  return VIEWS.find((view) => view.name === name) ?? VIEWS[0];
}

function titleOf(query: string, view: View): string {
  const symbol = new URLSearchParams(query).get('symbol');
  return view === VIEWS[0] && symbol ? `${symbol} · Tapeworks` : `${view.title} · Tapeworks`;
}

/** Shows always which data the tab reads, since invented prices look like real ones. */
function ModeBadge({ mode }: { mode: string | undefined }) {
  if (mode === 'live')
    return html`<span class="mode live" title="Data of your sources">Live</span>`;
  return html`<span class="mode sandbox" title="Invented companies; not a real market">
    <span class="mode-name">Sandbox · </span>synthetic</span>`;
}

function Views({ current }: { current: View }) {
  const links = VIEWS.map((view) => {
    const query = view.name === undefined ? './' : `?view=${view.name}`;
    const open = (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      go({ view: view.name }, true);
    };
    return html`<a key=${view.title} href=${query} onClick=${open}
      aria-current=${view === current ? 'page' : undefined}>${view.title}</a>`;
  });
  return html`<nav aria-label="Views">${links}<a href="docs">API</a></nav>`;
}

export function App() {
  const query = useStore(address);
  const current = useStore(session);
  const { key, notice } = current;
  const view = viewOf(query);
  useEffect(() => {
    document.title = titleOf(query, view);
  }, [query, view]);
  useEffect(() => (key === undefined ? undefined : follow(key)), [key]);
  const home = (event: MouseEvent) => {
    event.preventDefault();
    go({}, true);
  };
  const brand = html`<a class="brand" href="./" onClick=${home}>Tapeworks</a>`;
  return html`
    <a class="skip" href="#content">Skip to the content</a>
    <header class="top">
      ${brand}
      ${(key !== undefined || view.needsNoKey) && html`<${Views} current=${view} />`}
      ${
        key !== undefined &&
        html`<${SymbolSearch} /><${NewMatchesMenu} /><${Freshness} mode=${modeOfKey(key)} />
          <div class="account"><${ModeBadge} mode=${modeOfKey(key)} />
            <button type="button" class="plain" onClick=${() => signOut()}>Sign out</button></div>`
      }
    </header>
    ${
      key === undefined && !view.needsNoKey
        ? html`<${SignIn} notice=${notice} />`
        : html`<main id="content" tabIndex=${-1} key=${key}><${view.component} /></main><${FillHost} />`
    }
    <${KeyOffer} session=${current} />
    <footer class="foot">
      <p>Charts by <a href="https://www.tradingview.com/" rel="noreferrer">TradingView</a>${' '}
        Lightweight Charts™</p>
      <p><a href="docs">API reference</a></p>
    </footer>`;
}
