/** The exact reference by names of the catalogue. */

import type {
  IndicatorInput,
  IndicatorParams,
} from '../../../src/compute/columns/indicator-spec.ts';
import {
  type EmaSeed,
  type Exact,
  exactAtr,
  exactBollinger,
  exactEma,
  exactMacd,
  exactRsi,
  exactSma,
} from './exact.ts';

export type ExactColumns = Readonly<Record<string, Exact[]>>;

type ExactIndicator = (
  bars: IndicatorInput,
  params: IndicatorParams,
  seed: EmaSeed,
) => ExactColumns;

/** By indicator; a row of the catalogue that is missing here has no vector and fails a test. */
export const exactIndicators: Readonly<Record<string, ExactIndicator>> = {
  sma: ({ close }, { period }) => ({ sma: exactSma(close, period) }),
  ema: ({ close }, { period }, seed) => ({ ema: exactEma(close, period, seed) }),
  rsi: ({ close }, { period }) => ({ rsi: exactRsi(close, period) }),
  macd: ({ close }, { fast, slow, signal }, seed) => ({
    ...exactMacd(close, fast, slow, signal, seed),
  }),
  atr: (bars, { period }) => ({ atr: exactAtr(bars, period) }),
  bollinger: ({ close }, { period, k }) => ({ ...exactBollinger(close, period, k) }),
};

/** Exact outputs of an indicator, by output name. */
export function exactColumns(
  indicator: string,
  bars: IndicatorInput,
  params: IndicatorParams,
  seed: EmaSeed = 'mean',
): ExactColumns {
  return exactIndicators[indicator](bars, params, seed);
}
