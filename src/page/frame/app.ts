/** The frame around all views: brand, views, search, mode, and the footer. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { FillHost } from '../fill/host.ts';
import { follow } from '../live/follow.ts';
import { followed, type NewMatches, newMatches } from '../live/followed-screens.ts';
import { Freshness } from '../live/freshness.ts';
import { html } from '../parts/html.ts';
import { Menu } from '../parts/menu.ts';
import { countText } from '../parts/numbers.ts';
import { momentText } from '../parts/times.ts';
import { SymbolSearch } from '../search/symbol-search.ts';
import { address, go } from '../state/address.ts';
import { declineOffer, modeOfKey, type Session, session, signIn, signOut } from '../state/key.ts';
import { useStore } from '../state/store.ts';
import { VIEWS, type View } from '../views/views.ts';

/** The form for a key, while the tab has none. */
function SignIn({ notice }: { notice: string | undefined }) {
  const [text, setText] = useState('');
  const [refusal, refuse] = useState<string>();
  const submit = (event: Event) => {
    event.preventDefault();
    const key = text.trim();
    if (modeOfKey(key)) signIn(key);
    else refuse('A key starts with svc_live_ or svc_test_.');
  };
  return html`<main id="content" class="sign-in" tabIndex=${-1}>
    <h1>Sign in with an API key</h1>
    ${notice && html`<p class="notice" role="alert">${notice}</p>`}
    <form onSubmit=${submit}>
      <label for="key">API key</label>
      <div class="row">
        <input id="key" type="password" autocomplete="off" spellcheck=${false} value=${text}
          aria-invalid=${refusal !== undefined} aria-describedby=${refusal ? 'key-refusal' : undefined}
          placeholder="svc_…" onInput=${(event: Event) => setText((event.target as HTMLInputElement).value)} />
        <button type="submit" class="main">Sign in</button>
      </div>
      ${refusal && html`<p id="key-refusal" class="refusal" role="alert">${refusal}</p>`}
    </form>
    <p class="quiet">The key stays in this tab and ends with it. It is sent to this server only.</p>
    <h2>Where keys come from</h2>
    <dl>
      <dt>Sandbox, synthetic companies</dt>
      <dd><code>npm start -- --new-key</code> prints a key and a link that signs you in.</dd>
      <dt>Live, your own data</dt>
      <dd><code>npm start -- --new-key</code> prints a link for live data, too; or make a key with
        <code>npx tapeworks keys create --mode live --label me --scopes all,ingest:write</code></dd>
    </dl>
    <p class="quiet"><a href="?view=operations">Operations</a> needs the operator's token instead of a key.</p>
  </main>`;
}

const SYMBOLS_SHOWN = 8;

/** New matches of followed screens, in the header of every view. */
function NewMatchesMenu() {
  const matches = useStore(newMatches);
  const isFollowing = useStore(followed).length > 0;
  if (!isFollowing && matches.length === 0) return null;
  const [newest] = matches;
  return html`<div class="new-matches">
    <span class="unseen" role="status">${newest && `New matches of ${newest.name}: ${symbolsText(newest)}`}</span>
    <${Menu} label=${matches.length > 0 ? `Matches (${matches.length})` : 'Matches'}>
      ${matches.length === 0 && html`<p class="quiet">No new matches of the screens that you follow.</p>`}
      <ul>${matches.map((one) => html`<${Item} key=${`${one.id} ${one.atMs}`} match=${one} />`)}</ul>
      ${matches.length > 0 && html`<p><button type="button" onClick=${() => newMatches.set([])}>Clear</button></p>`}
    <//></div>`;
}

function symbolsText({ symbols, symbolCount }: NewMatches): string {
  const shown = symbols.slice(0, SYMBOLS_SHOWN);
  const more = symbolCount - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${countText(more)} more` : ''}`;
}

function Item({ match }: { match: NewMatches }) {
  const { columns, ...screen } = Object.fromEntries(new URLSearchParams(match.query));
  return html`<li>
    <button type="button" class="plain" onClick=${() => go({ view: 'screener', ...screen }, true)}>${match.name}</button>
    <p>${symbolsText(match)}</p>
    <p class="quiet">${momentText(match.atMs)}</p>
  </li>`;
}

/** Characters of a key that name it and let nobody in. */
const PREFIX_CHARS = 'svc_test_xyz'.length;

function nameOf(key: string): string {
  return `${key.slice(0, PREFIX_CHARS)}… (${modeOfKey(key) === 'live' ? 'live data' : 'sandbox, synthetic data'})`;
}

/** Asks before the key of a link replaces the one that the tab is signed in with. */
function KeyOffer({ session: { key, offered } }: { session: Session }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (offered) dialog.current?.showModal();
  }, [offered]);
  if (!key || !offered) return null;
  return html`<dialog ref=${dialog} class="dialog" aria-labelledby="offer-title" onClose=${declineOffer}>
    <h2 id="offer-title">Use the key of the link?</h2>
    <p>This tab is signed in with <code>${nameOf(key)}</code>.</p>
    <p>The link has another key: <code>${nameOf(offered)}</code>. It would replace the first one in this tab.</p>
    <p class="row">
      <button type="button" class="main" onClick=${declineOffer}>Stay signed in</button>
      <button type="button" onClick=${() => signIn(offered)}>Use the other key</button>
    </p>
  </dialog>`;
}

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
