/** Draws volumes as bars, and indicators with a scale of their own as lines. */

import { Canvas } from './canvas.ts';
import type { ScreenColumns } from './columns.ts';
import { type ChartLine, MARKS } from './price-pane.ts';
import { type Scale, stepOf } from './scale.ts';

const EIGHTHS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** Dots of a Braille cell from the bottom, both columns of dots. */
const BRAILLE_ROWS = [0xc0, 0x24, 0x12, 0x09];
const BRAILLE = 0x2800;

interface Size {
  width: number;
  height: number;
}

/** Draws volumes from zero on. */
export function volumePane({ bars, cells }: ScreenColumns, max: number, size: Size): Canvas {
  const canvas = new Canvas(size.width, size.height);
  for (const [column, volume] of bars.volume.entries()) {
    const colour = bars.close[column] < bars.open[column] ? 'down' : 'up';
    const eighths = max > 0 ? Math.round((volume / max) * size.height * 8) : 0;
    for (let row = 0; row < size.height; row++) {
      const part = Math.max(0, Math.min(8, eighths - row * 8));
      if (part > 0) canvas.put(column * cells, size.height - 1 - row, EIGHTHS[part], colour);
    }
  }
  return canvas;
}

/** Draws the first line in Braille, at four steps for each row, and the others as marks. */
export function linePane(
  lines: readonly ChartLine[],
  scale: Scale,
  cells: number,
  size: Size,
  firstColour: number,
): Canvas {
  const canvas = new Canvas(size.width, size.height);
  const [first, ...others] = lines;
  for (const [index, { values }] of others.entries()) {
    for (const [column, value] of values.entries()) {
      if (!Number.isFinite(value)) continue;
      const row = size.height - 1 - stepOf(value, scale, size.height);
      canvas.put(column * cells, row, MARKS[(index + 1) % MARKS.length], firstColour + index + 1);
    }
  }
  let before: number | undefined;
  for (const [column, value] of first.values.entries()) {
    const step = Number.isFinite(value) ? stepOf(value, scale, size.height * 4) : undefined;
    if (step !== undefined) {
      // Dots down or up to the last value keep a steep line whole.
      const [low, high] = [Math.min(before ?? step, step), Math.max(before ?? step, step)];
      for (let row = low >> 2; row <= high >> 2; row++) {
        const dots = BRAILLE_ROWS.reduce((all, dot, part) => {
          const at = row * 4 + part;
          return at >= low && at <= high ? all | dot : all;
        }, BRAILLE);
        const text = String.fromCharCode(dots);
        canvas.put(column * cells, size.height - 1 - row, text, firstColour);
      }
    }
    before = step;
  }
  return canvas;
}
