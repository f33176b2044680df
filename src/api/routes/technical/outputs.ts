/** Columns of a technical response, and the computation of its indicators. */

import { type BarColumns, barRows } from '../../../base/bars.ts';
import type { IndicatorRequest } from '../../../compute/indicators/indicator-request.ts';
import type { IndicatorSpec } from '../../../compute/indicators/indicator-spec.ts';
import type { RowRange } from '../../../store/arrow/snapshot/snapshot.ts';

/** One indicator of a response; its columns have the length of the bars. */
export interface IndicatorSeries {
  /** The requested text. */
  key: string;
  spec: IndicatorSpec;
  /** In the order of `spec.outputs`, NaN where undefined. */
  outputs: readonly Float64Array[];
}

export interface BarsWithIndicators {
  bars: BarColumns;
  indicators: IndicatorSeries[];
}

/**
 * Computes an indicator's outputs for rows of a series, in the order of its catalogue entry. It
 * starts at the first bar, so every value is the one of the whole series.
 *
 * @param bars The whole series.
 */
export function computedOutputs(
  { spec, params }: IndicatorRequest,
  bars: BarColumns,
  { start, end }: RowRange,
): Float64Array[] {
  const columns = spec.compute(barRows(bars, 0, end), params);
  return spec.outputs.map((output) => columns[output].subarray(start, end));
}
