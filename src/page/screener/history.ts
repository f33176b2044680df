/** Shows what followed on the days on which the condition became true: a study. */

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

/** Bars of the picture of matches, at most; more days share one. */
const BARS_MAX = 250;

const MS_PER_DAY = 86_400_000;

export function History({ where }: { where: string }) {
  const { value, failure, retry } = useRequest(where, where, async (signal) => {
    const ask = (query: Record<string, string>) =>
      getJson<Study>('v1/svc/study', { where, ...query }, signal);
    const [summary, days, years] = await Promise.all([
      ask({}),
      ask({ rows: 'days', mode: 'matches', horizons: '1' }),
      ask({ rows: 'groups', horizons: String(HORIZON) }),
    ]);
    const { to } = summary.definition;
    const from = to === null ? undefined : `${Number(to.slice(0, 4)) - 1}${to.slice(4, 8)}01`;
    const events =
      from === undefined
        ? []
        : (await ask({ rows: 'events', horizons: String(HORIZON), from })).data;
    return {
      summary,
      days: days.data as Row[],
      years: years.data as Row[],
      events: (events as Row[]).toReversed(),
    };
  });
  if (failure) {
    return html`<${FailureBox} failure=${failure} retry=${retry} subject="the history" />`;
  }
  if (!value) return html`<${Skeleton} label="the history" lines=${5} />`;
  const { summary, days, years, events } = value;
  const { definition, warnings } = summary;
  const rows = summary.data as Row[];
  const notes = warnings.map((text) => html`<p key=${text} class="stale">${text}</p>`);
  if (rows[0]?.events === 0) return html`<${StateBox} title="No days">${notes}<//>`;
  return html`<div class="history">
    <${MatchBars} days=${days} />
    <${HorizonTable} rows=${rows} />
    <${YearTable} rows=${years} />
    <${EventTable} rows=${events.slice(0, EVENTS_MAX)} />
    ${notes}
    <p class="quiet">${`An event is a day on which the condition becomes true. Entry at the next open, exit at the close; the universe is all symbols of that day, and excess is the return less its mean. ${countText(definition.symbols)} symbols, ${countText(definition.sessions)} sessions. No costs, no portfolio.`}</p>
  </div>`;
}

const HEIGHT = 64;

const daysOf = (row: Row) => Math.floor(Date.parse(row.date as string) / MS_PER_DAY);

/** Matches of each day as bars; of days that share a bar, those of the day with most. */
function MatchBars({ days }: { days: readonly Row[] }) {
  if (days.length === 0) return null;
  const [first, last] = [daysOf(days[0]), daysOf(days[days.length - 1])];
  const perBar = Math.ceil((last - first + 1) / BARS_MAX);
  const most = new Float64Array(Math.floor((last - first) / perBar) + 1);
  for (const day of days) {
    const bar = Math.floor((daysOf(day) - first) / perBar);
    most[bar] = Math.max(most[bar], day.events as number);
  }
  const scale = HEIGHT / Math.max(...most);
  const dates = `${dayText(days[0].date as string)} to ${dayText(days[days.length - 1].date as string)}`;
  const shared = perBar === 1 ? '' : `; a bar is the day with most of ${perBar} days`;
  const label = `Matches a day, ${dates}, at most ${countText(Math.max(...most))}${shared}`;
  const bars = Array.from(
    most,
    (count, i) => `M${i} ${HEIGHT}h1v${-Math.max(count > 0 ? 1 : 0, count * scale)}h-1z`,
  );
  return html`<figure class="match-bars"><svg viewBox=${`0 0 ${most.length} ${HEIGHT}`}
      preserveAspectRatio="none" role="img" aria-label=${label}><path d=${bars.join('')} /></svg>
    <figcaption class="quiet">${label}</figcaption></figure>`;
}

const share = (value: Row[string]) =>
  percentText(typeof value === 'number' ? value * 100 : null, true);

function table(caption: string, headings: readonly string[], lines: readonly unknown[]) {
  return html`<h2>${caption}</h2><div class="table-box plain-box" tabIndex=${0} role="region" aria-label=${caption}>
    <table class="data">
      <thead><tr>${headings.map((text, i) => html`<th key=${i} scope="col" class=${i === 0 ? 'text' : ''}>${text}</th>`)}</tr></thead>
      <tbody>${lines}</tbody></table></div>`;
}

const cells = (texts: readonly string[]) =>
  texts.map((text, i) => html`<td key=${i} class="figure">${text}</td>`);

function HorizonTable({ rows }: { rows: readonly Row[] }) {
  const lines = rows.map(
    (row) =>
      html`<tr key=${row.horizon}><th scope="row">${row.horizon}</th>${cells([
        countText(row.events as number),
        countText(row.returns as number),
        share(row.median),
        share(row.universeMedian),
        share(row.excessMedian),
        share(row.mean),
        share(row.universeMean),
        share(row.excessMean),
        typeof row.tClustered === 'number' ? row.tClustered.toFixed(2).replace('-', '−') : '–',
      ])}</tr>`,
  );
  const headings = [
    ...['Sessions', 'Events', 'Returns', 'Median', 'of universe', 'Excess'],
    ...['Mean', 'of universe', 'Excess', 't'],
  ];
  return table('Returns by horizon', headings, lines);
}

function YearTable({ rows }: { rows: readonly Row[] }) {
  const lines = rows.map(
    (row) =>
      html`<tr key=${row.group}><th scope="row">${row.group}</th>${cells([
        countText(row.events as number),
        share(row.median),
        share(row.excessMedian),
        share(row.mean),
        share(row.excessMean),
      ])}</tr>`,
  );
  const headings = ['Year', 'Events', 'Median', 'Excess', 'Mean', 'Excess'];
  return table(`Years, ${HORIZON} sessions`, headings, lines);
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
