/** Bars and indicators as a table, the newest first: what the chart draws, for those who read it. */

import { useEffect, useState } from 'preact/hooks';
import { html } from '../parts/html.ts';
import { countText, priceText, valueText } from '../parts/numbers.ts';
import { timeOfRow } from './legend.ts';
import type { LegendEntry } from './plots.ts';
import type { LoadedBars } from './use-bars.ts';

const ROWS = 50;

interface TableProps {
  bars: LoadedBars;
  entries: readonly LegendEntry[];
  onOlderNeeded: () => void;
}

export function BarsTable({ bars, entries, onOlderNeeded }: TableProps) {
  const { series, isDaily, subject, isWhole } = bars;
  const [skipped, skip] = useState(0);
  useEffect(() => skip(0), [subject]);
  const count = series.timeMs.length;
  const end = Math.max(0, count - skipped);
  const start = Math.max(0, end - ROWS);
  useEffect(() => {
    if (start === 0) onOlderNeeded();
  }, [start]);
  const columns = entries.flatMap(({ title, isOnPrice, lines }) =>
    lines.map(({ column, label }) => ({
      name: label ? `${title} ${label}` : title,
      values: series.indicators.get(column),
      text: isOnPrice ? priceText : valueText,
    })),
  );
  const rows = Array.from({ length: end - start }, (_, i) => {
    const row = end - 1 - i;
    return html`<tr key=${series.timeMs[row]}>
      <th scope="row">${timeOfRow(series, row, isDaily)}</th>
      <td>${priceText(series.open[row])}</td><td>${priceText(series.high[row])}</td>
      <td>${priceText(series.low[row])}</td><td>${priceText(series.close[row])}</td>
      <td>${countText(series.volume[row])}</td>
      ${columns.map(({ name, values, text }) => html`<td key=${name}>${text(values?.[row])}</td>`)}
    </tr>`;
  });
  return html`<div class="bars-table">
    <div class="table-box plain-box" tabIndex=${0} role="region" aria-label="Bars as a table">
      <table class="data">
        <caption class="unseen">Bars, the newest first; prices in US dollars, volume in shares</caption>
        <thead><tr>
          <th scope="col" class="text">Time</th><th scope="col">Open</th><th scope="col">High</th>
          <th scope="col">Low</th><th scope="col">Close</th><th scope="col">Volume</th>
          ${columns.map(({ name }) => html`<th scope="col" key=${name}>${name}</th>`)}
        </tr></thead>
        <tbody>${rows}</tbody>
      </table>
    </div>
    <p class="row pager">
      <button type="button" disabled=${skipped === 0} onClick=${() => skip(Math.max(0, skipped - ROWS))}>Newer</button>
      <button type="button" disabled=${start === 0} onClick=${() => skip(skipped + ROWS)}>Older</button>
      <span class="quiet">${countText(start + 1)} to ${countText(end)} of ${countText(count)}${isWhole ? '' : ' loaded'} bars</span>
    </p>
  </div>`;
}
