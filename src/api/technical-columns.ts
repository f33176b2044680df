/** Reads or computes the columns of a technical answer, all of one snapshot. */

import { type BarColumns, type Basis, barRows } from '../bars.ts';
import { defaultBasis, derivableBases } from '../compute/adjust.ts';
import { defaultColumns, defaultParams, indicatorCatalogue } from '../compute/catalogue.ts';
import type { IndicatorRequest } from '../compute/indicator-request.ts';
import type { IndicatorSpec } from '../compute/indicator-spec.ts';
import { ParameterError } from '../errors.ts';
import type { DailyInterval } from '../intervals.ts';
import type { RowRange, Snapshot, SymbolInfo } from '../store/serving/snapshot.ts';
import { barsOnBasis, isDailyInterval, isServedAsStored } from './served-bars.ts';
import type { TechnicalQuery } from './technical-query.ts';

/** One indicator of an answer; its columns have the length of the bars. */
export interface IndicatorSeries {
  /** The text asked. */
  key: string;
  spec: IndicatorSpec;
  /** In the order of `spec.outputs`, NaN where undefined. */
  outputs: readonly Float64Array[];
}

export interface TechnicalColumns {
  adjustment: Basis;
  bars: BarColumns;
  indicators: IndicatorSeries[];
}

/**
 * @throws {ParameterError} the adjustment can't be derived, or the window is larger than its
 *   limit.
 */
export function technicalColumns(
  snapshot: Snapshot,
  info: SymbolInfo,
  query: TechnicalQuery,
): TechnicalColumns {
  const adjustment = adjustmentOf(info, query.adjustment);
  const { interval } = query;
  if (!isDailyInterval(interval)) {
    return { adjustment, ...withoutRows(query.indicators) };
  }
  const range = rangeOf(snapshot, info, interval, query);
  // The columns of a request that differs from what is published all need the whole history.
  let wholeBars: BarColumns | undefined;
  const adjustedBars = (): BarColumns => {
    wholeBars ??= barsOnBasis(snapshot, info, interval, adjustment);
    return wholeBars;
  };
  const bars = isServedAsStored(info, interval, adjustment)
    ? snapshot.bars(info.symbol, interval, range)
    : barRows(adjustedBars(), range.start, range.end);
  const published =
    adjustment === defaultBasis(info)
      ? publishedOutputs(snapshot, info.symbol, interval, query.indicators, range)
      : undefined;
  const indicators = query.indicators.map(({ key, spec, params }) => ({
    key,
    spec,
    outputs: published?.get(key) ?? computedOutputs(spec, params, adjustedBars().close, range),
  }));
  return { adjustment, bars, indicators };
}

function adjustmentOf(info: SymbolInfo, asked: Basis | undefined): Basis {
  if (asked === undefined) return defaultBasis(info);
  const bases = derivableBases(info);
  if (bases.includes(asked)) return asked;
  const { symbol, basis } = info;
  throw new ParameterError(
    'adjustment',
    `adjustment must be ${bases.join(' or ')} for ${symbol}, whose stored basis is ${basis}, ` +
      `got "${asked}"`,
  );
}

/** What an interval without stored bars answers. */
function withoutRows(requests: readonly IndicatorRequest[]): Omit<TechnicalColumns, 'adjustment'> {
  const none = new Float64Array(0);
  return {
    bars: {
      timestampUs: new BigInt64Array(0),
      open: none,
      high: none,
      low: none,
      close: none,
      volume: none,
    },
    indicators: requests.map(({ key, spec }) => ({
      key,
      spec,
      outputs: spec.outputs.map(() => none),
    })),
  };
}

/** The rows asked: from `fromUs` on, or else the latest. */
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
  if (end - start > rowsMax) {
    throw new ParameterError(
      'limit',
      `limit must be at least ${end - start}, the number of bars in the window, got "${limit}"`,
    );
  }
  return { start, end };
}

const publishedBySpec = new Map(
  indicatorCatalogue.map((spec) => {
    const names = defaultColumns.filter((column) => column.spec === spec).map(({ name }) => name);
    return [spec, { names, params: defaultParams(spec) }] as const;
  }),
);

/** Names of the columns that publishing computes with these parameters; empty for others. */
function publishedNames({ spec, params }: IndicatorRequest): readonly string[] {
  const published = publishedBySpec.get(spec);
  const isPublished = spec.params.every(({ name }) => params[name] === published?.params[name]);
  return published && isPublished ? published.names : [];
}

/** The outputs that are published, by key; all of them in one read. */
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

/** Computes from the first bar on, so that every value is the one of the whole series. */
function computedOutputs(
  spec: IndicatorSpec,
  params: IndicatorRequest['params'],
  close: Float64Array,
  { start, end }: RowRange,
): Float64Array[] {
  const columns = spec.compute({ close: close.subarray(0, end) }, params);
  return spec.outputs.map((output) => columns[output].subarray(start, end));
}
