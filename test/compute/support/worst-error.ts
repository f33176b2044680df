/** Measures the error of computed columns against exact arithmetic, by each indicator's promise. */

import type {
  IndicatorInput,
  IndicatorParams,
} from '../../../src/compute/columns/indicator-spec.ts';
import { type EmaSeed, EXACT_ONE, type Exact, errorAgainst, exactEma, size } from './exact.ts';
import { type ExactColumns, exactColumns } from './exact-columns.ts';

interface AccuracyPromise {
  /** The greatest error allowed. */
  bound: number;
  /** Unit of the error. */
  measure: string;
  /** The same in numbers, row by row. */
  scale(exact: ExactColumns, bars: IndicatorInput, params: IndicatorParams): Exact[];
}

const sizes = (column: Exact[]): Exact[] =>
  column.map((value) => (value === undefined ? undefined : size(value)));

/** By indicator of the catalogue. */
export const accuracy: Readonly<Record<string, AccuracyPromise>> = {
  sma: { bound: 1e-13, measure: 'as a share of the value', scale: ({ sma }) => sizes(sma) },
  ema: { bound: 1e-13, measure: 'as a share of the value', scale: ({ ema }) => sizes(ema) },
  rsi: { bound: 1e-12, measure: 'in points', scale: ({ rsi }) => rsi.map(() => EXACT_ONE) },
  macd: {
    bound: 1e-14,
    measure: 'as a share of the slow EMA',
    scale: (_, { close }, { slow }) => sizes(exactEma(close, slow)),
  },
  atr: { bound: 1e-13, measure: 'as a share of the value', scale: ({ atr }) => sizes(atr) },
  // The lower band may pass through zero, where no share of itself means anything.
  bollinger: {
    bound: 1e-13,
    measure: 'as a share of the upper band',
    scale: ({ upper }) => sizes(upper),
  },
};

/**
 * Worst error over all outputs that `columns` has.
 *
 * @param columns Computed values; aligned with the bars at the end, so a missing warm-up is fine.
 * @param fromRow Rows before it are not looked at.
 * @param seed    The definition the columns follow.
 * @returns Infinity when a value is missing, or is there where none is defined.
 */
export function worstError(
  indicator: string,
  columns: Readonly<Record<string, ArrayLike<number>>>,
  bars: IndicatorInput,
  params: IndicatorParams,
  fromRow = 0,
  seed: EmaSeed = 'mean',
): number {
  const exact = exactColumns(indicator, bars, params, seed);
  const scale = accuracy[indicator].scale(exact, bars, params);
  let worst = 0;
  for (const [output, column] of Object.entries(columns)) {
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
