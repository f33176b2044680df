/** Shows what followed on the days on which the condition became true: a study. */

import { useEffect, useRef } from 'preact/hooks';
import type { Study } from '../../../clients/typescript/operations.js';
import { html } from '../parts/html.ts';
import { countText, percentText } from '../parts/numbers.ts';
import { FailureBox, Skeleton, StateBox } from '../parts/states.ts';
import { dayText } from '../parts/times.ts';
import { changedQuery } from '../state/address.ts';
import { getJson } from '../state/request.ts';
import { useRequest } from '../state/use-request.ts';

/** A row of a study, by the names of its columns. */
type Row = Readonly<Record<string, number | string | boolean | null | undefined>>;

/** Sessions until the exit, for years and events. */
const HORIZON = 20;

const EVENTS_MAX = 15;

interface HistoryProps {
  where: string;
  onClose: () => void;
}

export function HistoryDialog({ where, onClose }: HistoryProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const { value, failure, retry } = useRequest(where, where, async (signal) => {
    const ask = (query: Record<string, string>) =>
      getJson<Study>('v1/svc/study', { where, ...query }, signal);
    const [summary, years] = await Promise.all([
      ask({}),
      ask({ rows: 'groups', horizons: String(HORIZON) }),
    ]);
    const { to } = summary.definition;
    const from = to === null ? undefined : `${Number(to.slice(0, 4)) - 1}${to.slice(4, 8)}01`;
    const events =
      from === undefined
        ? []
        : (await ask({ rows: 'events', horizons: String(HORIZON), from })).data;
    return { summary, years: years.data as Row[], events: (events as Row[]).toReversed() };
  });
  const body = () => {
    if (failure) {
      return html`<${FailureBox} failure=${failure} retry=${retry} subject="the history" />`;
    }
    if (!value) return html`<${Skeleton} label="the history" lines=${5} />`;
    const rows = value.summary.data as Row[];
    if (rows[0]?.events === 0) {
      return html`<${StateBox} title="No days"><p>The condition was true on no day.</p><//>`;
    }
    return html`<${HorizonTable} rows=${rows} />
      <${YearTable} rows=${value.years} />
      <${EventTable} rows=${value.events.slice(0, EVENTS_MAX)} />
      ${value.summary.warnings.map((text) => html`<p key=${text} class="stale">${text}</p>`)}
      <p class="quiet">${`Entry at the open after the signal, exit at the close; the universe is the mean of all symbols of that day. ${countText(value.summary.definition.symbols)} symbols, ${countText(value.summary.definition.sessions)} sessions. No costs, no portfolio.`}</p>`;
  };
  return html`<dialog ref=${dialog} class="dialog history" aria-labelledby="history-title" onClose=${onClose}
      onClick=${(event: MouseEvent) => event.target === dialog.current && onClose()}>
    <header class="dialog-head"><h2 id="history-title">What followed</h2>
      <button type="button" class="plain" aria-label="Close" onClick=${onClose}>×</button></header>
    <p><code>${where}</code></p>
    ${body()}
  </dialog>`;
}

const share = (value: Row[string]) =>
  percentText(typeof value === 'number' ? value * 100 : null, true);

function table(caption: string, headings: readonly string[], lines: readonly unknown[]) {
  return html`<h3>${caption}</h3><div class="table-box plain-box" tabIndex=${0} role="region" aria-label=${caption}>
    <table class="data">
      <thead><tr>${headings.map((text, i) => html`<th key=${text} scope="col" class=${i === 0 ? 'text' : ''}>${text}</th>`)}</tr></thead>
      <tbody>${lines}</tbody></table></div>`;
}

const cells = (texts: readonly string[]) =>
  texts.map((text, i) => html`<td key=${i} class="figure">${text}</td>`);

function HorizonTable({ rows }: { rows: readonly Row[] }) {
  const lines = rows.map(
    (row) =>
      html`<tr key=${row.horizon}><th scope="row">${row.horizon}</th>${cells([
        countText(row.returns as number),
        share(row.median),
        share(row.mean),
        share(row.universeMean),
        share(row.excessMean),
        typeof row.tClustered === 'number' ? row.tClustered.toFixed(2) : '–',
      ])}</tr>`,
  );
  const headings = ['Sessions', 'Returns', 'Median', 'Mean', 'Universe', 'Excess', 't'];
  return table('Returns by horizon', headings, lines);
}

function YearTable({ rows }: { rows: readonly Row[] }) {
  const lines = rows.map(
    (row) =>
      html`<tr key=${row.group}><th scope="row">${row.group}</th>${cells([
        countText(row.events as number),
        share(row.median),
        share(row.excessMean),
      ])}</tr>`,
  );
  return table(`Years, ${HORIZON} sessions`, ['Year', 'Events', 'Median', 'Excess'], lines);
}

function EventTable({ rows }: { rows: readonly Row[] }) {
  const lines = rows.map(
    (row, i) => html`<tr key=${i}>
      <th scope="row"><a href=${`?${changedQuery({ symbol: row.symbol as string }, true)}`}>${row.symbol}</a></th>
      <td>${dayText(row.date as string)}</td>${cells([
        share(row[`return_${HORIZON}`]),
        share(row[`universe_${HORIZON}`]),
      ])}</tr>`,
  );
  return table(
    `Newest events, ${HORIZON} sessions`,
    ['Symbol', 'Day', 'Return', 'Universe'],
    lines,
  );
}
