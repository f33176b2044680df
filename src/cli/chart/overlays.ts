/** Decides which indicators are drawn over the candles. */

import type { IndicatorInput } from '../../compute/columns/indicator-spec.ts';
import type { IndicatorRequest } from '../../compute/indicators/indicator-request.ts';

/** Rows after the warm-up that are compared. */
const ROWS = 40;
const SHIFT = 100;
const TOLERANCE = 1e-6;

/**
 * Returns true for each output that is a price: it rises by an amount if all prices do. Averages
 * and bands do so, a momentum or a volatility does not.
 */
export function priceOutputs({ spec, params }: IndicatorRequest): boolean[] {
  const rows = spec.warmup(params) + ROWS;
  const [plain, shifted] = [0, SHIFT].map((by) => spec.compute(barsAt(rows, by), params));
  return spec.outputs.map((output) => {
    const moves = Array.from(plain[output]).flatMap((value, row) => {
      const move = shifted[output][row] - value;
      return Number.isFinite(move) ? [move] : [];
    });
    return moves.length > 0 && moves.every((move) => Math.abs(move - SHIFT) < TOLERANCE * SHIFT);
  });
}

/** Makes bars that move up and down, all in one session. */
function barsAt(rows: number, shift: number): IndicatorInput {
  const column = (valueAt: (row: number) => number) =>
    Float64Array.from({ length: rows }, (_, row) => valueAt(row));
  const middle = (row: number) => 1000 + shift + 20 * Math.sin(row / 5) + 3 * Math.sin(row * 1.7);
  return {
    open: column((row) => middle(row - 1)),
    high: column((row) => Math.max(middle(row), middle(row - 1)) + 2),
    low: column((row) => Math.min(middle(row), middle(row - 1)) - 2),
    close: column(middle),
    volume: column((row) => 1000 + 100 * Math.cos(row)),
    session: column((row) => (row === 0 ? 1 : 0)),
  };
}
