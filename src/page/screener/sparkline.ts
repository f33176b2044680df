/** A line of closes the size of a word. */

import { useEffect, useRef } from 'preact/hooks';
import { currentPalette, darkPreference } from '../chart/palette.ts';
import { html } from '../parts/html.ts';
import { percentText } from '../parts/numbers.ts';

const WIDTH = 104;
const HEIGHT = 24;

function draw(canvas: HTMLCanvasElement, closes: Float64Array): void {
  const scale = devicePixelRatio || 1;
  canvas.width = WIDTH * scale;
  canvas.height = HEIGHT * scale;
  const pen = canvas.getContext('2d');
  if (!pen) return;
  pen.scale(scale, scale);
  const low = Math.min(...closes);
  const spread = Math.max(...closes) - low || 1;
  const isUp = closes[closes.length - 1] >= closes[0];
  const { up, down } = currentPalette();
  pen.strokeStyle = isUp ? up : down;
  pen.lineWidth = 1.5;
  pen.lineJoin = 'round';
  pen.beginPath();
  closes.forEach((close, i) => {
    const x = 1 + (i / (closes.length - 1)) * (WIDTH - 2);
    pen.lineTo(x, HEIGHT - 3 - ((close - low) / spread) * (HEIGHT - 6));
  });
  pen.stroke();
}

export function Sparkline({ closes }: { closes: Float64Array | undefined }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (!closes || closes.length < 2) return;
    const paint = () => draw(canvas.current!, closes);
    paint();
    darkPreference.addEventListener('change', paint);
    return () => darkPreference.removeEventListener('change', paint);
  }, [closes]);
  if (!closes || closes.length < 2) return null;
  const percent = (closes[closes.length - 1] / closes[0] - 1) * 100;
  const label = `${percentText(percent, true)} in ${closes.length} sessions`;
  return html`<canvas ref=${canvas} class="spark" role="img" aria-label=${label} title=${label} />`;
}
