/** Reads or computes the columns of a technical response, all from one snapshot. */

import {
  type BarColumns,
  type Basis,
  barRows,
  blankBars,
  millisFromMicros,
} from '../../../base/bars.ts';
import { rowOfTimestamp } from '../../../base/search-sorted.ts';
import { type DailyInterval, isDailyInterval } from '../../../base/time/intervals.ts';
import { tradingDayStarts } from '../../../base/time/trading-sessions.ts';
import type { IndicatorSpec } from '../../../compute/columns/indicator-spec.ts';
import {
  defaultColumns,
  defaultParams,
  indicatorCatalogue,
} from '../../../compute/indicators/catalogue.ts';
import type { IndicatorRequest } from '../../../compute/indicators/indicator-request.ts';
import { dailyCopier, dailyOnBasis, isPublishedBasis } from '../../../screens/run/bars-on-basis.ts';
import type { BarsSnapshot, RowRange, SymbolInfo } from '../../../store/arrow/snapshot/snapshot.ts';
import type { SubdaySeries } from '../candles/intraday-series.ts';
import { responseBasis, rowsOfWindow } from '../candles/served-bars.ts';
import { subdaySeries } from '../candles/session-series.ts';
import { limitedRows, type TechnicalQuery } from './query.ts';

/** One indicator of a response; its columns have the length of the bars. */
export interface IndicatorSeries {
  /** The requested text. */
  key: string;
  spec: IndicatorSpec;
  /** In the order of `spec.outputs`, NaN where undefined. */
  outputs: readonly Float64Array[];
}

/** Returns the name of each output's column: the key alone if the output is the indicator itself. */
export function columnNames({ key, spec }: Pick<IndicatorSeries, 'key' | 'spec'>): string[] {
  return spec.outputs.map((output) => (output === spec.name ? key : `${key}_${output}`));
}

export interface BarsWithIndicators {
  bars: BarColumns;
  indicators: IndicatorSeries[];
}

export interface TechnicalColumns extends BarsWithIndicators {
  adjustment: Basis;
}

/**
 * @param symbol A known symbol, with or without bars.
 * @throws {ParameterError} The adjustment can't be derived, or the window exceeds its limit.
 */
export function technicalColumns(
  snapshot: BarsSnapshot,
  symbol: string,
  query: TechnicalQuery,
): TechnicalColumns {
  const { interval, adjustment: requested } = query;
  if (isDailyInterval(interval)) {
    const info = snapshot.symbol(symbol);
    const adjustment = responseBasis(info, requested);
    const columns = info && dailyColumns(snapshot, info, interval, adjustment, query);
    return { adjustment, ...(columns ?? withoutRows(query)) };
  }
  const series = subdaySeries(snapshot, symbol, { ...query, interval });
  if (!series) return { adjustment: responseBasis(undefined, requested), ...withoutRows(query) };
  return { adjustment: series.adjustment, ...intradayColumns(series, query) };
}

/** Returns the columns of an interval without bars. */
function withoutRows({ indicators }: TechnicalQuery): BarsWithIndicators {
  const bars = blankBars(0);
  return {
    bars,
    indicators: indicators.map(({ key, spec }) => ({
      key,
      spec,
      outputs: spec.outputs.map(() => bars.close),
    })),
  };
}

/**
 * Computes an indicator's outputs for rows of a series, in the order of its catalogue entry. It
 * starts at the first bar, so every value is the one of the whole series.
 *
 * @param bars    The whole series.
 * @param session Starts of sessions among intraday bars.
 */
export function computedOutputs(
  { spec, params }: IndicatorRequest,
  bars: BarColumns,
  { start, end }: RowRange,
  session?: Float64Array,
): Float64Array[] {
  const whole = { ...barRows(bars, 0, end), session: session?.subarray(0, end) };
  const columns = spec.compute(whole, params);
  return spec.outputs.map((output) => columns[output].subarray(start, end));
}

/**
 * Reads daily, weekly or monthly columns: published ones if the request matches them.
 *
 * @throws {ParameterError} `limit`: the window is larger.
 */
function dailyColumns(
  snapshot: BarsSnapshot,
  info: SymbolInfo,
  interval: DailyInterval,
  basis: Basis,
  query: TechnicalQuery,
): BarsWithIndicators {
  const range = limitedRows(rowsOfWindow(snapshot, info.symbol, interval, query), query);
  const published = isPublishedBasis(info, basis)
    ? publishedOutputs(snapshot, info.symbol, interval, query.indicators, range)
    : undefined;
  // Every column that is not published needs the whole history.
  let whole: BarColumns | undefined;
  const indicators = query.indicators.map((request) => {
    let outputs = published?.get(request.key);
    if (!outputs) {
      whole ??= dailyOnBasis(snapshot, info, interval, basis);
      outputs = computedOutputs(request, whole, range);
    }
    return { key: request.key, spec: request.spec, outputs };
  });
  if (whole) return { bars: barRows(whole, range.start, range.end), indicators };
  const bars = blankBars(range.end - range.start);
  dailyCopier(snapshot, info, interval, basis)(range, bars);
  return { bars, indicators };
}

const publishedBySpec = new Map(
  indicatorCatalogue.map((spec) => {
    const names = defaultColumns.filter((column) => column.spec === spec).map(({ name }) => name);
    return [spec, { names, params: defaultParams(spec) }] as const;
  }),
);

/** Returns the published columns with these parameters; none for other parameters. */
function publishedNames({ spec, params }: IndicatorRequest): readonly string[] {
  const published = publishedBySpec.get(spec);
  const isPublished = spec.params.every(({ name }) => params[name] === published?.params[name]);
  return published && isPublished ? published.names : [];
}

/** Reads the published outputs, by key, in one read. */
function publishedOutputs(
  snapshot: BarsSnapshot,
  symbol: string,
  interval: DailyInterval,
  requests: readonly IndicatorRequest[],
  range: RowRange,
): Map<string, Float64Array[]> {
  const published = requests
    .map((request) => ({ key: request.key, names: publishedNames(request) }))
    .filter(({ names }) => names.length > 0);
  const names = published.flatMap((one) => one.names);
  const columns = snapshot.indicators(symbol, interval, names, range);
  return new Map(published.map((one) => [one.key, columns.splice(0, one.names.length)]));
}

/**
 * Computes intraday columns: only bars are stored. Without indicators it reads only the sessions of
 * the window, with them the whole series.
 *
 * @throws {ParameterError} `limit`: the window is larger.
 */
function intradayColumns(series: SubdaySeries, query: TechnicalQuery): BarsWithIndicators {
  if (query.indicators.length === 0) return { bars: intradayBars(series, query), indicators: [] };
  const whole = series.within({ fromUs: undefined, toUs: query.toUs });
  const { fromUs } = query;
  const start = fromUs === undefined ? 0 : rowOfTimestamp(whole.timestampUs, fromUs);
  const range = limitedRows({ start, end: whole.close.length }, query);
  const session = tradingDayStarts(millisFromMicros(whole.timestampUs));
  const indicators = query.indicators.map((request) => ({
    key: request.key,
    spec: request.spec,
    outputs: computedOutputs(request, whole, range, session),
  }));
  return { bars: barRows(whole, range.start, range.end), indicators };
}

function intradayBars(series: SubdaySeries, query: TechnicalQuery): BarColumns {
  const { fromUs, toUs, limit } = query;
  if (fromUs === undefined && limit !== 'all') return series.latest(limit, { fromUs, toUs });
  const bars = series.within(query);
  limitedRows({ start: 0, end: bars.close.length }, query);
  return bars;
}
