import type { IndicatorRequest } from '../../../compute/indicators/indicator-request.ts';
import type { RowRange } from '../../../store/arrow/snapshot/snapshot.ts';

/**
 * An indicator's outputs for rows of a series, in the order of its catalogue entry: computed from
 * the first bar on, so that every value is the one of the whole series.
 *
 * @param close The whole series.
 */
export function computedOutputs(
  { spec, params }: IndicatorRequest,
  close: Float64Array,
  { start, end }: RowRange,
): Float64Array[] {
  const columns = spec.compute({ close: close.subarray(0, end) }, params);
  return spec.outputs.map((output) => columns[output].subarray(start, end));
}
