/** Reads or computes the columns of a technical response, all from one snapshot. */

import { type BarColumns, type Basis, barRows, blankBars } from '../../../base/bars.ts';
import { rowOfTimestamp } from '../../../base/search-sorted.ts';
import type { RowRange, Snapshot } from '../../../store/arrow/snapshot/snapshot.ts';
import { IntradaySeries, intradayBase } from '../candles/intraday-series.ts';
import { isDailyInterval, responseBasis } from '../candles/served-bars.ts';
import { dailyColumns } from './daily.ts';
import { type BarsWithIndicators, computedOutputs } from './outputs.ts';
import { checkWindow, type TechnicalQuery } from './query.ts';

export interface TechnicalColumns extends BarsWithIndicators {
  adjustment: Basis;
}

/**
 * @param symbol A known symbol, with or without bars.
 * @throws {ParameterError} The adjustment can't be derived, or the window exceeds its limit.
 */
export function technicalColumns(
  snapshot: Snapshot,
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
  const base = intradayBase(snapshot, symbol, interval);
  if (!base) return { adjustment: responseBasis(undefined, requested), ...withoutRows(query) };
  const series = new IntradaySeries(snapshot, base, interval, requested);
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
 * Computes intraday columns: only bars are stored. Without indicators it reads only the sessions of
 * the window, with them the whole series.
 *
 * @throws {ParameterError} `limit`: the window is larger.
 */
function intradayColumns(series: IntradaySeries, query: TechnicalQuery): BarsWithIndicators {
  if (query.indicators.length === 0) return { bars: intradayBars(series, query), indicators: [] };
  const whole = series.within({ fromUs: undefined, toUs: query.toUs });
  const range = rangeOf(whole, query);
  const indicators = query.indicators.map((request) => ({
    key: request.key,
    spec: request.spec,
    outputs: computedOutputs(request, whole, range),
  }));
  return { bars: barRows(whole, range.start, range.end), indicators };
}

function intradayBars(series: IntradaySeries, query: TechnicalQuery): BarColumns {
  const { fromUs, toUs, limit } = query;
  if (fromUs === undefined && limit !== 'all') return series.latest(limit, toUs);
  const bars = series.within(query);
  checkWindow(bars.close.length, limit);
  return bars;
}

/** Returns the requested rows: from `fromUs` on, or else the latest. */
function rangeOf({ timestampUs }: BarColumns, { fromUs, limit }: TechnicalQuery): RowRange {
  const end = timestampUs.length;
  if (fromUs === undefined) return { start: limit === 'all' ? 0 : Math.max(0, end - limit), end };
  const start = rowOfTimestamp(timestampUs, fromUs);
  checkWindow(end - start, limit);
  return { start, end };
}
