/**
 * The catalogue of indicators. API validation, published columns, documentation, benchmarks and
 * the contract test read it: a new indicator is one file of expressions and one row here.
 */

import type { Interval } from '../../base/time/intervals.ts';
import {
  defaultParam,
  type IndicatorParams,
  type IndicatorSpec,
} from '../columns/indicator-spec.ts';
import { alma } from './averages/alma.ts';
import { dema } from './averages/dema.ts';
import { ema } from './averages/ema.ts';
import { hma } from './averages/hma.ts';
import { kama } from './averages/kama.ts';
import { linreg } from './averages/linreg.ts';
import { midpoint } from './averages/midpoint.ts';
import { rma } from './averages/rma.ts';
import { sma } from './averages/sma.ts';
import { t3 } from './averages/t3.ts';
import { tema } from './averages/tema.ts';
import { vwap } from './averages/vwap.ts';
import { vwma } from './averages/vwma.ts';
import { wma } from './averages/wma.ts';
import { zlema } from './averages/zlema.ts';
import { awesome } from './momentum/awesome.ts';
import { bop } from './momentum/bop.ts';
import { cci } from './momentum/cci.ts';
import { cmo } from './momentum/cmo.ts';
import { connorsRsi } from './momentum/connors-rsi.ts';
import { coppock } from './momentum/coppock.ts';
import { dpo } from './momentum/dpo.ts';
import { elderRay } from './momentum/elder-ray.ts';
import { fisher } from './momentum/fisher.ts';
import { kst } from './momentum/kst.ts';
import { macd } from './momentum/macd.ts';
import { massIndex } from './momentum/mass-index.ts';
import { momentum } from './momentum/momentum.ts';
import { ppo } from './momentum/ppo.ts';
import { roc } from './momentum/roc.ts';
import { rsi } from './momentum/rsi.ts';
import { schaff } from './momentum/schaff.ts';
import { stochastic } from './momentum/stochastic.ts';
import { stochasticMomentum } from './momentum/stochastic-momentum.ts';
import { stochasticRsi } from './momentum/stochastic-rsi.ts';
import { trix } from './momentum/trix.ts';
import { tsi } from './momentum/tsi.ts';
import { ultimate } from './momentum/ultimate.ts';
import { williamsR } from './momentum/williams-r.ts';
import { adx } from './trend/adx.ts';
import { aroon } from './trend/aroon.ts';
import { candles } from './trend/candles.ts';
import { change } from './trend/change.ts';
import { heikinAshi } from './trend/heikin-ashi.ts';
import { highest } from './trend/highest.ts';
import { ichimoku } from './trend/ichimoku.ts';
import { lowest } from './trend/lowest.ts';
import { pivotPoints } from './trend/pivot-points.ts';
import { psar } from './trend/psar.ts';
import { supertrend } from './trend/supertrend.ts';
import { vortex } from './trend/vortex.ts';
import { atr } from './volatility/atr.ts';
import { bandwidth } from './volatility/bandwidth.ts';
import { bollinger } from './volatility/bollinger.ts';
import { chandelier } from './volatility/chandelier.ts';
import { chop } from './volatility/chop.ts';
import { donchian } from './volatility/donchian.ts';
import { historicalVolatility } from './volatility/historical-volatility.ts';
import { keltner } from './volatility/keltner.ts';
import { natr } from './volatility/natr.ts';
import { percentB } from './volatility/percent-b.ts';
import { squeeze } from './volatility/squeeze.ts';
import { stddev } from './volatility/stddev.ts';
import { trueRange } from './volatility/true-range.ts';
import { ulcer } from './volatility/ulcer.ts';
import { zscore } from './volatility/zscore.ts';
import { ad } from './volume/ad.ts';
import { chaikin } from './volume/chaikin.ts';
import { cmf } from './volume/cmf.ts';
import { eom } from './volume/eom.ts';
import { forceIndex } from './volume/force-index.ts';
import { klinger } from './volume/klinger.ts';
import { mfi } from './volume/mfi.ts';
import { nvi } from './volume/nvi.ts';
import { obv } from './volume/obv.ts';
import { pvi } from './volume/pvi.ts';
import { pvo } from './volume/pvo.ts';
import { pvt } from './volume/pvt.ts';

export const indicatorCatalogue: readonly IndicatorSpec[] = [
  sma,
  ema,
  rsi,
  macd,
  bollinger,
  atr,
  dema,
  tema,
  t3,
  wma,
  rma,
  hma,
  kama,
  vwma,
  vwap,
  zlema,
  linreg,
  midpoint,
  alma,
  adx,
  aroon,
  psar,
  supertrend,
  ichimoku,
  vortex,
  highest,
  lowest,
  change,
  heikinAshi,
  pivotPoints,
  candles,
  stddev,
  zscore,
  natr,
  keltner,
  donchian,
  percentB,
  bandwidth,
  chop,
  historicalVolatility,
  trueRange,
  chandelier,
  squeeze,
  ulcer,
  roc,
  momentum,
  ppo,
  trix,
  stochastic,
  stochasticRsi,
  williamsR,
  cci,
  ultimate,
  cmo,
  tsi,
  awesome,
  dpo,
  coppock,
  kst,
  bop,
  elderRay,
  massIndex,
  connorsRsi,
  fisher,
  schaff,
  stochasticMomentum,
  mfi,
  obv,
  ad,
  cmf,
  chaikin,
  pvt,
  forceIndex,
  eom,
  nvi,
  pvi,
  klinger,
  pvo,
];

/** A column of values that an indicator has with its default parameters. */
export interface IndicatorColumn {
  /** Name in files and SQL: the indicator's, followed by the output's where they differ. */
  name: string;
  spec: IndicatorSpec;
  params: IndicatorParams;
  output: string;
}

/** Columns that are published for every symbol, in catalogue order. */
export const defaultColumns: readonly IndicatorColumn[] = indicatorCatalogue
  .filter(({ isPublished }) => isPublished)
  .flatMap(columnsOf);

export function columnsOf(spec: IndicatorSpec): IndicatorColumn[] {
  const params = defaultParams(spec);
  return spec.outputs.map((output) => ({
    name: output === spec.name ? output : `${spec.name}_${output}`,
    spec,
    params,
    output,
  }));
}

/** Returns undefined for a name that no indicator has. */
export function indicatorByName(name: string): IndicatorSpec | undefined {
  return indicatorCatalogue.find((spec) => spec.name === name);
}

export function defaultParams(spec: IndicatorSpec, interval: Interval = '1d'): IndicatorParams {
  return Object.fromEntries(
    spec.params.map((param) => [param.name, defaultParam(param, interval)]),
  );
}
