/** Missing sessions and stopped series of the daily bars. */

import { useState } from 'preact/hooks';
import type { GapsReport, ModeReport } from '../../base/operator/report.ts';
import { html } from '../parts/html.ts';
import { countText } from '../parts/numbers.ts';
import { FailureBox, Skeleton } from '../parts/states.ts';
import { dayText } from '../parts/times.ts';
import { getJson } from '../state/request.ts';
import { useRequest } from '../state/use-request.ts';
import { More, Panel, Table } from './table.ts';

const SHOWN = 8;

const HOLES = [
  { title: 'Days without a bar' },
  { title: 'Sessions', kind: 'number' },
  { title: 'Symbols', kind: 'number' },
  { title: 'Such as' },
] as const;

const STOPPED = [
  { title: 'Symbol' },
  { title: 'Last bar' },
  { title: 'Sessions behind', kind: 'number' },
  { title: 'Source' },
] as const;

function symbolLink(symbol: string) {
  return html`<a href=${`?symbol=${encodeURIComponent(symbol)}`}>${symbol}</a>`;
}

export function Gaps({ modes }: { modes: readonly ModeReport[] }) {
  const served = modes.filter(({ datasets }) => datasets.some(({ interval }) => interval === '1d'));
  const [wanted, want] = useState<string>();
  const chosen = served.find(({ mode }) => mode === wanted) ?? served[0];
  const { value, failure, retry } = useRequest(
    chosen?.mode ?? '',
    chosen && `${chosen.mode} ${chosen.version}`,
    (signal) => getJson<GapsReport>('operator/gaps', { mode: chosen.mode }, signal),
  );
  const buttons =
    served.length > 1 &&
    html`<div class="segments" role="group" aria-label="Mode of the gaps">${served.map(
      ({ mode }) => html`<button key=${mode} type="button" aria-pressed=${mode === chosen.mode}
        onClick=${() => want(mode)}>${mode}</button>`,
    )}</div>`;
  return html`<${Panel} id="gaps" title="Gaps" summary=${value && summaryOf(value)} actions=${buttons}>
    ${!chosen && html`<p class="quiet">No daily bars are published.</p>`}
    ${failure && html`<${FailureBox} failure=${failure} retry=${retry} subject="the gaps" />`}
    ${chosen && !value && !failure && html`<${Skeleton} label="the gaps" lines=${4} />`}
    ${value && html`<${Found} report=${value} />`}
  <//>`;
}

function summaryOf({ missing, stopped }: GapsReport): string {
  return (
    `${countText(missing.sessions)} sessions in ${countText(missing.holes)} holes of ` +
    `${countText(missing.symbols)} symbols, ${countText(stopped)} series stopped`
  );
}

function Found({ report }: { report: GapsReport }) {
  const { symbols, bars, newestBar, stopped, holes, stoppedSeries } = report;
  const holeRows = holes.slice(0, SHOWN).map(({ from, to, sessions, symbols, examples }) => {
    const rest = symbols > examples.length ? ' …' : '';
    return {
      key: `${from} ${to}`,
      cells: [
        from === to ? dayText(from) : `${dayText(from)} to ${dayText(to)}`,
        countText(sessions),
        countText(symbols),
        html`${examples.map((symbol, i) => html`${i > 0 && ', '}${symbolLink(symbol)}`)}${rest}`,
      ],
    };
  });
  const stoppedRows = stoppedSeries
    .slice(0, SHOWN)
    .map(({ symbol, source, lastBar, sessionsBehind }) => ({
      key: symbol,
      cells: [symbolLink(symbol), dayText(lastBar), countText(sessionsBehind), source],
    }));
  return html`
    ${
      holeRows.length + stoppedRows.length === 0 &&
      html`<p class="up">All ${countText(symbols)} series have every session, ${countText(bars)} bars
        ${newestBar === null ? '' : ` to ${dayText(newestBar)}`}.</p>`
    }
    ${
      holeRows.length > 0 &&
      html`<h3>Holes, most missing bars first</h3>
        <${Table} label="Holes" rows=${holeRows} columns=${HOLES} />
        <${More} count=${holes.length - holeRows.length} of="kinds of holes: npx tapeworks gaps" />`
    }
    ${
      stoppedRows.length > 0 &&
      html`<h3>Stopped series, latest first</h3>
        <${Table} label="Stopped series" rows=${stoppedRows} columns=${STOPPED} />
        <${More} count=${stopped - stoppedRows.length} of="series" />`
    }`;
}
