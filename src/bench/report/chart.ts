/** Bar charts with spread as inline SVG. */

import { escaped } from './escape.ts';
import { readable } from './text.ts';

export interface ChartBar {
  label: string;
  /** Length of the bar; the whisker goes from `low` to `high`. */
  value: number;
  low: number;
  high: number;
  isOurs: boolean;
}

const WIDTH = 760;
const LABEL_WIDTH = 240;
const VALUE_WIDTH = 140;
const ROW_HEIGHT = 20;
const BAR_HEIGHT = 12;

/** Draws horizontal bars from zero, in the order given, with a whisker over the middle half. */
export function barChart(title: string, unit: string, bars: readonly ChartBar[]): string {
  const most = Math.max(...bars.map(({ high, value }) => Math.max(high, value)));
  const plotWidth = WIDTH - LABEL_WIDTH - VALUE_WIDTH;
  const x = (value: number) => round(LABEL_WIDTH + (value / most) * plotWidth);
  const height = bars.length * ROW_HEIGHT + 6;
  const rows = bars.map(({ label, value, low, high, isOurs }, i) => {
    const y = i * ROW_HEIGHT + 4;
    const middle = y + BAR_HEIGHT / 2;
    const kind = isOurs ? 'ours' : 'theirs';
    return (
      `<text x="${LABEL_WIDTH - 8}" y="${y + 10}" text-anchor="end">${escaped(label)}</text>` +
      `<rect class="${kind}" x="${LABEL_WIDTH}" y="${y}" width="${round(x(value) - LABEL_WIDTH)}" height="${BAR_HEIGHT}"/>` +
      `<path class="whisker" d="M${x(low)} ${middle}H${x(high)}M${x(low)} ${middle - 4}v8M${x(high)} ${middle - 4}v8"/>` +
      `<text x="${round(x(Math.max(value, high)) + 6)}" y="${y + 10}">${readable(value)} ${escaped(unit)}</text>`
    );
  });
  return (
    `<svg viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" ` +
    `aria-label="${escaped(title)}">${rows.join('')}</svg>`
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
