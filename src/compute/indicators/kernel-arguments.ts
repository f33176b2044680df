/** The checks every kernel makes before it touches a column. */

import { assert, ParameterError } from '../../base/errors.ts';

/**
 * @param indicator What the message calls it.
 * @param field     Name of the parameter.
 * @throws {ParameterError} `period` is not a positive integer.
 */
export function checkPeriod(indicator: string, field: string, period: number): void {
  if (Number.isInteger(period) && period >= 1) return;
  throw new ParameterError(
    field,
    `${indicator} ${field} must be a positive integer, got "${period}"`,
  );
}

/**
 * @throws {ParameterError} an output column's length is not that of `close`.
 */
export function checkColumns(
  indicator: string,
  close: Float64Array,
  ...outs: Float64Array[]
): void {
  for (const out of outs) {
    assert(out !== close, `${indicator} can't write over its own input`);
    if (out.length === close.length) continue;
    throw new ParameterError(
      'out',
      `${indicator} output must have ${close.length} values as its input has, got "${out.length}"`,
    );
  }
}
