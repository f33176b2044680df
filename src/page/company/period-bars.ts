/** Two figures by period as bars beside each other, drawn by the style sheet. */

import { axisTicks } from '../parts/axis-ticks.ts';
import { html } from '../parts/html.ts';
import { axisText, compactText } from '../parts/numbers.ts';

export interface BarFigure {
  name: string;
  /** In US dollars, one a period; null is unknown. */
  values: readonly (number | null)[];
}

interface BarsProps {
  /** Labels, the oldest first. */
  periods: readonly string[];
  figures: readonly [BarFigure, BarFigure];
  /** Unit and kind of the periods, for the caption. */
  unit: string;
}

export function PeriodBars({ periods, figures, unit }: BarsProps) {
  const known = figures.flatMap(({ values }) => values.filter((value) => value !== null));
  const ticks = axisTicks(known);
  const low = ticks[0];
  const span = ticks[ticks.length - 1] - low;
  const share = (value: number) => `${((value / span) * 100).toFixed(2)}%`;
  const bar = (value: number | null, i: number) =>
    value !== null &&
    html`<span key=${i} class=${`bar bar-${i}`} title=${`${figures[i].name}: ${compactText(value)} USD`}
      style=${{ bottom: share(Math.min(0, value) - low), height: share(Math.abs(value)) }} />`;
  const names = figures.map(({ name }) => name);
  return html`<figure class="bars">
    <figcaption>${names.map(
      (name, i) =>
        html`<span key=${name} class="legend-value"><span class=${`swatch square bar-${i}`} />${name}</span>`,
    )}<span class="quiet">${unit}</span></figcaption>
    <div class="plot" role="img" aria-label=${`${names.join(' and ')} by period; the table has the figures`}>
      ${ticks.map(
        (
          tick,
        ) => html`<span key=${tick} class=${tick === 0 ? 'tick zero' : 'tick'} style=${{ bottom: share(tick - low) }}>
          <span class="tick-text">${axisText(tick)}</span></span>`,
      )}
      <div class="plot-periods">${periods.map(
        (period, at) => html`<div key=${period} class="plot-period">
          ${figures.map(({ values }, i) => bar(values[at], i))}
          <span class="plot-label">${period}</span>
        </div>`,
      )}</div>
    </div>
  </figure>`;
}
