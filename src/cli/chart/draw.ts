/** Draws a chart as lines of text: candles, volume, and a pane for each other indicator. */

import { stripVTControlCharacters } from 'node:util';
import type { BarColumns } from '../../base/bars.ts';
import { type Canvas, coloured } from './canvas.ts';
import { lastValues, type ScreenColumns, screenColumns } from './columns.ts';
import { linePane, volumePane } from './line-pane.ts';
import { type ChartLine, MARKS, pricePane } from './price-pane.ts';
import { axisText, type Scale, scaleOf } from './scale.ts';

export interface ChartData {
  /** First line: the symbol and what is shown. */
  title: string;
  /** Oldest first; at least one. */
  bars: BarColumns;
  /** Lines over the candles, of one value for each bar. */
  overlays: readonly ChartLine[];
  /** Indicators with scales of their own, each with its lines. */
  panes: readonly { name: string; lines: readonly ChartLine[] }[];
  /** True for bars shorter than a day. */
  isIntraday: boolean;
}

export interface Screen {
  /** Characters of a line. */
  width: number;
  /** Lines for the candles. */
  priceHeight: number;
  hasColour: boolean;
}

/** Characters right of the plot: a blank, and a value. */
const AXIS_CHARS = 10;
const PLOT_MIN = 10;
const VOLUME_HEIGHT = 2;
const PANE_HEIGHT = 4;
/** Rows from one price on the axis to the next. */
const LABEL_ROWS = 4;

/** Returns the number of cells for bars on a screen of this width. */
export function plotWidth(width: number): number {
  return Math.max(PLOT_MIN, width - AXIS_CHARS);
}

export function chartLines(data: ChartData, screen: Screen): string[] {
  const columns = screenColumns(data.bars, plotWidth(screen.width));
  const width = Math.max(PLOT_MIN, columns.bars.close.length * columns.cells);
  const onScreen = (lines: readonly ChartLine[]) =>
    lines.map(({ name, values }) => ({ name, values: lastValues(values, columns.barsPerColumn) }));
  const overlays = onScreen(data.overlays);
  const { high, low, volume } = columns.bars;
  const scale = scaleOf([high, low, ...overlays.map(({ values }) => values)]) ?? { min: 0, max: 0 };
  const candles = pricePane(columns, overlays, scale, { width, height: screen.priceHeight });
  const volumeMax = scaleOf([volume])?.max ?? 0;
  const { hasColour } = screen;
  let colour = overlays.length;
  const panes = data.panes.flatMap(({ name, lines: whole }) => {
    const lines = onScreen(whole);
    const own = scaleOf(lines.map(({ values }) => values));
    const first = colour;
    colour += lines.length;
    if (!own) return [`${name}: no value in this window`];
    const pane = linePane(lines, own, columns.cells, { width, height: PANE_HEIGHT }, first);
    const legend = legendText(lines, first, hasColour, true);
    return [legend, ...withAxis(pane, own, PANE_HEIGHT - 1, width, hasColour)];
  });
  const volumes = volumePane(columns, volumeMax, { width, height: VOLUME_HEIGHT });
  return [
    data.title,
    ...(overlays.length > 0 ? [legendText(overlays, 0, hasColour, false)] : []),
    ...withAxis(candles, scale, LABEL_ROWS, width, hasColour),
    ...withAxis(volumes, { min: 0, max: volumeMax }, VOLUME_HEIGHT, width, hasColour, 'volume'),
    ...panes,
    coloured(timeAxis(columns, width, data.isIntraday), 'dim', hasColour),
    keyText(columns, hasColour),
  ];
}

/** Names the lines, each with its mark and newest value. */
function legendText(
  lines: readonly ChartLine[],
  firstColour: number,
  hasColour: boolean,
  isPane: boolean,
): string {
  return lines
    .map(({ name, values }, index) => {
      const mark = isPane && index === 0 ? '⠒' : MARKS[index % MARKS.length];
      const value = axisText(values.at(-1) ?? Number.NaN);
      return coloured(`${mark} ${name} ${value}`, firstColour + index, hasColour);
    })
    .join('  ');
}

/** Adds values at the right: the first and last row, and every `step` rows. */
function withAxis(
  canvas: Canvas,
  { min, max }: Scale,
  step: number,
  width: number,
  hasColour: boolean,
  name?: string,
): string[] {
  const rows = canvas.lines(hasColour);
  const last = rows.length - 1;
  return rows.map((row, index) => {
    const isNear = last - index < step && index !== last;
    const hasLabel = index === last || (index % step === 0 && !(isNear && index !== 0));
    const value = last === 0 ? max : max - ((max - min) * index) / last;
    const text = name && index === last ? name : hasLabel ? axisText(value) : '';
    if (text === '') return row.trimEnd();
    const padding = ' '.repeat(Math.max(0, width - stripVTControlCharacters(row).length));
    return `${row}${padding} ${coloured(text, 'dim', hasColour)}`;
  });
}

/** Labels columns with their first day or minute, as far apart as the labels are long. */
function timeAxis({ bars, cells }: ScreenColumns, width: number, isIntraday: boolean): string {
  let line = '';
  for (const [column, us] of bars.timestampUs.entries()) {
    const text = stampText(us, isIntraday);
    const at = column * cells;
    if (at + text.length > width + AXIS_CHARS) break;
    if (line === '' || at >= line.length + 3) line = line.padEnd(at) + text;
  }
  return line || stampText(bars.timestampUs[0], isIntraday);
}

/** Formats the start of a bar: a day, or a minute in UTC. */
export function stampText(us: bigint, isIntraday: boolean): string {
  const iso = new Date(Number(us / 1000n)).toISOString();
  return isIntraday ? `${iso.slice(5, 10)} ${iso.slice(11, 16)}` : iso.slice(0, 10);
}

function keyText({ barsPerColumn }: ScreenColumns, hasColour: boolean): string {
  const kinds = `${coloured('┃', 'up', hasColour)} rises  ${coloured('█', 'down', hasColour)} falls`;
  return barsPerColumn === 1 ? kinds : `${kinds}  one column is ${barsPerColumn} bars`;
}
