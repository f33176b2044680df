/** Names that an expression may begin with. */

import { SCREEN_FIELD_NAMES } from '../../base/fields.ts';
import type { AcrossName } from '../../base/symbol-expression.ts';
import type { IndicatorSpec } from '../../compute/columns/indicator-spec.ts';
import { indicatorByName, indicatorCatalogue } from '../../compute/indicators/catalogue.ts';
import { squashed } from './advice/words.ts';
import { PRICE_NAMES, type RowFunction, type WindowFunction } from './expression.ts';
import { isReserved } from './grammar.ts';

export const ROW_FUNCTIONS: Readonly<
  Record<string, { name: RowFunction; form: string; count: number }>
> = {
  abs: { name: 'abs', form: 'abs(x)', count: 1 },
  log: { name: 'log', form: 'log(x)', count: 1 },
  min: { name: 'min', form: 'min(a, b)', count: 2 },
  max: { name: 'max', form: 'max(a, b)', count: 2 },
  if: { name: 'if', form: 'if(condition, a, b)', count: 3 },
};

export const WINDOW_FUNCTIONS: Readonly<
  Record<
    string,
    {
      name: WindowFunction;
      form: string;
      defaultBars?: number;
      isOfCondition?: true;
      /** Fewest bars of the window; by default 1. */
      least?: number;
      /** True if a share from 0 to 1 follows. */
      hasShare?: true;
    }
  >
> = {
  avg: { name: 'avg', form: 'avg(x, n)' },
  sum: { name: 'sum', form: 'sum(x, n)' },
  pct_change: { name: 'pct_change', form: 'pct_change(x, n)', defaultBars: 1 },
  count: { name: 'count', form: 'count(condition, n)', isOfCondition: true },
  beta: { name: 'beta', form: 'beta(x, n)', least: 2 },
  correlation: { name: 'correlation', form: 'correlation(x, n)', least: 2 },
  percent_rank: { name: 'percent_rank', form: 'percent_rank(x, n)', least: 2 },
  quantile: { name: 'quantile', form: 'quantile(x, n, q)', hasShare: true },
  percent_change: { name: 'pct_change', form: 'pct_change(x, n)', defaultBars: 1 },
};

export const ACROSS = ['rank', 'demean', 'standard'] as const satisfies AcrossName[];

export const INTERVALS = { weekly: '1w', monthly: '1M' } as const;

/** All names that an expression may begin with, for the nearest to a wrong one. */
export const NAMES: readonly string[] = [
  ...PRICE_NAMES,
  ...indicatorCatalogue.map(({ name }) => name),
  ...Object.keys(WINDOW_FUNCTIONS),
  'bars_since',
  'anchored_vwap',
  ...Object.keys(ROW_FUNCTIONS),
  ...Object.keys(INTERVALS),
  ...ACROSS,
  ...SCREEN_FIELD_NAMES,
];

const BY_LETTERS: ReadonlyMap<string, string> = new Map(
  NAMES.map((name) => [squashed(name), name]),
);

/** Returns the name that has these letters, in lower case: that of `marketcap` is `market_cap`. */
export function nameOfLetters(letters: string): string | undefined {
  return BY_LETTERS.get(letters);
}

/** Returns true for a name that means something in a screen, so that an own column can't have it. */
export function isScreenWord(name: string): boolean {
  return NAMES.includes(name) || isReserved(name) || indicatorAndOutput(name) !== undefined;
}

/** Finds an indicator by its name, or by that of a column in files, such as `bollinger_upper`. */
export function indicatorAndOutput(
  name: string,
): { spec: IndicatorSpec; output: string | undefined } | undefined {
  const whole = indicatorByName(name);
  if (whole) return { spec: whole, output: undefined };
  for (let end = name.lastIndexOf('_'); end > 0; end = name.lastIndexOf('_', end - 1)) {
    const spec = indicatorByName(name.slice(0, end));
    const output = name.slice(end + 1);
    if (spec?.outputs.includes(output)) return { spec, output };
  }
  return undefined;
}

export function joined(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
