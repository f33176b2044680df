/** The published columns of series: computed whole, or from a saved state for next bars. */

import { type BarColumns, barRows, blankBars } from '../../base/bars.ts';
import { laneColumn } from '../columns/layout.ts';
import { Program } from '../columns/program.ts';
import { defaultColumns } from './catalogue.ts';
import { rsi } from './momentum/rsi.ts';

const expressions = defaultColumns.map(
  ({ spec, params, output }) => spec.expressions(params)[spec.outputs.indexOf(output)],
);
const program = new Program(expressions);

/** Float64 fields in the state of one series, all 0 before the first bar. */
export const STATE_FIELDS = program.stateRows;

const rsiColumn = defaultColumns.findIndex(({ spec }) => spec === rsi);

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
  const state = rows.subarray(at, at + STATE_FIELDS).fill(0);
  program.run([bars], complete, [columns], { state });
  const { length } = bars.close;
  if (complete === length) return;
  const restColumns = columns.map((column) => column.subarray(complete));
  const options = { row: complete, state: state.slice() };
  program.run([barRows(bars, complete)], length - complete, [restColumns], options);
}

/** One bar and its values, for the preview of an RSI. */
const one = { bars: blankBars(1), values: defaultColumns.map(() => new Float64Array(1)) };

/** Returns the RSI that a series of `count` bars would have with one more close; NaN for none. */
export function previewRsi(rows: Float64Array, at: number, count: number, close: number): number {
  one.bars.close[0] = close;
  program.advance(count, [0], one.bars, rows, [at], [0], one.values);
  return one.values[rsiColumn][0];
}

/**
 * Bars that are many, and their share of all states: copies of states then cost less than fused code
 * saves. A bar of each of 10,000 symbols takes 100 ns a symbol instead of 355, or 132 instead of 218
 * if their windows begin at different rows.
 */
const MANY_BARS = 512;
const MANY_SHARE = 0.25;
const next = program.nextStates();

/** Bars of many series, each of which follows a saved state. */
export class NextBars {
  /** By published column, values by place; until another object runs. */
  values: readonly Float64Array[] = [];
  readonly #bars: BarColumns;
  readonly #ats: Int32Array;
  readonly #isKept: Uint8Array;
  /** Places of the bars by their wave, and by twice their row in the series, plus 1 if kept. */
  readonly #waves: Map<number, number[]>[] = [];
  #count = 0;

  /** @param capacity Bars at most. */
  constructor(capacity: number) {
    this.#bars = blankBars(capacity);
    this.#ats = new Int32Array(capacity);
    this.#isKept = new Uint8Array(capacity);
  }

  /**
   * @param at     Where the state of the series begins.
   * @param row    Row of the bar in its series.
   * @param wave   Number of bars that the series has here before this one.
   * @param isKept False if the bar may still change: the state stays that before it.
   * @returns the bar's place.
   */
  add(at: number, row: number, wave: number, isKept: boolean, bars: BarColumns, entry: number) {
    const place = this.#count++;
    copyRow(bars, entry, this.#bars, place);
    this.#ats[place] = at;
    this.#isKept[place] = isKept ? 1 : 0;
    this.#waves[wave] ??= new Map();
    const key = 2 * row + this.#isKept[place];
    const places = this.#waves[wave].get(key);
    if (places) places.push(place);
    else this.#waves[wave].set(key, [place]);
    return place;
  }

  /** Copies a bar, without its time, to a row of other columns. */
  copyBar(place: number, to: BarColumns, row: number): void {
    copyRow(this.#bars, place, to, row);
  }

  /** Computes all values, and takes the bars into the states that are kept. */
  run(states: Float64Array): void {
    const share = (this.#count * STATE_FIELDS) / states.length;
    if (this.#count >= MANY_BARS && share >= MANY_SHARE) {
      this.#runMany(states);
      return;
    }
    this.values = defaultColumns.map(() => new Float64Array(this.#count));
    for (const wave of this.#waves) {
      for (const [key, places] of wave) {
        const row = key >> 1;
        program.advance(row, places, this.#bars, states, this.#ats, this.#isKept, this.values);
      }
    }
  }

  #runMany(states: Float64Array): void {
    next.reserve(states.length, this.#count);
    next.states.set(states);
    for (const [i, name] of program.inputs.entries()) {
      next.inputs[i].set(laneColumn(this.#bars, name).subarray(0, this.#count));
    }
    for (const wave of this.#waves) {
      for (const [key, places] of wave) {
        next.advance(key >> 1, places, this.#ats, key % 2 === 1);
      }
    }
    states.set(next.states);
    this.values = next.outputs;
  }
}

function copyRow(from: BarColumns, row: number, to: BarColumns, at: number): void {
  to.open[at] = from.open[row];
  to.high[at] = from.high[row];
  to.low[at] = from.low[row];
  to.close[at] = from.close[row];
  to.volume[at] = from.volume[row];
}
