/**
 * Every indicator, one row each. API validation, precomputed columns, documentation, benchmarks
 * and the contract test read these rows: a new indicator is one kernel file and one row.
 */

import { limits } from '../../base/limits/limits.ts';
import { bollinger, bollingerWarmup } from './bollinger.ts';
import { ema, emaWarmup } from './ema.ts';
import {
  type IndicatorParams,
  type IndicatorSpec,
  indicator,
  type ParamSpec,
} from './indicator-spec.ts';
import { macd, macdConflict, macdSignalWarmup, macdWarmup } from './macd.ts';
import { rsi, rsiWarmup } from './rsi.ts';
import { sma, smaWarmup } from './sma.ts';

const { periodMin, periodMax, periodDefault } = limits.indicator;

/** A window or span in bars. */
function bars<Name extends string>(name: Name, defaultCount: number = periodDefault) {
  return { name, default: defaultCount, min: periodMin, max: periodMax, integer: true } as const;
}

export const indicatorCatalogue: readonly IndicatorSpec[] = [
  indicator(
    {
      name: 'sma',
      title: 'Simple moving average',
      params: [bars('period')],
      outputs: ['sma'],
      mainOutput: 'sma',
      warmups: ({ period }) => ({ sma: smaWarmup(period) }),
    },
    ({ close }, { period }, out) => sma(close, period, out.sma),
  ),
  indicator(
    {
      name: 'ema',
      title: 'Exponential moving average',
      params: [bars('period')],
      outputs: ['ema'],
      mainOutput: 'ema',
      warmups: ({ period }) => ({ ema: emaWarmup(period) }),
    },
    ({ close }, { period }, out) => ema(close, period, out.ema),
  ),
  indicator(
    {
      name: 'rsi',
      title: 'Relative Strength Index',
      params: [bars('period')],
      outputs: ['rsi'],
      mainOutput: 'rsi',
      warmups: ({ period }) => ({ rsi: rsiWarmup(period) }),
    },
    ({ close }, { period }, out) => rsi(close, period, out.rsi),
  ),
  indicator(
    {
      name: 'macd',
      title: 'Moving Average Convergence Divergence',
      params: [bars('fast', 12), bars('slow', 26), bars('signal', 9)],
      outputs: ['macd', 'signal', 'histogram'],
      mainOutput: 'macd',
      warmups: ({ slow, signal }) => ({
        macd: macdWarmup(slow),
        signal: macdSignalWarmup(slow, signal),
        histogram: macdSignalWarmup(slow, signal),
      }),
      conflict: ({ fast, slow }) => macdConflict(fast, slow),
    },
    ({ close }, { fast, slow, signal }, out) => macd(close, fast, slow, signal, out),
  ),
  indicator(
    {
      name: 'bollinger',
      title: 'Bollinger bands',
      params: [
        bars('period'),
        { name: 'k', default: 2, min: 0.01, max: 100, integer: false } satisfies ParamSpec<'k'>,
      ],
      outputs: ['upper', 'middle', 'lower'],
      mainOutput: 'middle',
      warmups: ({ period }) => ({
        upper: bollingerWarmup(period),
        middle: bollingerWarmup(period),
        lower: bollingerWarmup(period),
      }),
    },
    ({ close }, { period, k }, out) => bollinger(close, period, k, out),
  ),
];

/** A column that is published for every symbol, computed with the default parameters. */
export interface IndicatorColumn {
  /** Its name in files and SQL: the indicator's, followed by the output's where they differ. */
  name: string;
  spec: IndicatorSpec;
  params: IndicatorParams;
  output: string;
}

/** All outputs of all indicators, in catalogue order. Columns of one indicator stand together. */
export const defaultColumns: readonly IndicatorColumn[] = indicatorCatalogue.flatMap((spec) =>
  spec.outputs.map((output) => ({
    name: output === spec.name ? output : `${spec.name}_${output}`,
    spec,
    params: defaultParams(spec),
    output,
  })),
);

/** @returns undefined where no indicator has the name. */
export function indicatorByName(name: string): IndicatorSpec | undefined {
  return indicatorCatalogue.find((spec) => spec.name === name);
}

export function defaultParams(spec: IndicatorSpec): IndicatorParams {
  return Object.fromEntries(spec.params.map((param) => [param.name, param.default]));
}
