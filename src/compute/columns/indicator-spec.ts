/** The shape of an indicator, and what all have in common: parameters, gaps and programs. */

import type { BarColumns } from '../../base/bars.ts';
import { assert, ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { Interval } from '../../base/time/intervals.ts';
import { type BarName, type Bars, bar, type Column, type InputName } from './column.ts';
import { carriesOn, inputsOf } from './column-facts.ts';
import { type Lane, laneColumn } from './layout.ts';
import { Program } from './program.ts';

/** Bar columns that an indicator may read, oldest bar first; all of one length. */
export type IndicatorInput = Readonly<Omit<BarColumns, 'timestampUs'>> & {
  /** 1 in the first bar of a session, else 0. Only bars shorter than a day have it. */
  readonly session?: Float64Array;
};

/** Values by parameter name; every parameter of the indicator is present. */
export type IndicatorParams = Readonly<Record<string, number>>;

/** Columns by output name, as long as the input, NaN where there is no value. */
export type IndicatorOutput = Readonly<Record<string, Float64Array>>;

export interface ParamSpec<Name extends string = string> {
  name: Name;
  /** Value of daily bars, and of other bars unless `defaults` has theirs. */
  default: number;
  defaults?: Readonly<Partial<Record<Interval, number>>>;
  /** Smallest and largest allowed value, both inclusive. */
  min: number;
  max: number;
  integer: boolean;
}

export type Bounds = readonly [min: number, max: number];

/** Definition of an indicator. The type parameters make the compiler check the names in it. */
interface IndicatorRow<Name extends string, Param extends string, Output extends string> {
  name: Name;
  title: string;
  /** In the order in which `name:a:b` gives them; default: none. */
  params?: readonly ParamSpec<Param>[];
  /** Default: one, named as the indicator. */
  outputs?: readonly Output[];
  /** Outputs that are prices, which charts draw over the bars; default: none. */
  priceOutputs?: readonly NoInfer<Output>[];
  /**
   * Smallest and largest value of an output, both inclusive, of bars whose high and low hold open and
   * close; default: none. Values keep them to the last bit.
   */
  bounds?: Readonly<Partial<Record<NoInfer<Output>, Bounds>>>;
  /** The output that stands for the indicator where one number is wanted; default: the first. */
  mainOutput?: NoInfer<Output>;
  /** True if a publish computes it for every symbol, with the default parameters; default: false. */
  isPublished?: boolean;
  /**
   * Message about parameters that contradict each other, as `fast must be …`. Default: `fast` must
   * be less than `slow`.
   */
  conflict?(params: Readonly<Record<Param, number>>): string | undefined;
  /**
   * The indicator as expressions over columns of bars.
   *
   * @param isIntraday True for bars shorter than a day, which have a `session`.
   */
  columns(
    bars: Bars,
    params: Readonly<Record<Param, number>>,
    isIntraday: boolean,
  ): Readonly<Record<NoInfer<Output>, Column>>;
}

type AnyRow = IndicatorRow<string, string, string>;

export interface IndicatorSpec extends Required<Omit<AnyRow, 'columns' | 'conflict'>> {
  conflict?: AnyRow['conflict'];
  /** Columns that the indicator reads. A bar is a gap if one of them is not finite there. */
  inputs: readonly BarName[];
  /** A gap counts as if the bar were `absent`, or gives NaN while it is in the `window`. */
  gaps: 'absent' | 'window';
  /**
   * Expressions of the outputs, in their order.
   *
   * @param bars Columns to start from, by default those of bars.
   */
  expressions(params: IndicatorParams, isIntraday?: boolean, bars?: Bars): readonly Column[];
  /** Index of the first value of each output. */
  warmups(params: IndicatorParams): Readonly<Record<string, number>>;
  /** Index of the first value of any output. */
  warmup(params: IndicatorParams): number;
  /**
   * Computes the columns of a series.
   *
   * @param out Filled and returned; allocated by default.
   * @throws {ParameterError} a parameter is out of bounds, or a column's length is wrong.
   */
  compute(bars: IndicatorInput, params: IndicatorParams, out?: IndicatorOutput): IndicatorOutput;
}

const { periodMin, periodMax, periodDefault } = limits.indicator;

/** Parameter that counts bars: a window or a span. */
export function barsParam<Name extends string>(name: Name, defaultCount: number = periodDefault) {
  return { name, default: defaultCount, min: periodMin, max: periodMax, integer: true } as const;
}

/** Parameter that multiplies something. */
export function factorParam<Name extends string>(name: Name, defaultFactor: number) {
  return { name, default: defaultFactor, min: 0.01, max: 100, integer: false } as const;
}

/** Programs that are kept, the last ones used. */
const PROGRAMS_MAX = 64;
const programs = new Map<string, Program>();

function slowFirst({ fast, slow }: Readonly<Record<string, number>>): string | undefined {
  return fast < slow ? undefined : `fast must be less than slow "${slow}", got "${fast}"`;
}

/** Completes the definition of an indicator with what all have in common. */
export function indicator<
  const Name extends string,
  Param extends string,
  Output extends string = Name,
>(row: IndicatorRow<Name, Param, Output>): IndicatorSpec {
  const { name, params: specs = [], outputs = [name as string as Output] } = row;
  const hasBoth = ['fast', 'slow'].every((one) => specs.some((param) => param.name === one));
  const { conflict = hasBoth ? slowFirst : undefined } = row;
  const expressions = (params: IndicatorParams, isIntraday = false, bars = bar) => {
    const columns = row.columns(bars, params, isIntraday);
    return outputs.map((output) => columns[output]);
  };
  const defaults = Object.fromEntries(specs.map((param) => [param.name, param.default]));
  const read = [false, true].flatMap((is) => inputsOf(expressions(defaults, is)));
  // Expressions of indicators start from bars alone.
  const inputs = [...new Set(read)] as BarName[];
  const gaps = expressions(defaults).some(carriesOn) ? 'absent' : 'window';
  const warmups = (params: IndicatorParams) =>
    Object.fromEntries(expressions(params).map(({ first }, i) => [outputs[i], first]));
  return {
    priceOutputs: [],
    bounds: {},
    mainOutput: outputs[0],
    isPublished: false,
    ...row,
    ...(conflict && { conflict }),
    params: specs,
    outputs,
    inputs,
    gaps,
    expressions,
    warmups,
    warmup: (params) => Math.min(...Object.values(warmups(params))),
    compute(bars, params, out = outputColumns(outputs, bars.close.length)) {
      checkParams({ name, conflict, params: specs }, params);
      checkColumns(name, inputs, outputs, bars, out);
      const { length } = bars.close;
      const isIntraday = bars.session !== undefined;
      const values = specs.map((param) => params[param.name]);
      const program = programOf([name, ...values, isIntraday].join(':'), () =>
        expressions(params, isIntraday),
      );
      const columns = outputs.map((output) => out[output]);
      const read = inputs.filter((one) => bars[one]) as (keyof IndicatorInput)[];
      if (isWhole(bars, read)) program.run([bars], length, [columns]);
      else if (gaps === 'window') {
        program.run([withoutInfinities(bars, read)], length, [columns]);
        blankGaps(bars, read, columns);
      } else runWithoutGaps(program, bars, read, columns);
      return out;
    },
  };
}

function programOf(key: string, expressions: () => readonly Column[]): Program {
  const kept = programs.get(key);
  const program = kept ?? new Program(expressions());
  programs.delete(key);
  programs.set(key, program);
  if (programs.size > PROGRAMS_MAX) programs.delete(programs.keys().next().value!);
  return program;
}

/** New columns for the outputs of an indicator. */
export function outputColumns<Output extends string>(
  outputs: readonly Output[],
  length: number,
): Record<Output, Float64Array> {
  const entries = outputs.map((output) => [output, new Float64Array(length)]);
  return Object.fromEntries(entries);
}

/** Returns the value of a parameter that a request leaves out. */
export function defaultParam({ default: value, defaults }: ParamSpec, interval: Interval): number {
  return defaults?.[interval] ?? value;
}

/** Returns true if a value obeys the bounds of its parameter. */
export function isAllowed({ min, max, integer }: ParamSpec, value: number): boolean {
  return value >= min && value <= max && (!integer || Number.isInteger(value));
}

type Row = Pick<IndicatorSpec, 'name' | 'params' | 'conflict'>;

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

function checkColumns(
  name: string,
  inputs: readonly BarName[],
  outputs: readonly string[],
  bars: IndicatorInput,
  out: IndicatorOutput,
) {
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

type Inputs = readonly (keyof IndicatorInput)[];

/** Returns true without gaps: every value of the columns is finite. */
export function isWhole(bars: Lane, inputs: readonly InputName[]): boolean {
  // Sums that do not wait for one another.
  let [even, odd] = [0, 0];
  for (const input of inputs) {
    const column = laneColumn(bars, input);
    const last = column.length - 1;
    let row = 0;
    // The difference of a value from itself is 0, or NaN if it is not finite.
    for (; row < last; row += 2) {
      even += column[row] - column[row];
      odd += column[row + 1] - column[row + 1];
    }
    if (row === last) even += column[row] - column[row];
  }
  return even + odd === 0;
}

/** Runs on the bars that are not gaps, and spreads the values; NaN stands at the gaps. */
function runWithoutGaps(
  program: Program,
  bars: IndicatorInput,
  inputs: Inputs,
  out: readonly Float64Array[],
): void {
  const { length } = bars.close;
  const rows = Int32Array.from({ length }, (_, row) => row).filter((row) =>
    inputs.every((input) => Number.isFinite(bars[input]![row])),
  );
  const dense: Record<string, Float64Array> = {};
  for (const input of inputs) dense[input] = Float64Array.from(rows, (row) => bars[input]![row]);
  const denseOut = out.map(() => new Float64Array(rows.length));
  program.run([dense], rows.length, [denseOut]);
  for (const [place, column] of out.entries()) {
    column.fill(Number.NaN);
    for (let i = 0; i < rows.length; i++) column[rows[i]] = denseOut[place][i];
  }
}

/** Writes NaN at gaps: a delayed value does not read the bar at which it stands. */
function blankGaps(bars: IndicatorInput, inputs: Inputs, out: readonly Float64Array[]): void {
  for (let row = 0; row < bars.close.length; row++) {
    if (inputs.every((input) => Number.isFinite(bars[input]![row]))) continue;
    for (const column of out) column[row] = Number.NaN;
  }
}

/**
 * Copies bars with NaN in place of infinities: NaN makes every window that holds it NaN, while an
 * infinity gives infinite means.
 */
function withoutInfinities(bars: IndicatorInput, inputs: Inputs): Record<string, Float64Array> {
  const clean: Record<string, Float64Array> = {};
  for (const input of inputs) {
    clean[input] = bars[input]!.map((value) => (Number.isFinite(value) ? value : Number.NaN));
  }
  return clean;
}
