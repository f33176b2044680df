/** The page without a symbol: what the server has, and symbols to begin with. */

import { useEffect } from 'preact/hooks';
import type {
  ScreenerPage,
  SymbolPage,
  SymbolRow,
} from '../../../clients/typescript/operations.js';
import { AddButton } from '../fill/open.ts';
import { publishes } from '../live/follow.ts';
import { useDataState } from '../live/freshness.ts';
import { html } from '../parts/html.ts';
import { compactText, dollarsText, percentText, priceText } from '../parts/numbers.ts';
import { FailureBox, Skeleton, StateBox } from '../parts/states.ts';
import { changedQuery, go } from '../state/address.ts';
import { modeOfKey, session } from '../state/key.ts';
import { type DataState, getJson } from '../state/request.ts';
import { useStore } from '../state/store.ts';
import { useRequest } from '../state/use-request.ts';

const ROWS = 12;

/** Notices about the data as a whole. */
const STATE_TEXTS: Readonly<Partial<Record<DataState['modes']['live'], string>>> = {
  stale:
    'The newest bar is older than the last two sessions. npm start updates data in the evening ' +
    'if it has the key of a vendor; npx tapeworks jobs list shows what failed.',
  damaged: 'Some published data can’t be read. npx tapeworks doctor says which.',
};

interface FirstSymbols {
  /** The largest companies; where no market cap is known, the most traded symbols. */
  quoted: ScreenerPage;
  /** Symbols for the rest of the table, such as companies that have statements and no prices yet. */
  unquoted: readonly SymbolRow[];
}

async function firstSymbols(signal: AbortSignal): Promise<FirstSymbols> {
  const query = { limit: ROWS };
  const largest = await getJson<ScreenerPage>('v1/svc/screener', query, signal);
  const isKnown = areLargest(largest);
  const quoted = isKnown
    ? largest
    : await getJson<ScreenerPage>('v1/svc/screener', { ...query, sort: 'volume' }, signal);
  if (quoted.data.length === ROWS) return { quoted, unquoted: [] };
  const shown = new Set(quoted.data.map(({ symbol }) => symbol));
  // A key may read companies and no symbols.
  const listed = await getJson<SymbolPage>('v1/svc/symbols', query, signal).catch(() => undefined);
  const unquoted = listed?.data.filter(({ symbol }) => !shown.has(symbol)) ?? [];
  return { quoted, unquoted: unquoted.slice(0, ROWS - quoted.data.length) };
}

function areLargest({ data }: ScreenerPage): boolean {
  return data.some(({ marketCap }) => marketCap !== null);
}

function leadOf({ quoted, unquoted }: FirstSymbols): string {
  const some = areLargest(quoted) ? 'largest companies' : 'most traded symbols';
  if (unquoted.length === 0) return `begin with one of the ${some}`;
  return quoted.data.length === 0
    ? 'begin with one of these, which have no prices yet'
    : 'begin with one of these';
}

export function Start() {
  const { key = '' } = useStore(session);
  const mode = modeOfKey(key);
  const first = useRequest(key, key, firstSymbols);
  const data = useDataState();
  const state = mode && data?.modes[mode];
  const { value, failure, retry, refresh } = first;
  const isEmpty = value && value.quoted.data.length + value.unquoted.length === 0;
  const count = useStore(publishes);
  useEffect(() => {
    // No row moves under a pointer.
    if (count > 0 && !document.querySelector('.start table:hover')) refresh();
  }, [count]);
  return html`<div class="view start">
    <div class="start-head">
      <h1>${mode === 'live' ? 'Your market data' : 'A market to try things with'}</h1>
      ${!isEmpty && html`<${AddButton} symbol="" label="Add a symbol" />`}
    </div>
    <p class="quiet lead">${
      isEmpty
        ? 'Nothing is loaded yet.'
        : mode === 'live'
          ? `Search for a ticker or a name${value ? `, or ${leadOf(value)}` : ''}.`
          : 'The sandbox has invented companies: all prices, statements and news in it are synthetic. Search for a ticker or a name, or begin with one of the largest.'
    }</p>
    ${state && STATE_TEXTS[state] && html`<p class="notice" role="status">${STATE_TEXTS[state]}</p>`}
    ${failure && html`<${FailureBox} failure=${failure} retry=${retry} subject="the list of symbols" />`}
    ${!value && !failure && html`<${Skeleton} label="the first symbols" lines=${ROWS} />`}
    ${value && (isEmpty ? html`<${Empty} mode=${mode} />` : html`<${Symbols} first=${value} />`)}
  </div>`;
}

function Empty({ mode }: { mode: string | undefined }) {
  if (mode !== 'live') {
    return html`<${StateBox} title="The sandbox is being filled">
      <p><code>npm start</code> fills it in some seconds. <button type="button"
        onClick=${() => location.reload()}>Look again</button></p>
    <//>`;
  }
  return html`<${StateBox} title="No live data yet">
    <p>Load a symbol from a vendor, or from a file of yours.</p>
    <p><${AddButton} symbol="" label="Add a symbol" isMain /></p>
  <//>`;
}

function Symbols({ first }: { first: FirstSymbols }) {
  const { quoted, unquoted } = first;
  const nothing = { price: null, changePct: null, marketCap: null, volume: null, sector: null };
  const all = [...quoted.data, ...unquoted.map((row) => ({ ...row, ...nothing }))];
  const rows = all.map((row) => {
    const query = changedQuery({ symbol: row.symbol }, true);
    const open = (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      go({ symbol: row.symbol }, true);
    };
    const tone = (row.changePct ?? 0) > 0 ? 'up' : (row.changePct ?? 0) < 0 ? 'down' : '';
    return html`<tr key=${row.symbol}>
      <th scope="row"><a href=${`?${query}`} onClick=${open}>${row.symbol}</a></th>
      <td class="text name">${row.companyName}</td>
      <td>${priceText(row.price)}</td>
      <td class=${tone}>${percentText(row.changePct, true)}</td>
      <td class="wide">${dollarsText(row.marketCap)}</td>
      <td class="wide">${compactText(row.volume)}</td>
      <td class="text wide">${row.sector}</td>
    </tr>`;
  });
  const { total } = quoted;
  const caption =
    unquoted.length > 0
      ? 'The first symbols'
      : areLargest(quoted)
        ? 'The largest companies by market cap'
        : 'The most traded symbols by volume';
  return html`<div class="table-box"><table class="data">
    <caption class="unseen">${caption}</caption>
    <thead><tr>
      <th scope="col" class="text">Symbol</th><th scope="col" class="text">Name</th>
      <th scope="col">Price, USD</th><th scope="col">Change</th><th scope="col" class="wide">Market cap</th>
      <th scope="col" class="wide">Volume</th><th scope="col" class="text wide">Sector</th>
    </tr></thead>
    <tbody>${rows}</tbody>
  </table></div>
  <p class="quiet">${total === 1 ? '1 symbol has a quote.' : `${total.toLocaleString('en-US')} symbols have a quote.`}</p>`;
}
