/** The published columns of one series, computed whole or bar by bar, and the state between bars. */

import { type BarColumns, barRows, blankBars } from '../../base/bars.ts';
import { defaultColumns } from './catalogue.ts';
import { type IndicatorOutput, outputColumns } from './indicator-spec.ts';
import { rsi } from './rsi.ts';

/** One published indicator. */
const parts = [...new Set(defaultColumns.map(({ spec }) => spec))].map((spec) => {
  const column = defaultColumns.findIndex((one) => one.spec === spec);
  const { params } = defaultColumns[column];
  const out: IndicatorOutput = outputColumns(spec.outputs, 1);
  return {
    spec,
    params,
    /** Place of its first column. */
    column,
    state: new Float64Array(spec.stateLength?.(params) ?? 0),
    /** Values of a single bar, and the same columns in order. */
    out,
    outputs: spec.outputs.map((output) => out[output]),
    /** First field of its state among those of all indicators. */
    from: 0,
  };
});

let fieldCount = 0;
for (const part of parts) {
  part.from = fieldCount;
  fieldCount += part.state.length;
}
const rsiPart = parts.find(({ spec }) => spec === rsi)!;

/** Float64 fields in the state of all published indicators: 46, all 0 before the first bar. */
export const STATE_FIELDS = fieldCount;

/** False if an indicator has no state: its columns need the whole series at every publish. */
export const canResumeColumns = parts.every(({ spec }) => spec.stateLength !== undefined);

/** The bar that `advanceColumns` and `previewColumns` read; set by the caller. */
export const nextBar = blankBars(1);

/** Values that they give, in the order of `defaultColumns`. */
export const nextValues = new Float64Array(defaultColumns.length);

/**
 * Computes the columns of a whole series.
 *
 * @param complete Number of bars that are final. The state after them goes to `rows`, from `at` on.
 * @param columns  Receive the values, in the order of `defaultColumns`.
 */
export function computeColumns(
  bars: BarColumns,
  complete: number,
  columns: readonly Float64Array[],
  rows: Float64Array,
  at: number,
): void {
  const length = bars.close.length;
  for (const { spec, params, column, state, from } of parts) {
    const compute = (start: number, end: number) => {
      const views = spec.outputs.map((output, i) => [
        output,
        columns[column + i].subarray(start, end),
      ]);
      spec.compute(barRows(bars, start, end), params, Object.fromEntries(views), state);
    };
    state.fill(0);
    const cut = spec.stateLength ? complete : 0;
    compute(0, cut);
    rows.set(state, at + from);
    compute(cut, length);
  }
}

/** Takes the next bar into the state of a series. */
export function advanceColumns(rows: Float64Array, at: number): void {
  for (const part of parts) {
    previewPart(part, rows, at);
    const { state } = part;
    const start = at + part.from;
    for (let i = 0; i < state.length; i++) rows[start + i] = state[i];
  }
}

/** Gives the values of the next bar, which may still change, without taking it into the state. */
export function previewColumns(rows: Float64Array, at: number): void {
  for (const part of parts) previewPart(part, rows, at);
}

/** Returns the RSI that a series would have with one more close; NaN where there is none. */
export function previewRsi(rows: Float64Array, at: number, close: number): number {
  nextBar.close[0] = close;
  previewPart(rsiPart, rows, at);
  return nextValues[rsiPart.column];
}

function previewPart(part: (typeof parts)[number], rows: Float64Array, at: number): void {
  const { state, outputs, column } = part;
  const start = at + part.from;
  for (let i = 0; i < state.length; i++) state[i] = rows[start + i];
  part.spec.computeBar(nextBar, part.params, part.out, state);
  for (let i = 0; i < outputs.length; i++) nextValues[column + i] = outputs[i][0];
}
