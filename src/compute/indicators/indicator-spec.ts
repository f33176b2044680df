/** The shape of a row of the catalogue, and how a row is made of a kernel. */

/** The columns an indicator may read, oldest first; bars have them. */
export interface IndicatorInput {
  close: Float64Array;
}

/** Values by parameter name; every parameter of the row is present. */
export type IndicatorParams = Readonly<Record<string, number>>;

/** Columns by output name, as long as the input, NaN where there is no value. */
export type IndicatorOutput = Readonly<Record<string, Float64Array>>;

export interface ParamSpec<Name extends string = string> {
  name: Name;
  default: number;
  /** Least and greatest allowed value, both inclusive. */
  min: number;
  max: number;
  integer: boolean;
}

/** What a row says. `Param` and `Output` are its names, so that a misspelled one fails to compile. */
interface IndicatorRow<Param extends string, Output extends string> {
  name: string;
  title: string;
  /** In the order in which `name:a:b` gives them. */
  params: readonly ParamSpec<Param>[];
  outputs: readonly Output[];
  /** The output that stands for the indicator where one number is asked. */
  mainOutput: NoInfer<Output>;
  /** Index of the first value of each output. */
  warmups(params: Readonly<Record<Param, number>>): Record<NoInfer<Output>, number>;
  /** A rule that the parameters break together, as `fast must be …`; undefined when they fit. */
  conflict?(params: Readonly<Record<Param, number>>): string | undefined;
}

type Kernel<Param extends string, Output extends string> = (
  input: IndicatorInput,
  params: Readonly<Record<Param, number>>,
  out: Readonly<Record<Output, Float64Array>>,
) => void;

export interface IndicatorSpec extends IndicatorRow<string, string> {
  /** Index of the first value of any output. */
  warmup(params: IndicatorParams): number;
  /** Runs the kernel. Allocates the columns unless `out` brings them; returns them. */
  compute(input: IndicatorInput, params: IndicatorParams, out?: IndicatorOutput): IndicatorOutput;
}

/** Makes the row of a kernel. */
export function indicator<Param extends string, Output extends string>(
  row: IndicatorRow<Param, Output>,
  kernel: Kernel<Param, Output>,
): IndicatorSpec {
  return {
    ...row,
    warmup: (params) => Math.min(...Object.values<number>(row.warmups(params))),
    compute: (input, params, out = outputColumns(row.outputs, input.close.length)) => {
      kernel(input, params, out);
      return out;
    },
  };
}

/** Fresh columns for a row's outputs. */
export function outputColumns<Output extends string>(
  outputs: readonly Output[],
  length: number,
): Record<Output, Float64Array> {
  const entries = outputs.map((output) => [output, new Float64Array(length)]);
  return Object.fromEntries(entries);
}
