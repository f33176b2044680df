/** A line of closes the size of a word. */

import { html } from '../parts/html.ts';
import { percentText } from '../parts/numbers.ts';

const WIDTH = 104;
const HEIGHT = 24;

interface Line {
  path: string;
  tone: 'up' | 'down';
  label: string;
}

/** Lines by their closes, since rows come back into view. */
const lines = new WeakMap<Float64Array, Line>();

function lineOf(closes: Float64Array): Line {
  const known = lines.get(closes);
  if (known) return known;
  const low = Math.min(...closes);
  const spread = Math.max(...closes) - low || 1;
  const [first, last] = [closes[0], closes[closes.length - 1]];
  const points = Array.from(closes, (close, i) => {
    const x = 1 + (i / (closes.length - 1)) * (WIDTH - 2);
    const y = HEIGHT - 3 - ((close - low) / spread) * (HEIGHT - 6);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  const label = `${percentText((last / first - 1) * 100, true)} in ${closes.length} sessions`;
  const line: Line = { path: `M${points.join('L')}`, tone: last >= first ? 'up' : 'down', label };
  lines.set(closes, line);
  return line;
}

export function Sparkline({ closes }: { closes: Float64Array | undefined }) {
  if (!closes || closes.length < 2) return null;
  const { path, tone, label } = lineOf(closes);
  return html`<svg class=${`spark ${tone}`} role="img" aria-label=${label}
    viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}><path d=${path} /></svg>`;
}
