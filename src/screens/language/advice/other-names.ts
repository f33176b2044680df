/**
 * Other names of indicators and functions, as letters alone. With numbers, as `ma(50)` and `ma50`, they
 * mean the same; alone they are answered, since programs differ in their defaults.
 */

const NAMES = `
sma: ma mavg movingaverage simplemovingavg movavg mov
ema: expaverage movavgexponential expma exponentialmovingaverage
rma: wilders smma wildersaverage
avg: average mean
stddev: stdev std standarddeviation
momentum: mom momentumindicator
hma: hull hullma
linreg: lsma linearregression linearreg
bollinger: bb bbands boll bollingerbands
keltner: kc keltnerchannel
donchian: dc
historical_volatility: hv historicalvol
stochastic: stoch
stochastic_rsi: stochrsi
williams_r: willr williams wpr williamspercentr
awesome: ao
psar: sar parabolicsar
ultimate: uo ultosc ultimateosc ultimateoscillator
force_index: efi force
connors_rsi: crsi
schaff: stc
klinger: kvo
stochastic_momentum: smi
squeeze: ttmsqueeze
ulcer: ulcerindex ui
chandelier: chandelierexit
fisher: fishertransform
true_range: tr truerange trange truerng
pivot_points: pivot pivots
tema: tema3
percent_b: percentb
chaikin: adosc chaikinosc
ad: accumdist adline accumulationdistribution
obv: onbalancevolume
cmf: moneyflow chaikinmoneyflow
mass_index: massi
coppock: copc
elder_ray: elder bullbear
roc: rateofchange
atr: averagetruerange avgtruerange
zscore: zs
natr: natrp
mfi: mfiindex
wma: weightedmovingaverage
rsi: relativestrengthindex
heikin_ashi: heikinashi
cci: commoditychannelindex
chop: choppiness choppinessindex
`;

/** By other name, the name here. */
export const OTHER_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  NAMES.trim()
    .split('\n')
    .flatMap((line) => {
      const [name, others] = line.split(': ');
      return others.split(' ').map((other) => [other, name] as const);
    }),
);
