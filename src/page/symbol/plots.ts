/** Indicators of the address as lines of the chart. */

import type { Indicator } from '../../../clients/typescript/operations.js';
import type { Plot, PlottedLine } from '../chart/drawn-series.ts';
import { currentPalette } from '../chart/palette.ts';

/** Values that divide an oscillator's pane, where custom has fixed them. */
const LEVELS: Readonly<Record<string, readonly number[]>> = {
  rsi: [30, 70],
  mfi: [20, 80],
  stochastic: [20, 80],
  stochastic_rsi: [20, 80],
  williams_r: [-80, -20],
  cci: [-100, 100],
  ultimate: [30, 70],
  chop: [38.2, 61.8],
  adx: [25],
  percent_b: [0, 1],
};

/** Outputs that charts draw as bars from zero, and as dots. */
const BARS = new Set(['histogram', 'awesome', 'elder_ray', 'bop']);
const DOTS = new Set(['psar']);

/** A line of the legend; `isPlotted` is false for values that have no scale to be drawn on. */
export interface LegendLine extends PlottedLine {
  /** Name of the output; undefined where the indicator has only one. */
  label: string | undefined;
  isPlotted: boolean;
}

export interface LegendEntry {
  key: string;
  title: string;
  isOnPrice: boolean;
  lines: readonly LegendLine[];
}

export function nameOfKey(key: string): string {
  return key.split(':', 1)[0];
}

/** Returns the value of a parameter that a request leaves out. */
export function defaultOf(param: Indicator['params'][number], interval: string): number {
  return param.defaults?.[interval] ?? param.default;
}

/** Title with parameters, as people write it: `SMA 50`. */
function shortTitle(key: string, { name, params }: Indicator, interval: string): string {
  const given = key.split(':').slice(1);
  const values = params.map((param, i) => given[i] ?? String(defaultOf(param, interval)));
  const words = name.length <= 5 ? name.toUpperCase() : name.replaceAll('_', ' ');
  return [words[0].toUpperCase() + words.slice(1), ...values].join(' ');
}

/**
 * @param keys Texts of requests, in the order in which they were added.
 * @returns entries in that order; unknown names have none.
 */
export function legendEntries(
  keys: readonly string[],
  catalogue: readonly Indicator[],
  interval: string,
): LegendEntry[] {
  const { lines: colors } = currentPalette();
  let used = 0;
  return keys.flatMap((key) => {
    const spec = catalogue.find(({ name }) => name === nameOfKey(key));
    if (!spec) return [];
    const isOnPrice = spec.outputs.some(({ isPrice }) => isPrice);
    // Both edges of a band have one colour.
    const isBand = spec.outputs.some(({ name }) => name === 'upper');
    const bandColor = isBand ? colors[used++ % colors.length] : undefined;
    const lines = spec.outputs.map(({ name, column, isPrice }): LegendLine => {
      const kind =
        BARS.has(name) || BARS.has(spec.name) ? 'bars' : DOTS.has(name) ? 'dots' : 'line';
      return {
        column: key + column,
        label: spec.outputs.length === 1 ? undefined : name.replaceAll('_', ' '),
        color: bandColor ?? colors[used++ % colors.length],
        kind,
        width: isBand || spec.outputs.length > 3 ? 1 : 2,
        isPlotted: isPrice === isOnPrice,
      };
    });
    return [{ key, title: shortTitle(key, spec, interval), isOnPrice, lines }];
  });
}

export function plotsOf(entries: readonly LegendEntry[]): Plot[] {
  return entries.map(({ key, isOnPrice, lines }) => ({
    key,
    isOnPrice,
    lines: lines.filter(({ isPlotted }) => isPlotted),
    levels: LEVELS[nameOfKey(key)] ?? [],
  }));
}
