/** Measures the error of computed columns against exact arithmetic, by each indicator's promise. */

import type {
  IndicatorInput,
  IndicatorParams,
} from '../../../src/compute/columns/indicator-spec.ts';
import { definitions } from './definitions/definitions.ts';
import { type Exact, errorAgainst } from './exact.ts';

/**
 * Worst error over all outputs that `columns` has.
 *
 * @param columns Computed values; aligned with the bars at the end, so a missing warm-up is fine.
 * @param fromRow Rows before it are not looked at.
 * @returns Infinity when a value is missing, or is there where none is defined.
 */
export function worstError(
  indicator: string,
  columns: Readonly<Record<string, ArrayLike<number>>>,
  bars: IndicatorInput,
  params: IndicatorParams,
  fromRow = 0,
): number {
  const definition = definitions[indicator];
  const exact = definition.exact(bars, params);
  let worst = 0;
  for (const [output, column] of Object.entries(columns)) {
    const scale = definition.scale(exact, bars, params, output);
    const { length } = bars.close;
    const shift = column.length - length;
    for (let i = fromRow; i < length; i++) {
      worst = Math.max(worst, errorAt(column[i + shift], exact[output][i], scale[i]));
    }
  }
  return worst;
}

function errorAt(value: number | undefined, exact: Exact, scale: Exact): number {
  const hasValue = value !== undefined && Number.isFinite(value);
  if (exact === undefined) return hasValue ? Number.POSITIVE_INFINITY : 0;
  if (!hasValue) return Number.POSITIVE_INFINITY;
  return errorAgainst(value, exact, scale as bigint);
}
