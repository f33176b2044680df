/** New matches of followed screens, in the header of every view. */

import { followed, type NewMatches, newMatches } from '../live/followed-screens.ts';
import { html } from '../parts/html.ts';
import { Menu } from '../parts/menu.ts';
import { countText } from '../parts/numbers.ts';
import { momentText } from '../parts/times.ts';
import { go } from '../state/address.ts';
import { useStore } from '../state/store.ts';

const SYMBOLS_SHOWN = 8;

export function NewMatchesMenu() {
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
