/** The page without a symbol: what the server has, and symbols to begin with. */

import { useEffect } from 'preact/hooks';
import type { ScreenerPage } from '../../../clients/typescript/operations.js';
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
    'The newest bar is older than the last two sessions. npm start updates the data in the ' +
    'evening; npx tapeworks jobs list shows what failed.',
  damaged: 'Some published data can’t be read. npx tapeworks doctor says which.',
};

/** Loads the largest companies; where no market cap is known, the most traded symbols. */
async function firstSymbols(signal: AbortSignal): Promise<ScreenerPage> {
  const query = { limit: ROWS };
  const largest = await getJson<ScreenerPage>('v1/svc/screener', query, signal);
  if (largest.data[0]?.marketCap !== null) return largest;
  return getJson<ScreenerPage>('v1/svc/screener', { ...query, sort: 'volume' }, signal);
}

function areLargest({ data }: ScreenerPage): boolean {
  return data.some(({ marketCap }) => marketCap !== null);
}

export function Start() {
  const { key = '' } = useStore(session);
  const mode = modeOfKey(key);
  const first = useRequest(key, key, firstSymbols);
  const data = useDataState();
  const state = mode && data?.modes[mode];
  const { value, failure, retry, refresh } = first;
  const isEmpty = value?.data.length === 0;
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
          ? `Search for a ticker or a name, or begin with one of the ${value && !areLargest(value) ? 'most traded symbols' : 'largest companies'}.`
          : 'The sandbox has invented companies: all prices, statements and news in it are synthetic. Search for a ticker or a name, or begin with one of the largest.'
    }</p>
    ${state && STATE_TEXTS[state] && html`<p class="notice" role="status">${STATE_TEXTS[state]}</p>`}
    ${failure && html`<${FailureBox} failure=${failure} retry=${retry} subject="the list of symbols" />`}
    ${!value && !failure && html`<${Skeleton} label="the first symbols" lines=${ROWS} />`}
    ${value && (value.data.length > 0 ? html`<${Symbols} page=${value} />` : html`<${Empty} mode=${mode} />`)}
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

function Symbols({ page }: { page: ScreenerPage }) {
  const rows = page.data.map((row) => {
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
  return html`<div class="table-box"><table class="data">
    <caption class="unseen">${areLargest(page) ? 'The largest companies by market cap' : 'The most traded symbols by volume'}</caption>
    <thead><tr>
      <th scope="col" class="text">Symbol</th><th scope="col" class="text">Name</th>
      <th scope="col">Price, USD</th><th scope="col">Change</th><th scope="col" class="wide">Market cap</th>
      <th scope="col" class="wide">Volume</th><th scope="col" class="text wide">Sector</th>
    </tr></thead>
    <tbody>${rows}</tbody>
  </table></div>
  <p class="quiet">${page.total.toLocaleString('en-US')} symbols have a quote.</p>`;
}
