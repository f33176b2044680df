/** Two figures by period as bars beside each other. */

import type uPlot from 'uplot';
import { axisText } from '../parts/numbers.ts';
import { currentPalette } from './palette.ts';

export interface BarFigure {
  name: string;
  /** In US dollars, one a period; null is unknown. */
  values: readonly (number | null)[];
}

const HEIGHT_PX = 200;

/** @param periods Labels, the oldest first. @param figures Two of them. */
function options(
  periods: readonly string[],
  figures: readonly BarFigure[],
  width: number,
  bars: NonNullable<uPlot['series'][number]['paths']>[],
): uPlot.Options {
  const { text, grid, border, lines } = currentPalette();
  const axis = { stroke: text, font: '12px system-ui, sans-serif', ticks: { show: false } };
  return {
    width,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: [-0.6, periods.length - 0.4] },
      y: { range: (_, min, max) => [Math.min(0, min * 1.1), Math.max(0, max * 1.1) || 1] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        grid: { show: false },
        border: { show: true, stroke: border, width: 1 },
        splits: () => periods.map((_, i) => i),
        values: () =>
          periods.map((period, i) => (width / periods.length < 64 && i % 2 ? '' : period)),
      },
      {
        ...axis,
        size: 58,
        grid: { stroke: grid, width: 1 },
        values: (_, splits) => splits.map(axisText),
      },
    ],
    series: [
      {},
      ...figures.map(({ name }, i) => ({
        label: name,
        fill: lines[i],
        stroke: lines[i],
        width: 0,
        points: { show: false },
        paths: bars[i],
      })),
    ],
  };
}

export interface PeriodBars {
  remove(): void;
}

export async function createPeriodBars(
  element: HTMLElement,
  periods: readonly string[],
  figures: readonly BarFigure[],
): Promise<PeriodBars> {
  const { default: Plot } = await import('uplot');
  const bars = figures.map((_, i) =>
    Plot.paths.bars!({ size: [0.36, 44], align: i === 0 ? -1 : 1, gap: 2 }),
  );
  const data = [periods.map((_, i) => i), ...figures.map(({ values }) => [...values])];
  const plot = new Plot(
    options(periods, figures, element.clientWidth, bars),
    data as uPlot.AlignedData,
    element,
  );
  const sizes = new ResizeObserver(() => {
    if (element.clientWidth > 0) plot.setSize({ width: element.clientWidth, height: HEIGHT_PX });
  });
  sizes.observe(element);
  return {
    remove() {
      sizes.disconnect();
      plot.destroy();
    },
  };
}
