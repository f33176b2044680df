/** Reads or computes the columns of a technical answer, all of one snapshot. */

import { type BarColumns, type Basis, blankBars } from '../../../base/bars.ts';
import type { IndicatorRequest } from '../../../compute/indicators/indicator-request.ts';
import type { IndicatorSpec } from '../../../compute/indicators/indicator-spec.ts';
import type { Snapshot } from '../../../store/arrow/snapshot/snapshot.ts';
import { IntradaySeries, intradayBase } from '../candles/intraday-series.ts';
import { answerBasis, isDailyInterval } from '../candles/served-bars.ts';
import { dailyColumns } from './daily.ts';
import { intradayColumns } from './intraday.ts';
import type { TechnicalQuery } from './query.ts';

/** One indicator of an answer; its columns have the length of the bars. */
export interface IndicatorSeries {
  /** The text asked. */
  key: string;
  spec: IndicatorSpec;
  /** In the order of `spec.outputs`, NaN where undefined. */
  outputs: readonly Float64Array[];
}

export interface AnswerColumns {
  bars: BarColumns;
  indicators: IndicatorSeries[];
}

export interface TechnicalColumns extends AnswerColumns {
  adjustment: Basis;
}

/**
 * @param symbol A known one, with bars or without.
 * @throws {ParameterError} the adjustment can't be derived, or the window is larger than its
 *   limit.
 */
export function technicalColumns(
  snapshot: Snapshot,
  symbol: string,
  query: TechnicalQuery,
): TechnicalColumns {
  const { interval, adjustment: asked } = query;
  if (isDailyInterval(interval)) {
    const info = snapshot.symbol(symbol);
    const adjustment = answerBasis(info, asked);
    const columns = info && dailyColumns(snapshot, info, interval, adjustment, query);
    return { adjustment, ...(columns ?? withoutRows(query.indicators)) };
  }
  const base = intradayBase(snapshot, symbol, interval);
  if (!base) return { adjustment: answerBasis(undefined, asked), ...withoutRows(query.indicators) };
  const series = new IntradaySeries(snapshot, base, interval, asked);
  return { adjustment: series.adjustment, ...intradayColumns(series, query) };
}

/** What an interval without bars answers. */
function withoutRows(requests: readonly IndicatorRequest[]): AnswerColumns {
  const bars = blankBars(0);
  return {
    bars,
    indicators: requests.map(({ key, spec }) => ({
      key,
      spec,
      outputs: spec.outputs.map(() => bars.close),
    })),
  };
}
