/** Short functions that declare the columns of datasets. */

import type { ColumnKind, ColumnRule, DatasetColumn, ShownFigure } from './dataset.ts';

interface Column<
  N extends string,
  K extends ColumnKind,
  Required extends boolean,
  C extends string = string,
> extends DatasetColumn {
  name: N;
  kind: K;
  isRequired: Required;
  choices?: readonly C[];
}

/** Declares a required column; a single example is in all rows of the template. */
export function required<const N extends string, K extends ColumnKind>(
  name: N,
  kind: K,
  meaning: string,
  examples: string | readonly string[],
  rule: ColumnRule = {},
): Column<N, K, true> {
  return { name, kind, isRequired: true, meaning, examples: [examples].flat(), ...rule };
}

export function optional<const N extends string, K extends ColumnKind>(
  name: N,
  kind: K,
  meaning: string,
  examples: string | readonly string[],
  rule: ColumnRule = {},
): Column<N, K, false> {
  return { name, kind, isRequired: false, meaning, examples: [examples].flat(), ...rule };
}

/** Declares a required column whose values are a few words. */
export function choice<const N extends string, const C extends string>(
  name: N,
  choices: readonly C[],
  meaning: string,
  examples: string | readonly string[],
): Column<N, 'choice', true, C> {
  return { ...required(name, 'choice', meaning, examples), choices };
}

/** Declares an optional column whose values are a few words. */
export function optionalChoice<const N extends string, const C extends string>(
  name: N,
  choices: readonly C[],
  meaning: string,
  examples: string | readonly string[],
): Column<N, 'choice', false, C> {
  return { ...optional(name, 'choice', meaning, examples), choices };
}

/** Declares a column that is true, false or empty. */
export function optionalFlag<const N extends string>(
  name: N,
  meaning: string,
  example: 'true' | 'false',
): Column<N, 'flag', false> {
  return { ...optional(name, 'flag', meaning, example), choices: ['true', 'false'] };
}

/** Declares a figure that a statement shows; its unit is US dollars by default. */
export function figure<const N extends string>(
  name: N,
  title: string,
  meaning: string,
  examples: readonly string[],
  more: Partial<ShownFigure> = {},
): Column<N, 'number', false> & { shown: ShownFigure } {
  return { ...optional(name, 'number', meaning, examples), shown: { title, unit: 'usd', ...more } };
}

/** Declares the column of a record's security. */
export const symbol = (examples: string | readonly string[] = 'AAPL') =>
  required('symbol', 'symbol', 'ticker, in any vendor’s spelling', examples);
