/** Values at the crosshair, or of the newest bar, over each pane. */

import type { Series } from '../chart/series.ts';
import { html } from '../parts/html.ts';
import { changeText, countText, percentText, priceText, valueText } from '../parts/numbers.ts';
import { momentText, weekdayText } from '../parts/times.ts';
import type { LegendEntry } from './plots.ts';

export interface LegendProps {
  series: Series;
  row: number;
  isDaily: boolean;
  adjustment: string;
  entries: readonly LegendEntry[];
  /** Tops of the panes in pixels, the price pane first. */
  tops: readonly number[];
  onRemove: (key: string) => void;
  onEdit: (key: string) => void;
}

export function timeOfRow({ timeMs }: Series, row: number, isDaily: boolean): string {
  return isDaily ? weekdayText(timeMs[row]) : momentText(timeMs[row]);
}

/** Sentence with the values of a bar, for those who hear the chart. */
export function spokenRow({
  series,
  row,
  isDaily,
  entries,
}: Pick<LegendProps, 'series' | 'row' | 'isDaily' | 'entries'>): string {
  const { open, high, low, close, volume } = series;
  const values = entries.flatMap(({ title, lines }) =>
    lines.map(({ column, label }) => {
      const value = series.indicators.get(column)?.[row];
      return `${title}${label ? ` ${label}` : ''} ${valueText(value)}`;
    }),
  );
  return [
    timeOfRow(series, row, isDaily),
    `open ${priceText(open[row])}`,
    `high ${priceText(high[row])}`,
    `low ${priceText(low[row])}`,
    `close ${priceText(close[row])} USD`,
    `volume ${countText(volume[row])} shares`,
    ...values,
  ].join(', ');
}

function Entry({ entry, series, row, onRemove, onEdit }: { entry: LegendEntry } & LegendProps) {
  const { key, title, isOnPrice, lines } = entry;
  const values = lines.map(({ column, label, color, kind }) => {
    const value = series.indicators.get(column)?.[row];
    const text = isOnPrice ? priceText(value) : valueText(value);
    return html`<span class="legend-value" key=${column} title=${label}>
      <span class="swatch" style=${{ background: kind === 'bars' ? 'var(--quiet)' : color }} />
      ${label && html`<span class="legend-label">${label}</span>`}<span class="figure">${text}</span>
    </span>`;
  });
  return html`<div class="legend-row">
    <button type="button" class="legend-name" title="Change the parameters" onClick=${() => onEdit(key)}>${title}</button>
    ${values}
    <button type="button" class="remove" aria-label=${`Remove ${title}`} onClick=${() => onRemove(key)}>×</button>
  </div>`;
}

export function Legend(props: LegendProps) {
  const { series, row, isDaily, adjustment, entries, tops } = props;
  const { open, high, low, close, volume } = series;
  const change = row > 0 ? close[row] - close[row - 1] : Number.NaN;
  const percent = row > 0 ? (change / close[row - 1]) * 100 : Number.NaN;
  const tone = change > 0 ? 'up' : change < 0 ? 'down' : '';
  const item = (name: string, text: string, title: string) =>
    html`<span class="legend-value" title=${title}><span class="legend-label">${name}</span><span
      class=${`figure ${tone}`}>${text}</span></span>`;
  const basis = { raw: 'as traded', split: 'split-adjusted', all: 'adjusted for dividends' };
  const onPrice = entries.filter(({ isOnPrice }) => isOnPrice);
  const others = entries.filter(({ isOnPrice }) => !isOnPrice);
  return html`<div class="legends">
    <div class="legend">
      <div class="legend-row bar-values">
        <time class="legend-time">${timeOfRow(series, row, isDaily)}</time>
        ${item('O', priceText(open[row]), 'Open, USD')}
        ${item('H', priceText(high[row]), 'High, USD')}
        ${item('L', priceText(low[row]), 'Low, USD')}
        ${item('C', priceText(close[row]), 'Close, USD')}
        ${item('', `${changeText(change)} (${percentText(percent, true)})`, 'Change from the bar before')}
        ${item('Vol', countText(volume[row]), 'Volume, shares')}
        <span class="quiet basis">USD, ${basis[adjustment as keyof typeof basis] ?? adjustment}</span>
      </div>
      ${onPrice.map((entry) => html`<${Entry} key=${entry.key} entry=${entry} ...${props} />`)}
    </div>
    ${others.map(
      (
        entry,
        i,
      ) => html`<div class="legend" key=${entry.key} style=${{ top: `${(tops[i + 1] ?? 0) + 4}px` }}>
        <${Entry} entry=${entry} ...${props} />
      </div>`,
    )}
  </div>`;
}
