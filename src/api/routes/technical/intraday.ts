/** Columns of bars of less than a day: nothing about them is published but the stored bars. */

import { type BarColumns, barRows } from '../../../base/bars.ts';
import { rowOfTimestamp } from '../../../base/search-sorted.ts';
import type { RowRange } from '../../../store/arrow/snapshot/snapshot.ts';
import type { IntradaySeries } from '../candles/intraday-series.ts';
import type { AnswerColumns } from './columns.ts';
import { computedOutputs } from './outputs.ts';
import { checkWindow, type TechnicalQuery } from './query.ts';

/**
 * Without indicators only the sessions of the window are read, with them the whole series.
 *
 * @throws {ParameterError} `limit`: the window is larger.
 */
export function intradayColumns(series: IntradaySeries, query: TechnicalQuery): AnswerColumns {
  if (query.indicators.length === 0) return { bars: barsOf(series, query), indicators: [] };
  const whole = series.within({ fromUs: undefined, toUs: query.toUs });
  const range = rangeOf(whole, query);
  const indicators = query.indicators.map((request) => ({
    key: request.key,
    spec: request.spec,
    outputs: computedOutputs(request, whole, range),
  }));
  return { bars: barRows(whole, range.start, range.end), indicators };
}

function barsOf(series: IntradaySeries, query: TechnicalQuery): BarColumns {
  const { fromUs, toUs, limit } = query;
  if (fromUs === undefined && limit !== 'all') return series.latest(limit, toUs);
  const bars = series.within(query);
  checkWindow(bars.close.length, limit);
  return bars;
}

/** The rows asked: from `fromUs` on, or else the latest. */
function rangeOf({ timestampUs }: BarColumns, { fromUs, limit }: TechnicalQuery): RowRange {
  const end = timestampUs.length;
  if (fromUs === undefined) return { start: limit === 'all' ? 0 : Math.max(0, end - limit), end };
  const start = rowOfTimestamp(timestampUs, fromUs);
  checkWindow(end - start, limit);
  return { start, end };
}
