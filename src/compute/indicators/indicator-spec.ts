/** The shape of an indicator, and the code around every kernel: checks, gaps and state. */

import type { BarColumns } from '../../base/bars.ts';
import { assert, ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';

/** Bar columns that a kernel may read, oldest bar first; all of one length. */
export type IndicatorInput = Readonly<Omit<BarColumns, 'timestampUs'>>;

/** Values by parameter name; every parameter of the indicator is present. */
export type IndicatorParams = Readonly<Record<string, number>>;

/** Columns by output name, as long as the input, NaN where there is no value. */
export type IndicatorOutput = Readonly<Record<string, Float64Array>>;

export interface ParamSpec<Name extends string = string> {
  name: Name;
  default: number;
  /** Smallest and largest allowed value, both inclusive. */
  min: number;
  max: number;
  integer: boolean;
}

/** Definition of an indicator. `Param` and `Output` make the compiler check the names in it. */
interface IndicatorRow<Param extends string, Output extends string> {
  name: string;
  title: string;
  /** In the order in which `name:a:b` gives them. */
  params: readonly ParamSpec<Param>[];
  /** Columns that the kernel reads. A bar is a gap if one of them is not finite there. */
  inputs: readonly (keyof IndicatorInput)[];
  outputs: readonly Output[];
  /** The output that stands for the indicator where one number is wanted. */
  mainOutput: NoInfer<Output>;
  /** True if a publish computes it for every symbol, with the default parameters. */
  isPublished: boolean;
  /** A gap counts as if the bar were `absent`, or gives NaN while it is in the `window`. */
  gaps: 'absent' | 'window';
  /** Index of the first value of each output. */
  warmups(params: Readonly<Record<Param, number>>): Record<NoInfer<Output>, number>;
  /** Message about parameters that contradict each other, as `fast must be …`. */
  conflict?(params: Readonly<Record<Param, number>>): string | undefined;
  /**
   * Number of float64 fields in the kernel's state, all 0 before the first bar. Without it the
   * kernel can't be resumed, and every change recomputes the whole series.
   */
  stateLength?(params: Readonly<Record<Param, number>>): number;
  /**
   * The kernel: reads the next bars of a series, at least one, and fills `out`.
   *
   * @param state Continues where the last run ended, and is updated.
   * @returns False if the bars may have a gap. It then runs again, without the gaps.
   */
  run(
    bars: IndicatorInput,
    params: Readonly<Record<Param, number>>,
    out: Readonly<Record<Output, Float64Array>>,
    state: Float64Array,
  ): boolean;
}

export interface IndicatorSpec extends IndicatorRow<string, string> {
  /** Index of the first value of any output. */
  warmup(params: IndicatorParams): number;
  /**
   * Computes the columns of a series, or of its next bars where `state` is given.
   *
   * @param out   Filled and returned; allocated by default.
   * @param state Updated to the state after the last bar.
   * @throws {ParameterError} a parameter is out of bounds, or a column's length is wrong.
   */
  compute(
    bars: IndicatorInput,
    params: IndicatorParams,
    out?: IndicatorOutput,
    state?: Float64Array,
  ): IndicatorOutput;
  /** Does the same for one bar, whose columns have length 1, without checks or allocation. */
  computeBar(
    bar: IndicatorInput,
    params: IndicatorParams,
    out: IndicatorOutput,
    state: Float64Array,
  ): void;
}

const { periodMin, periodMax, periodDefault } = limits.indicator;

/** Parameter that counts bars: a window or a span. */
export function barsParam<Name extends string>(name: Name, defaultCount: number = periodDefault) {
  return { name, default: defaultCount, min: periodMin, max: periodMax, integer: true } as const;
}

/** Completes the definition of an indicator with the code that all have in common. */
export function indicator<Param extends string, Output extends string>(
  row: IndicatorRow<Param, Output>,
): IndicatorSpec {
  const { inputs, outputs } = row;
  // Kept for runs from the first bar: allocating a state takes as long as a hundred bars.
  let scratch = new Float64Array(0);
  const blankState = (params: IndicatorParams): Float64Array => {
    const length = row.stateLength?.(params) ?? 0;
    if (scratch.length < length) scratch = new Float64Array(length);
    return scratch.fill(0);
  };
  return {
    ...row,
    warmup: (params) => Math.min(...Object.values<number>(row.warmups(params))),
    compute(bars, params, out = outputColumns(outputs, bars.close.length), given) {
      checkParams(row, params);
      checkColumns(row, bars, out);
      if (bars.close.length === 0) return out;
      const before = given?.slice();
      const state = given ?? blankState(params);
      if (row.run(bars, params, out, state)) return out;
      state.set(before ?? blankState(params));
      if (row.gaps === 'window') row.run(withoutInfinities(bars, inputs), params, out, state);
      else {
        runWithoutGaps(bars, inputs, out, (dense, denseOut) =>
          row.run(dense, params, denseOut, state),
        );
      }
      return out;
    },
    computeBar(bar, params, out, state) {
      if (isComplete(bar, inputs, 0)) row.run(bar, params, out, state);
      else if (row.gaps === 'window') row.run(withoutInfinities(bar, inputs), params, out, state);
      else for (const output of outputs) out[output][0] = Number.NaN;
    },
  };
}

/** New columns for the outputs of an indicator. */
export function outputColumns<Output extends string>(
  outputs: readonly Output[],
  length: number,
): Record<Output, Float64Array> {
  const entries = outputs.map((output) => [output, new Float64Array(length)]);
  return Object.fromEntries(entries);
}

/** Returns true if a value obeys the bounds of its parameter. */
export function isAllowed({ min, max, integer }: ParamSpec, value: number): boolean {
  return value >= min && value <= max && (!integer || Number.isInteger(value));
}

type Row = Pick<IndicatorSpec, 'name' | 'params' | 'inputs' | 'outputs' | 'conflict'>;

function checkParams(row: Row, params: IndicatorParams): void {
  for (const param of row.params) {
    const value = params[param.name];
    if (isAllowed(param, value)) continue;
    const kind = param.integer ? 'an integer' : 'a number';
    throw new ParameterError(
      param.name,
      `${row.name} ${param.name} must be ${kind} from ${param.min} to ${param.max}, got "${value}"`,
    );
  }
  const conflict = row.conflict?.(params);
  if (conflict) throw new ParameterError(row.params[0].name, `${row.name} ${conflict}`);
}

function checkColumns({ name, inputs, outputs }: Row, bars: IndicatorInput, out: IndicatorOutput) {
  const { length } = bars.close;
  for (const output of outputs) {
    const column = out[output];
    for (const input of inputs) assert(column !== bars[input], `${name} can't overwrite its input`);
    if (column.length === length) continue;
    throw new ParameterError(
      'out',
      `${name} output must have ${length} values like its input, got "${column.length}"`,
    );
  }
}

function isComplete(bars: IndicatorInput, inputs: Row['inputs'], row: number): boolean {
  for (const input of inputs) if (!Number.isFinite(bars[input][row])) return false;
  return true;
}

/** Runs a kernel on the bars that are not gaps, and spreads its values; NaN stands at the gaps. */
function runWithoutGaps(
  bars: IndicatorInput,
  inputs: Row['inputs'],
  out: IndicatorOutput,
  run: (dense: IndicatorInput, denseOut: IndicatorOutput) => void,
): void {
  const length = bars.close.length;
  const rows = Int32Array.from({ length }, (_, row) => row).filter((row) =>
    isComplete(bars, inputs, row),
  );
  const dense: Record<string, Float64Array> = { ...bars };
  for (const input of inputs) dense[input] = Float64Array.from(rows, (row) => bars[input][row]);
  const outputs = Object.keys(out);
  const denseOut = outputColumns(outputs, rows.length);
  if (rows.length > 0) run(dense as unknown as IndicatorInput, denseOut);
  for (const output of outputs) {
    out[output].fill(Number.NaN);
    for (let i = 0; i < rows.length; i++) out[output][rows[i]] = denseOut[output][i];
  }
}

/**
 * Copies bars with NaN in place of infinities: in a window kernel NaN makes every window that
 * holds it NaN, while an infinity gives infinite means.
 */
function withoutInfinities(bars: IndicatorInput, inputs: Row['inputs']): IndicatorInput {
  const clean = { ...bars };
  for (const input of inputs) {
    clean[input] = bars[input].map((value) => (Number.isFinite(value) ? value : Number.NaN));
  }
  return clean;
}
