/** Age of each dataset, by mode. */

import type { DatasetReport, ModeReport } from '../../base/operator/report.ts';
import { html } from '../parts/html.ts';
import { countText } from '../parts/numbers.ts';
import { ageText, momentText } from '../parts/times.ts';
import { Panel, type Row, Table } from './table.ts';

const STATES: Record<ModeReport['state'], string> = {
  published: 'published',
  damaged: 'damaged',
  empty: 'empty: nothing was loaded yet',
  unpublished: 'loaded, but nothing is published yet: the next load publishes it',
  'older-format': 'published by an older version: the next load publishes it again',
  'status-lost': 'served, but its status is lost: the next load writes it',
};

interface FreshnessProps {
  modes: readonly ModeReport[];
  nowMs: number;
}

export function Freshness({ modes, nowMs }: FreshnessProps) {
  const [live, sandbox] = ['live', 'sandbox'].map((name) =>
    modes.find(({ mode }) => mode === name),
  );
  const isLiveShown = live !== undefined && live.datasets.length > 0;
  return html`<${Panel} id="freshness" title="Freshness" summary=${live && headOf(live, nowMs)}>
    ${live && html`<${Datasets} mode=${live} nowMs=${nowMs} />`}
    ${live?.state === 'empty' && html`<p>Load the first data: <code>npx tapeworks backfill any --symbols SPY</code></p>`}
    ${
      sandbox &&
      html`<details open=${!isLiveShown}>
        <summary>${headOf(sandbox, nowMs)}</summary>
        <${Datasets} mode=${sandbox} nowMs=${nowMs} />
      </details>`
    }
  <//>`;
}

function headOf({ mode, state, version, publishedAt }: ModeReport, nowMs: number): string {
  const name = mode === 'live' ? 'Live' : 'Sandbox, synthetic';
  if (version === null || publishedAt === null) return `${name}: ${STATES[state]}`;
  return `${name}: version ${version}, published ${ageText(nowMs - Date.parse(publishedAt))} ago`;
}

function Datasets({ mode: { mode, datasets }, nowMs }: { mode: ModeReport; nowMs: number }) {
  if (datasets.length === 0) return null;
  const columns = [
    { title: 'Dataset' },
    { title: 'Age', kind: 'number' },
    { title: 'Newest bar or change' },
    { title: 'Rows', kind: 'number' },
    { title: 'Symbols', kind: 'number' },
  ] as const;
  return html`<${Table} label=${`Datasets of ${mode} data`} columns=${columns}
    rows=${datasets.map((one) => rowOf(one, nowMs))} />`;
}

function rowOf(one: DatasetReport, nowMs: number): Row {
  const { dataset, interval, rows, symbols, newestAt, endedEarlier, isStale } = one;
  const age = newestAt === null ? 'never' : ageText(nowMs - Date.parse(newestAt));
  const earlier = endedEarlier
    ? html`<br /><span class="quiet">${countText(endedEarlier)} ${endedEarlier === 1 ? 'symbol' : 'symbols'} ended earlier</span>`
    : null;
  return {
    key: `${dataset} ${interval}`,
    cells: [
      interval === null ? dataset.replaceAll('-', ' ') : `${dataset} ${interval}`,
      isStale ? html`<span class="down">${age}, stale</span>` : age,
      newestAt === null ? '' : html`${momentText(newestAt)}${earlier}`,
      countText(rows),
      symbols === null ? '' : countText(symbols),
    ],
  };
}
