/** Options, bars and lines of a chart of prices, as the library takes them. */

import {
  type CandlestickData,
  CrosshairMode,
  type DeepPartial,
  type HistogramData,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type LineData,
  LineSeries,
  LineStyle,
  type TimeChartOptions,
  type UTCTimestamp,
  type WhitespaceData,
} from 'lightweight-charts';
import { currentPalette } from './palette.ts';
import type { Series } from './series.ts';

/** One line of an indicator. */
export interface PlottedLine {
  /** Name of its column. */
  column: string;
  color: string;
  kind: 'line' | 'bars' | 'dots';
  /** Pixels. */
  width: 1 | 2;
}

/** An indicator as the chart draws it. */
export interface Plot {
  /** Text of the request: `sma:50`. */
  key: string;
  isOnPrice: boolean;
  lines: readonly PlottedLine[];
  /** Values with a dashed line: the bounds of an oscillator. */
  levels: readonly number[];
}

/** Width of a bar at which a thousand pixels show all that a chart may hold. */
const MIN_SPACING_PX = 0.01;

export type AnySeries = ISeriesApi<'Line'> | ISeriesApi<'Histogram'>;

export function options(isDaily: boolean): DeepPartial<TimeChartOptions> {
  const { text, grid, border, crosshair, label } = currentPalette();
  const line = { color: crosshair, labelBackgroundColor: label, style: LineStyle.Dashed } as const;
  return {
    autoSize: true,
    layout: {
      background: { color: 'transparent' },
      textColor: text,
      fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
      fontSize: 12,
      // The logo would put a style element into the document, which the policy refuses.
      attributionLogo: false,
      panes: { separatorColor: border, separatorHoverColor: grid },
    },
    grid: { vertLines: { color: grid }, horzLines: { color: grid } },
    crosshair: { mode: CrosshairMode.Normal, vertLine: line, horzLine: line },
    rightPriceScale: { borderColor: border, minimumWidth: 64 },
    timeScale: {
      borderColor: border,
      timeVisible: !isDaily,
      secondsVisible: false,
      minBarSpacing: MIN_SPACING_PX,
      enableConflation: true,
    },
    localization: { locale: 'en-GB', dateFormat: 'dd MMM yyyy' },
  };
}

export function candleColors() {
  const { up, down } = currentPalette();
  return {
    upColor: up,
    downColor: down,
    borderUpColor: up,
    borderDownColor: down,
    wickUpColor: up,
    wickDownColor: down,
  };
}

export function candles({
  axisS,
  open,
  high,
  low,
  close,
}: Series): CandlestickData<UTCTimestamp>[] {
  return Array.from(axisS, (time, row) => ({
    time: time as UTCTimestamp,
    open: open[row],
    high: high[row],
    low: low[row],
    close: close[row],
  }));
}

export function volumes({ axisS, open, close, volume }: Series): HistogramData<UTCTimestamp>[] {
  const { upVolume, downVolume } = currentPalette();
  return Array.from(axisS, (time, row) => ({
    time: time as UTCTimestamp,
    value: volume[row],
    color: close[row] >= open[row] ? upVolume : downVolume,
  }));
}

/** Points of a line; a bar without a value stays as a gap. */
export function points(
  { axisS, indicators }: Series,
  { column, kind }: PlottedLine,
): (LineData<UTCTimestamp> | HistogramData<UTCTimestamp> | WhitespaceData<UTCTimestamp>)[] {
  const values = indicators.get(column);
  if (!values) return [];
  const { upVolume, downVolume } = currentPalette();
  return Array.from(axisS, (seconds, row) => {
    const time = seconds as UTCTimestamp;
    const value = values[row];
    if (Number.isNaN(value)) return { time };
    return kind === 'bars'
      ? { time, value, color: value < 0 ? downVolume : upVolume }
      : { time, value };
  });
}

export function addLine(chart: IChartApi, line: PlottedLine, pane: number): AnySeries {
  const shared = { lastValueVisible: false, priceLineVisible: false } as const;
  if (line.kind === 'bars') return chart.addSeries(HistogramSeries, shared, pane);
  return chart.addSeries(
    LineSeries,
    {
      ...shared,
      color: line.color,
      lineWidth: line.width,
      lineVisible: line.kind === 'line',
      pointMarkersVisible: line.kind === 'dots',
      pointMarkersRadius: 1.5,
      crosshairMarkerRadius: 3,
    },
    pane,
  );
}
