/** Draws candles, with lines on the scale of prices, at two steps for each row. */

import type { BarColumns } from '../../base/bars.ts';
import { Canvas, type Colour } from './canvas.ts';
import type { ScreenColumns } from './columns.ts';
import { type Scale, stepOf } from './scale.ts';

export interface ChartLine {
  name: string;
  /** One value for each column, NaN for none. */
  values: Float64Array;
}

/** Characters of the lines in a pane, by their order. */
export const MARKS = ['•', '◦', '×', '+', '*', '~'];

/** Characters of a cell by its lower and upper half: 0 blank, 1 wick, 2 body. */
const RISING = ['  ', '╷', '╻', '╵', '│', '╽', '╹', '╿', '┃'].map((text) => text.trim());
const FALLING = ['  ', '╷', '▄', '╵', '│', '▄', '▀', '▀', '█'].map((text) => text.trim());

/** Draws the pane. Falling bars are blocks, all others are lines. */
export function pricePane(
  { bars, cells }: ScreenColumns,
  lines: readonly ChartLine[],
  scale: Scale,
  { width, height }: { width: number; height: number },
): Canvas {
  const canvas = new Canvas(width, height);
  for (let column = 0; column < bars.close.length; column++) {
    drawCandle(canvas, bars, column, column * cells, scale);
  }
  for (const [index, { values }] of lines.entries()) {
    for (const [column, value] of values.entries()) {
      if (!Number.isFinite(value)) continue;
      const row = height - 1 - (stepOf(value, scale, height * 2) >> 1);
      // A candle is more than a line that crosses it.
      if (canvas.isBlank(column * cells, row)) {
        canvas.put(column * cells, row, MARKS[index % MARKS.length], index);
      }
    }
  }
  return canvas;
}

function drawCandle(
  canvas: Canvas,
  { open, high, low, close }: BarColumns,
  column: number,
  x: number,
  scale: Scale,
): void {
  const steps = canvas.height * 2;
  const [o, h, l, c] = [open, high, low, close].map((values) =>
    stepOf(values[column], scale, steps),
  );
  const isFalling = close[column] < open[column];
  const colour: Colour = isFalling ? 'down' : 'up';
  const [bodyLow, bodyHigh] = [Math.min(o, c), Math.max(o, c)];
  const partOf = (step: number) =>
    step < l || step > h ? 0 : step >= bodyLow && step <= bodyHigh ? 2 : 1;
  for (let row = l >> 1; row <= h >> 1; row++) {
    const text = (isFalling ? FALLING : RISING)[partOf(row * 2) + 3 * partOf(row * 2 + 1)];
    if (text) canvas.put(x, canvas.height - 1 - row, text, colour);
  }
}
