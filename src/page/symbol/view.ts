/** The view of one symbol: quote, chart and company. */

import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type {
  Indicators,
  QuoteBatch,
  SymbolDetails,
} from '../../../clients/typescript/operations.js';
import { ZIGZAG } from '../chart/zigzag.ts';
import { EventsMenu, kindsFromText } from '../events/events-menu.ts';
import { Marks } from '../events/marks.ts';
import { useEvents } from '../events/use-events.ts';
import { AddButton, MissingSymbol } from '../fill/open.ts';
import { onSymbolChange } from '../live/symbol-changes.ts';
import { html } from '../parts/html.ts';
import { lazy } from '../parts/lazy.ts';
import { countText } from '../parts/numbers.ts';
import { FailureBox, Skeleton, StateBox } from '../parts/states.ts';
import { address, amend, go } from '../state/address.ts';
import { getJson } from '../state/request.ts';
import { useStore } from '../state/store.ts';
import { useRequest } from '../state/use-request.ts';
import { type ChartAddress, chartFromAddress } from './chart-address.ts';
import { ChartPanel, type ChartPlaces } from './chart-panel.ts';
import { legendEntries } from './plots.ts';
import { QuoteHeader } from './quote-header.ts';
import { rangeForInterval } from './ranges.ts';
import { Start } from './start.ts';
import { intervalTitle, Toolbar } from './toolbar.ts';
import { BARS_MAX, type Bars, useBars } from './use-bars.ts';

const Company = lazy(
  'the company',
  () => import('../company/company.ts').then(({ Company }) => Company),
  { box: 'below', lines: 8 },
);

const BarsTable = lazy(
  'the table',
  () => import('./bars-table.ts').then(({ BarsTable }) => BarsTable),
  { box: 'table-box', lines: 12 },
);

const IndicatorDialog = lazy(
  'the indicators',
  () => import('./indicator-dialog.ts').then(({ IndicatorDialog }) => IndicatorDialog),
  { box: 'notice' },
);

export function SymbolView() {
  const query = useStore(address);
  const chart = useMemo(() => chartFromAddress(query, innerWidth), [query]);
  if (!chart) return html`<${Start} />`;
  return html`<${Chosen} chart=${chart} />`;
}

function pathOf(noun: string, symbol: string): string {
  return `v1/svc/${noun}/${encodeURIComponent(symbol)}`;
}

function Chosen({ chart }: { chart: ChartAddress }) {
  const { symbol, indicators } = chart;
  const details = useRequest(symbol, symbol, (signal) =>
    getJson<SymbolDetails>(pathOf('symbols', symbol), {}, signal),
  );
  const quote = useRequest(symbol, symbol, (signal) =>
    // A symbol without bars has no quote; the batch says so without an error.
    getJson<QuoteBatch>('v1/svc/quotes/batch', { symbols: symbol }, signal),
  );
  useEffect(() => onSymbolChange(symbol, quote.refresh), [symbol]);
  const newest = quote.value?.data[0];
  const absence = quote.failure?.message ?? (quote.value && !newest ? 'No price yet' : undefined);
  const catalogue = useRequest('catalogue', 'catalogue', (signal) =>
    getJson<Indicators>('v1/svc/indicators', {}, signal),
  );
  const specs = useMemo(() => [...(catalogue.value?.data ?? []), ZIGZAG], [catalogue.value]);
  const bars = useBars(chart);
  const held = bars.value?.indicators ?? [];
  const entries = useMemo(
    () => legendEntries(held, specs, chart.interval),
    [held, specs, chart.interval],
  );
  const setIndicators = useCallback(
    (keys: readonly string[]) => amend({ indicators: keys.length ? keys.join(',') : undefined }),
    [],
  );
  const kinds = useMemo(() => kindsFromText(chart.events), [chart.events]);
  const firstMs = bars.value?.series.timeMs[0];
  const fromYear = new Date(firstMs ?? Date.now()).getUTCFullYear();
  const { kind, message } = details.failure ?? {};
  // A cryptocurrency or an index is refused by its name.
  const isAbsent = kind === 'not-found' || kind === 'refused';
  const has = (dataset?: string): boolean | undefined => {
    const { value, failure } = details;
    // A failure says nothing about datasets, except that what is no symbol has none.
    if (!value) return failure && !isAbsent ? true : undefined;
    return dataset === undefined || value.datasets.some((one) => one === dataset);
  };
  const marked = useEvents(symbol, kinds, fromYear, has);
  // `undefined`: closed; `null`: adds one; a text: changes that one.
  const [dialog, setDialog] = useState<string | null>();
  const remove = (key: string) => setIndicators(indicators.filter((one) => one !== key));

  if (isAbsent) {
    return html`<div class="view">
      <${MissingSymbol} symbol=${symbol} reason=${message} canLoad=${kind === 'not-found'} />
    </div>`;
  }
  const overlay = ({ chart: drawn, bars: { series, isDaily }, moves }: ChartPlaces) =>
    html`<${Marks} chart=${drawn} series=${series} isDaily=${isDaily} events=${marked.events} moves=${moves} />`;
  const body = () => {
    if (bars.failure) {
      const isIndicator = bars.failure.kind === 'refused' && indicators.length > 0;
      return html`<${FailureBox} failure=${bars.failure} retry=${bars.retry} subject="the chart" />
        ${
          isIndicator &&
          html`<p class="state"><button type="button" onClick=${() => setIndicators([])}>
            Show without indicators</button></p>`
        }`;
    }
    if (!bars.value) return html`<${Skeleton} label="the chart" lines=${1} />`;
    if (bars.value.series.timeMs.length === 0)
      return html`<${NoBars} chart=${chart} details=${details.value} />`;
    if (chart.isTable) {
      return html`<${BarsTable} bars=${bars.value} entries=${entries} onOlderNeeded=${() => bars.loadOlder()} />`;
    }
    return html`<${Older} bars=${bars} /><${ChartPanel} address=${chart} bars=${bars.value} entries=${entries}
      onOlderNeeded=${() => bars.loadOlder()} onRemove=${remove} onEdit=${setDialog} overlay=${overlay} />`;
  };
  return html`<div class="view">
    <${QuoteHeader} symbol=${symbol} details=${details.value} quote=${newest}
      absence=${absence} />
    <${Toolbar} chart=${chart} details=${details.value}>
      <button type="button" aria-haspopup="dialog" disabled=${!catalogue.value}
        onClick=${() => setDialog(null)}>Indicators</button>
      <button type="button" aria-pressed=${chart.isTable}
        onClick=${() => amend({ show: chart.isTable ? undefined : 'table' })}>Table</button>
      <${EventsMenu} kinds=${kinds} failures=${marked.failures}
        onChange=${(next: ReadonlySet<string>) => amend({ events: [...next].join(',') })} />
    <//>
    <section class="chart-box" aria-label="Chart" aria-busy=${bars.isLoading}>${body()}</section>
    <${Company} symbol=${symbol} has=${has} details=${details} quote=${newest} marked=${marked} />
    ${
      dialog !== undefined &&
      catalogue.value &&
      html`<${IndicatorDialog} chart=${chart} catalogue=${specs}
        editing=${dialog ?? undefined} onChange=${setIndicators} onClose=${() => setDialog(undefined)} />`
    }
  </div>`;
}

/** Says what becomes of the older bars that scrolling back needs. */
function Older({ bars }: { bars: Bars }) {
  const { olderFailure, isLoadingOlder, isFull, loadOlder } = bars;
  if (isFull) {
    return html`<p class="older" role="status">A chart holds ${countText(BARS_MAX)} bars. A longer
      interval shows older ones.</p>`;
  }
  if (olderFailure) {
    return html`<p class="older" role="alert">Older bars could not be loaded: ${olderFailure.message}
      <button type="button" onClick=${() => loadOlder(true)}>Try again</button></p>`;
  }
  return isLoadingOlder ? html`<p class="older" role="status">Loading older bars…</p>` : null;
}

function NoBars({ chart, details }: { chart: ChartAddress; details: SymbolDetails | undefined }) {
  const { symbol, interval } = chart;
  const others = details?.intervals ?? [];
  const title = `${symbol} has no bars of ${intervalTitle(interval)}`;
  if (others.length === 0) {
    return html`<${StateBox} title=${`${symbol} has no bars yet`}>
      <p>The symbol is listed, but no source has loaded its prices.</p>
      <p><${AddButton} symbol=${symbol} label=${`Load prices of ${symbol}`} isMain /></p>
    <//>`;
  }
  const buttons = others.map(
    (one) => html`<button type="button" key=${one.interval}
      onClick=${() => go({ interval: one.interval, range: rangeForInterval(chart.range, one.interval) })}>${intervalTitle(one.interval)}</button>`,
  );
  return html`<${StateBox} title=${title}>
    <p>Bars below a day are made from 1-minute or 5-minute bars, which no source has loaded.</p>
    <p class="row">Show instead: ${buttons}</p>
  <//>`;
}
