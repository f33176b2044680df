/** The shape of a peer that runs in this process: a built-in library, or a module of `--peer`. */

import type { IndicatorInput } from '../../../src/compute/columns/indicator-spec.ts';

/** Columns of bars as plain arrays, oldest bar first: the form that most libraries document. */
export type PeerBars = Readonly<Record<'open' | 'high' | 'low' | 'close' | 'volume', number[]>>;

/** One bar. */
export type PeerBar = Readonly<Record<keyof PeerBars, number>>;

/** Columns by output name of the catalogue. The last value of each belongs to the last bar. */
export type PeerColumns = Readonly<Record<string, ArrayLike<number | null | undefined>>>;

/** Values by parameter name of the catalogue. */
export type PeerParams = Readonly<Record<string, number>>;

/** One indicator with its parameters. */
export interface PeerIndicator {
  /** The library's own call, with its own form of result. Only this is timed. */
  run(bars: never): unknown;
  /** Brings the result into columns; not timed. Without it, the result is the columns. */
  columns?(result: never): PeerColumns;
  /** Starts a series; the returned function takes one bar at a time, and is timed. */
  stream?(): (bar: PeerBar) => unknown;
}

export interface PeerModule {
  name: string;
  version?: string;
  /** One line of the report: how the library is driven. */
  description?: string;
  /** Brings bars into the library's form; not timed. Default: plain arrays. */
  prepare?(bars: IndicatorInput): unknown;
  /** Returns undefined for an indicator, or parameters, that the library does not have. */
  indicator(name: string, params: PeerParams): PeerIndicator | undefined;
}

export function plainBars({ open, high, low, close, volume }: IndicatorInput): PeerBars {
  return {
    open: Array.from(open),
    high: Array.from(high),
    low: Array.from(low),
    close: Array.from(close),
    volume: Array.from(volume),
  };
}

/** Indicators of a library by their name in the catalogue. */
export type PeerTable = Readonly<Record<string, (params: PeerParams) => PeerIndicator | undefined>>;

/** Completes an indicator whose result is not in columns. */
export function converted<Result>(
  run: (bars: PeerBars) => Result,
  columns: (result: Result) => PeerColumns,
): PeerIndicator {
  return { run: run as (bars: never) => unknown, columns: columns as PeerIndicator['columns'] };
}

/** Completes an indicator with one output. */
export function single(
  output: string,
  run: (bars: PeerBars) => ArrayLike<number | null | undefined>,
): PeerIndicator {
  return converted(run, (values) => ({ [output]: values }));
}

/** Columns of results that are an object a bar. @param fields Field of each output. */
export function columnsOf<Field extends string>(fields: Readonly<Record<string, Field>>) {
  const names = Object.entries<Field>(fields);
  return (results: readonly Readonly<Partial<Record<Field, number | undefined>>>[]): PeerColumns =>
    Object.fromEntries(names.map(([output, field]) => [output, results.map((one) => one[field])]));
}

export const bandsOf = columnsOf({ upper: 'upper', middle: 'middle', lower: 'lower' });

export function indicatorOf(
  table: PeerTable,
): (name: string, params: PeerParams) => PeerIndicator | undefined {
  return (name, params) => (Object.hasOwn(table, name) ? table[name](params) : undefined);
}
