/** Candles, volume and indicators on a canvas, in panes that share a time axis. */

import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  LineStyle,
  type Logical,
  type LogicalRange,
  type UTCTimestamp,
} from 'lightweight-charts';
import {
  type AnySeries,
  addLine,
  candleColors,
  candles,
  options,
  type Plot,
  points,
  volumes,
} from './drawn-series.ts';
import { currentPalette, darkPreference } from './palette.ts';
import { axisFormat, largestSize, smallestPrice } from './price-format.ts';
import { rowAtOrBefore, type Series } from './series.ts';

export interface ChartEvents {
  /** @param timeMs Start of the bar under the pointer; undefined if there is none. */
  onPoint(timeMs: number | undefined): void;
  /** @param timeMs Start of the bar that was clicked; undefined beside the bars. */
  onChoose(timeMs: number | undefined): void;
  /** Called once a frame at most, when bars or panes have moved. */
  onMove(): void;
  /** Called after movements and new bars, while few bars lie left of the view. */
  onOlderNeeded(): void;
}

/** Bars that are loaded ahead of the left edge. */
const AHEAD_BARS = 120;

/** Height of the price pane compared with that of another. */
const PRICE_STRETCH = 3.4;

const NARROW_PX = 600;

export interface PriceChart {
  setSeries(series: Series, plots: readonly Plot[], isDaily: boolean): void;
  /** Shows rows from one on to the newest. */
  showFrom(row: number): void;
  /** Moves the crosshair to a row and the row into view; undefined hides the crosshair. */
  focusRow(row: number | undefined): void;
  /** @param factor Above 1 shows more bars. */
  zoom(factor: number): void;
  /** Returns the horizontal place of a row; undefined outside of the view. */
  xOfRow(row: number): number | undefined;
  /** Returns the tops and heights of the panes, of the price pane first. */
  panes(): { top: number; height: number }[];
  /** Width of the panes without the price scale. */
  width(): number;
  visibleRows(): { from: number; to: number };
  remove(): void;
}

export function createPriceChart(element: HTMLElement, events: ChartEvents): PriceChart {
  const chart = createChart(element, options(true));
  const price = chart.addSeries(CandlestickSeries, { ...candleColors(), priceLineVisible: true });
  const volume = chart.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    priceFormat: { type: 'volume' },
    lastValueVisible: false,
    priceLineVisible: false,
  });
  // The legend lies over the top of the pane; on a narrow one it has more lines.
  const top = element.clientWidth < NARROW_PX ? 0.28 : 0.14;
  price.priceScale().applyOptions({ scaleMargins: { top, bottom: 0.24 } });
  volume.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
  let shown: { series: Series; plots: readonly Plot[]; isDaily: boolean } | undefined;
  let lines: AnySeries[] = [];
  let drawn = '';

  /** Bar under the crosshair: one that keys have reached, or the one at the height of a pointer. */
  let held: { timeMs: number; pointerY?: number } | undefined;
  /** Rows that the next frame shows. */
  let target: LogicalRange | undefined;

  let frame = 0;
  function moved(): void {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      target = undefined;
      // Keys hold a bar, whereas bars move under a pointer that stays.
      if (held && held.pointerY === undefined) placeCrosshair();
      events.onMove();
      const range = scale.getVisibleLogicalRange();
      if (shown && range && range.from < AHEAD_BARS) events.onOlderNeeded();
    });
  }
  const scale = chart.timeScale();
  const view = () => target ?? scale.getVisibleLogicalRange() ?? { from: 0, to: 0 };
  function setView(from: number, to: number): void {
    target = { from: from as Logical, to: to as Logical };
    scale.setVisibleLogicalRange(target);
    moved();
  }
  function visibleRows(): { from: number; to: number } {
    const { from, to } = view();
    const count = shown?.series.timeMs.length ?? 0;
    return { from: Math.max(0, Math.ceil(from)), to: Math.min(count - 1, Math.floor(to)) };
  }
  function placeCrosshair(): void {
    if (!shown || !held) return;
    const { timeMs, axisS, close } = shown.series;
    const row = rowAtOrBefore(timeMs, held.timeMs);
    const { from, to } = visibleRows();
    if (row < from || row > to) {
      chart.clearCrosshairPosition();
      return;
    }
    const pointed = held.pointerY === undefined ? null : price.coordinateToPrice(held.pointerY);
    chart.setCrosshairPosition(pointed ?? close[row], axisS[row] as UTCTimestamp, price);
  }
  scale.subscribeVisibleLogicalRangeChange(moved);
  chart.subscribeCrosshairMove(({ logical, point, sourceEvent }) => {
    // Without a source, bars have moved under the crosshair.
    if (!sourceEvent && held?.pointerY === undefined) return;
    const timeMs = logical === undefined ? undefined : shown?.series.timeMs[logical];
    held = timeMs === undefined ? undefined : { timeMs, pointerY: point?.y ?? 0 };
    events.onPoint(timeMs);
  });
  chart.subscribeClick(({ logical }) =>
    events.onChoose(logical === undefined ? undefined : shown?.series.timeMs[logical]),
  );
  const leave = () => {
    held = undefined;
    events.onPoint(undefined);
  };
  element.addEventListener('pointerleave', leave);
  const sizes = new ResizeObserver(moved);
  sizes.observe(element);

  /** Puts the lines into panes anew if the plots have changed. @returns true if they had. */
  function layOut(plots: readonly Plot[]): boolean {
    const text = JSON.stringify(plots);
    if (text === drawn) return false;
    drawn = text;
    for (const line of lines) chart.removeSeries(line);
    lines = [];
    let panes = 1;
    for (const { isOnPrice, lines: own, levels } of plots) {
      const pane = isOnPrice ? 0 : panes++;
      for (const [i, line] of own.entries()) {
        const added = addLine(chart, line, pane);
        lines.push(added);
        if (i > 0) continue;
        for (const price of levels) {
          const color = currentPalette().crosshair;
          const style = { lineStyle: LineStyle.Dotted, lineWidth: 1 } as const;
          added.createPriceLine({ price, color, ...style, axisLabelVisible: false, title: '' });
        }
      }
    }
    for (const [i, pane] of chart.panes().entries()) {
      pane.setStretchFactor(i === 0 ? PRICE_STRETCH : 1);
      const dom = pane.getHTMLElement();
      if (dom) sizes.observe(dom);
    }
    return true;
  }

  function drawBars(): void {
    if (!shown) return;
    const { series } = shown;
    // The volume lies under the bars, where the scale goes on: no price is below zero.
    const priceFormat = axisFormat(smallestPrice(series.low), (value) => value >= 0);
    price.applyOptions({ priceFormat });
    price.setData(candles(series));
    volume.setData(volumes(series));
  }

  function drawLines(): void {
    if (!shown) return;
    const { series, plots } = shown;
    const own = plots.flatMap((plot) =>
      plot.lines.map((line) => ({ line, isOnPrice: plot.isOnPrice })),
    );
    for (const [i, { line, isOnPrice }] of own.entries()) {
      const values = series.indicators.get(line.column) ?? new Float64Array();
      // The axis of the candles keeps their format.
      if (!isOnPrice)
        lines[i].applyOptions({ priceFormat: axisFormat(largestSize(values), () => true) });
      lines[i].setData(points(series, line));
    }
  }

  function repaint(): void {
    chart.applyOptions(options(shown?.isDaily ?? true));
    price.applyOptions(candleColors());
    drawBars();
    drawLines();
  }
  darkPreference.addEventListener('change', repaint);

  return {
    setSeries(series, plots, isDaily) {
      const before = shown?.series;
      const isNew = before !== series;
      shown = { series, plots, isDaily };
      const isLaidOut = layOut(plots);
      if (isNew) {
        // While a crosshair shows, lightweight-charts 5.2.1 looks up merged bars by the rows that
        // they had before older ones came, and throws "Value is null".
        chart.clearCrosshairPosition();
        chart.applyOptions({ timeScale: { timeVisible: !isDaily } });
        // While the candles are alone, new times cost a third.
        for (const one of [volume, ...lines]) one.setData([]);
        drawBars();
      }
      if (isNew || isLaidOut) drawLines();
      if (isNew && before && target) {
        const added = Math.max(0, rowAtOrBefore(series.timeMs, before.timeMs[0]));
        setView(target.from + added, target.to + added);
      }
      placeCrosshair();
      moved();
    },
    showFrom(row) {
      const count = shown?.series.timeMs.length ?? 0;
      // A few bars fill the width only in part, as candles of a sensible size.
      setView(Math.min(row, count - 30) - 0.5, count + 3);
    },
    focusRow(row) {
      held = row === undefined || !shown ? undefined : { timeMs: shown.series.timeMs[row] };
      if (row === undefined || !held) return chart.clearCrosshairPosition();
      const { from, to } = view();
      if (row < from + 1) setView(row - 1, row - 1 + to - from);
      else if (row > to - 1) setView(row + 1 - (to - from), row + 1);
      moved();
    },
    zoom(factor) {
      const { from, to } = view();
      setView(to - Math.max(10, (to - from) * factor), to);
    },
    xOfRow(row) {
      const x = scale.logicalToCoordinate(row as Logical);
      return x === null ? undefined : x;
    },
    panes() {
      const top = element.getBoundingClientRect().top;
      return chart.panes().flatMap((pane) => {
        const box = pane.getHTMLElement()?.getBoundingClientRect();
        return box ? [{ top: box.top - top, height: box.height }] : [];
      });
    },
    width: () => scale.width(),
    visibleRows,
    remove() {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      element.removeEventListener('pointerleave', leave);
      darkPreference.removeEventListener('change', repaint);
      chart.remove();
    },
  };
}
