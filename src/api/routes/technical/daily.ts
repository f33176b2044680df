/** Columns of daily, weekly and monthly bars: published ones if the request matches them. */

import { type BarColumns, type Basis, barRows, blankBars } from '../../../base/bars.ts';
import type { DailyInterval } from '../../../base/time/intervals.ts';
import {
  defaultColumns,
  defaultParams,
  indicatorCatalogue,
} from '../../../compute/indicators/catalogue.ts';
import type { IndicatorRequest } from '../../../compute/indicators/indicator-request.ts';
import type { RowRange, Snapshot, SymbolInfo } from '../../../store/arrow/snapshot/snapshot.ts';
import { dailyCopier, dailyOnBasis, isPublishedBasis } from '../candles/served-bars.ts';
import { type BarsWithIndicators, computedOutputs } from './outputs.ts';
import { checkWindow, type TechnicalQuery } from './query.ts';

/** @throws {ParameterError} `limit`: the window is larger. */
export function dailyColumns(
  snapshot: Snapshot,
  info: SymbolInfo,
  interval: DailyInterval,
  basis: Basis,
  query: TechnicalQuery,
): BarsWithIndicators {
  const range = rangeOf(snapshot, info, interval, query);
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

/** Returns the requested rows: from `fromUs` on, or else the latest. */
function rangeOf(
  snapshot: Snapshot,
  { symbol }: SymbolInfo,
  interval: DailyInterval,
  { fromUs, toUs, limit }: TechnicalQuery,
): RowRange {
  const end =
    toUs === undefined
      ? snapshot.rowCount(symbol, interval)
      : snapshot.rowAt(symbol, interval, toUs + 1n);
  const rowsMax = limit === 'all' ? Number.POSITIVE_INFINITY : limit;
  if (fromUs === undefined) return { start: Math.max(0, end - rowsMax), end };
  const start = Math.min(snapshot.rowAt(symbol, interval, fromUs), end);
  checkWindow(end - start, limit);
  return { start, end };
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
  snapshot: Snapshot,
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
