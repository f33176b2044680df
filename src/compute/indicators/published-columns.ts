/** The published columns of series: computed whole, or from a saved state for next bars. */

import type { BarColumns } from '../../base/bars.ts';
import { LANES, Program } from '../columns/program.ts';
import { defaultColumns } from './catalogue.ts';
import { rsi } from './momentum/rsi.ts';

const expressions = defaultColumns.map(
  ({ spec, params, output }) => spec.expressions(params)[spec.outputs.indexOf(output)],
);
const program = new Program(expressions);

/** Float64 fields in the state of one series, all 0 before the first bar. */
export const STATE_FIELDS = program.stateRows;

const rsiColumn = defaultColumns.findIndex(({ spec }) => spec === rsi);
const rsiProgram = new Program([expressions[rsiColumn]]);
const rsiState = program.stateStarts[rsiColumn]!;

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
  // A single series takes the narrow tile, of four lanes.
  const state = new Float64Array(4 * STATE_FIELDS);
  program.run([bars], complete, [columns], { state });
  for (let i = 0; i < STATE_FIELDS; i++) rows[at + i] = state[4 * i];
  const { length } = bars.close;
  if (complete === length) return;
  const rest = [
    {
      open: bars.open.subarray(complete),
      high: bars.high.subarray(complete),
      low: bars.low.subarray(complete),
      close: bars.close.subarray(complete),
      volume: bars.volume.subarray(complete),
    },
  ];
  const restColumns = columns.map((column) => column.subarray(complete));
  program.run(rest, length - complete, [restColumns], { row: complete, state });
}

/** Returns the RSI that a series of `count` bars would have with one more close; NaN for none. */
export function previewRsi(rows: Float64Array, at: number, count: number, close: number): number {
  const out = [[0]];
  rsiProgram.advance(count, { close: [close] }, rows, [at + rsiState], [false], out);
  return out[0][0];
}

/** Bars of many series, each of which follows a saved state. */
export class NextBars {
  /** By published column, values by place. */
  readonly values: readonly number[][] = defaultColumns.map(() => []);
  readonly #open: number[] = [];
  readonly #high: number[] = [];
  readonly #low: number[] = [];
  readonly #close: number[] = [];
  readonly #volume: number[] = [];
  readonly #ats: number[] = [];
  readonly #isKept: boolean[] = [];
  /** Places of the bars by their wave, and by their row in the series. */
  readonly #waves: Map<number, number[]>[] = [];

  /**
   * @param at     Where the state of the series begins.
   * @param row    Row of the bar in its series.
   * @param wave   Number of bars that the series has here before this one.
   * @param isKept False if the bar may still change: the state stays that before it.
   * @returns the bar's place.
   */
  add(at: number, row: number, wave: number, isKept: boolean, bars: BarColumns, entry: number) {
    const place = this.#ats.length;
    this.#open.push(bars.open[entry]);
    this.#high.push(bars.high[entry]);
    this.#low.push(bars.low[entry]);
    this.#close.push(bars.close[entry]);
    this.#volume.push(bars.volume[entry]);
    this.#ats.push(at);
    this.#isKept.push(isKept);
    this.#waves[wave] ??= new Map();
    const places = this.#waves[wave].get(row);
    if (places) places.push(place);
    else this.#waves[wave].set(row, [place]);
    return place;
  }

  bar(place: number) {
    return {
      open: this.#open[place],
      high: this.#high[place],
      low: this.#low[place],
      close: this.#close[place],
      volume: this.#volume[place],
    };
  }

  /** Computes all values, and takes the bars into the states that are kept. */
  run(states: Float64Array): void {
    const out = this.values.map(() => new Array<number>(LANES));
    for (const wave of this.#waves) {
      for (const [row, places] of wave) {
        for (let from = 0; from < places.length; from += LANES) {
          const some = places.slice(from, from + LANES);
          const take = (column: readonly number[]) => some.map((place) => column[place]);
          const bars = {
            open: take(this.#open),
            high: take(this.#high),
            low: take(this.#low),
            close: take(this.#close),
            volume: take(this.#volume),
          };
          const isKept = some.map((place) => this.#isKept[place]);
          program.advance(row, bars, states, take(this.#ats), isKept, out);
          for (let i = 0; i < out.length; i++) {
            for (let lane = 0; lane < some.length; lane++)
              this.values[i][some[lane]] = out[i][lane];
          }
        }
      }
    }
  }
}
