import { type BarColumns, barRows } from '../../../base/bars.ts';
import type { IndicatorRequest } from '../../../compute/indicators/indicator-request.ts';
import type { RowRange } from '../../../store/arrow/snapshot/snapshot.ts';

/**
 * An indicator's outputs for rows of a series, in the order of its catalogue entry: computed from
 * the first bar on, so that every value is the one of the whole series.
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
