/** TA-Lib 0.8.2 as an oracle: its functions by our indicators, and the process that runs them. */

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { IndicatorInput } from '../../../src/compute/columns/indicator-spec.ts';

export type Columns = readonly Float64Array[];

export interface Comparison {
  /** TA-Lib's function and its arguments: names of bar columns, then numbers. */
  call: readonly [name: string, ...args: (string | number)[]];
  /** Our outputs, in the order of its results. */
  outputs: readonly string[];
  /** Makes our columns of its results where it has another start or scale. */
  adapt?(results: Columns, bars: IndicatorInput): Columns;
  /** Bars from which both are compared: another seed has faded then. Our first value by default. */
  fromRow?: number;
  /** Bars by which its first value comes later than ours. */
  delay?: number;
}

/** Its functions of the patterns of candles, by our outputs, with the bars that ours need before. */
const CANDLES: readonly (readonly [output: string, name: string, warmup: number])[] = [
  ...([
    ['doji', 'DOJI', 10],
    ['hammer', 'HAMMER', 10],
  ] as const),
  ...([
    ['shooting_star', 'SHOOTINGSTAR', 10],
    ['marubozu', 'MARUBOZU', 10],
  ] as const),
  ...([
    ['engulfing', 'ENGULFING', 1],
    ['harami', 'HARAMI', 11],
  ] as const),
  ...([
    ['piercing', 'PIERCING', 11],
    ['dark_cloud', 'DARKCLOUDCOVER', 11],
  ] as const),
  ...([
    ['morning_star', 'MORNINGSTAR', 12],
    ['evening_star', 'EVENINGSTAR', 12],
  ] as const),
  ...([
    ['three_soldiers', '3WHITESOLDIERS', 12],
    ['three_crows', '3BLACKCROWS', 12],
  ] as const),
];

/** From here on another seed makes a difference of less than a millionth. */
const SETTLED = 300;

const HLC = ['high', 'low', 'close'] as const;

export const comparisons: Readonly<Record<string, Comparison>> = {
  'sma:20': { call: ['SMA', 'close', 20], outputs: ['sma'] },
  'ema:20': { call: ['EMA', 'close', 20], outputs: ['ema'] },
  'rsi:14': { call: ['RSI', 'close', 14], outputs: ['rsi'] },
  // Its CMO smooths gains and losses by Wilder's average, which makes it an RSI from -100 to 100.
  'rsi:15': {
    call: ['CMO', 'close', 15],
    outputs: ['rsi'],
    adapt: ([column]) => [column.map((value) => (value + 100) / 2)],
  },
  // It seeds the fast average late, and shows the line only where the signal begins.
  'macd:12:26:9': {
    call: ['MACD', 'close', 12, 26, 9],
    outputs: ['macd', 'signal', 'histogram'],
    fromRow: SETTLED,
    delay: 8,
  },
  'bollinger:20:2': {
    call: ['BBANDS', 'close', 20, 2, 2, 0],
    outputs: ['upper', 'middle', 'lower'],
  },
  'atr:14': { call: ['ATR', ...HLC, 14], outputs: ['atr'] },
  'rma:14': { call: ['RMA', 'close', 14], outputs: ['rma'] },
  'wma:14': { call: ['WMA', 'close', 14], outputs: ['wma'] },
  'dema:14': { call: ['DEMA', 'close', 14], outputs: ['dema'] },
  'tema:14': { call: ['TEMA', 'close', 14], outputs: ['tema'] },
  't3:5:0.7': { call: ['T3', 'close', 5, 0.7], outputs: ['t3'] },
  // Its weights are fixed to 2 and 30 bars.
  'kama:10:2:30': { call: ['KAMA', 'close', 10], outputs: ['kama'] },
  'midpoint:14': { call: ['MIDPOINT', 'close', 14], outputs: ['midpoint'] },
  // It has no r2.
  'linreg:14': { call: ['LINEARREG', 'close', 14], outputs: ['value'] },
  'linreg:15': { call: ['LINEARREG_SLOPE', 'close', 15], outputs: ['slope'] },
  'stddev:14': { call: ['STDDEV', 'close', 14, 1], outputs: ['stddev'] },
  'natr:14': { call: ['NATR', ...HLC, 14], outputs: ['natr'] },
  'donchian:20': {
    call: ['DONCHIAN', 'high', 'low', 20],
    outputs: ['upper', 'middle', 'lower'],
  },
  'hma:14': { call: ['HMA', 'close', 14], outputs: ['hma'] },
  'vwma:14': { call: ['VWMA', 'close', 'volume', 14], outputs: ['vwma'] },
  'zlema:14': { call: ['ZLEMA', 'close', 14], outputs: ['zlema'] },
  'vortex:14': { call: ['VORTEX', ...HLC, 14], outputs: ['plus', 'minus'] },
  // It begins upwards, whatever the price does, and has 0 before its first value.
  'supertrend:10:3': {
    call: ['SUPERTREND', ...HLC, 10, 3],
    outputs: ['value', 'direction'],
    fromRow: SETTLED,
  },
  // It seeds its sums one bar early, with a bar less.
  'adx:14': { call: ['ADX', ...HLC, 14], outputs: ['adx'], fromRow: SETTLED },
  'adx:15': { call: ['PLUS_DI', ...HLC, 15], outputs: ['plus_di'], fromRow: SETTLED },
  'adx:16': { call: ['MINUS_DI', ...HLC, 16], outputs: ['minus_di'], fromRow: SETTLED },
  'aroon:14': { call: ['AROON', 'high', 'low', 14], outputs: ['down', 'up'] },
  'aroon:15': { call: ['AROONOSC', 'high', 'low', 15], outputs: ['oscillator'] },
  'psar:0.02:0.2': { call: ['SAR', 'high', 'low', 0.02, 0.2], outputs: ['psar'] },
  'highest:14': { call: ['MAX', 'high', 14], outputs: ['highest'] },
  'lowest:14': { call: ['MIN', 'low', 14], outputs: ['lowest'] },
  'change:1': { call: ['MOM', 'close', 1], outputs: ['change'] },
  'roc:10': { call: ['ROC', 'close', 10], outputs: ['roc'] },
  'momentum:10': { call: ['MOM', 'close', 10], outputs: ['momentum'] },
  // It has no signal; 1 chooses EMAs.
  'ppo:12:26:9': { call: ['PPO', 'close', 12, 26, 1], outputs: ['ppo'] },
  // It has no signal.
  'trix:15': { call: ['TRIX', 'close', 15], outputs: ['trix'] },
  // It shows k only where d begins.
  'stochastic:14:3:3': {
    call: ['STOCH', ...HLC, 14, 3, 0, 3, 0],
    outputs: ['k', 'd'],
    delay: 2,
  },
  // It has no smoothing of k, which it shows only where d begins.
  'stochastic_rsi:14:14:1:3': {
    call: ['STOCHRSI', 'close', 14, 14, 3, 0],
    outputs: ['k', 'd'],
    delay: 2,
  },
  'williams_r:14': { call: ['WILLR', ...HLC, 14], outputs: ['williams_r'] },
  'cci:20': { call: ['CCI', ...HLC, 20], outputs: ['cci'] },
  'ultimate:7:14:28': { call: ['ULTOSC', ...HLC, 7, 14, 28], outputs: ['ultimate'] },
  'cmo:14': { call: ['CMOU', 'close', 14], outputs: ['cmo'] },
  // It has no signal.
  'tsi:25:13': { call: ['TSI', 'close', 25, 13], outputs: ['tsi'] },
  'awesome:5:34': { call: ['AO', 'high', 'low', 5, 34], outputs: ['awesome'] },
  'dpo:21': { call: ['DPO', 'close', 21], outputs: ['dpo'] },
  'coppock:10:14:11': { call: ['COPPOCK', 'close', 10, 11, 14], outputs: ['coppock'] },
  'elder_ray:13': { call: ['ERI', ...HLC, 13], outputs: ['bull', 'bear'] },
  'mass_index:9:25': { call: ['MASSI', 'high', 'low', 9, 25], outputs: ['mass_index'] },
  bop: { call: ['BOP', 'open', ...HLC], outputs: ['bop'] },
  'mfi:14': { call: ['MFI', ...HLC, 'volume', 14], outputs: ['mfi'] },
  // It begins with the volume of the first bar.
  obv: {
    call: ['OBV', 'close', 'volume'],
    outputs: ['obv'],
    adapt: ([column], { volume }) => [column.map((value) => value - volume[0])],
  },
  ad: { call: ['AD', ...HLC, 'volume'], outputs: ['ad'] },
  'cmf:20': { call: ['CMF', ...HLC, 'volume', 20], outputs: ['cmf'] },
  pvt: { call: ['PVT', 'close', 'volume'], outputs: ['pvt'] },
  'force_index:13': { call: ['EFI', 'close', 'volume', 13], outputs: ['force_index'] },
  // It starts both averages from the first value of the line.
  'chaikin:3:10': {
    call: ['ADOSC', ...HLC, 'volume', 3, 10],
    outputs: ['chaikin'],
    fromRow: SETTLED,
  },
  true_range: { call: ['TRANGE', ...HLC], outputs: ['true_range'] },
  heikin_ashi: { call: ['HA', 'open', ...HLC], outputs: ['open', 'high', 'low', 'close'] },
  // It has no signal; 1 chooses EMAs.
  'pvo:12:26:9': { call: ['PVO', 'volume', 12, 26, 1], outputs: ['pvo'] },
  // It shows the line only where the signal begins.
  'stochastic_momentum:13:25:2:9': {
    call: ['SMI', ...HLC, 13, 2, 25, 9],
    outputs: ['smi', 'signal'],
    delay: 8,
  },
  // It has 100, or 80 where bodies touch, and 0 before its first value.
  ...Object.fromEntries(
    CANDLES.map(([output, name, warmup]) => [
      `candles ${output}`,
      {
        call: [`CDL${name}`, 'open', ...HLC],
        outputs: [output],
        adapt: ([column]: Columns) => [column.map(Math.sign)],
        delay: -warmup,
        // Its shooting star and its three crows start a bar later than ours.
        fromRow: 13,
      },
    ]),
  ),
};

const PROGRAM = `
import json, sys
# TA-Lib imports these to accept their columns, which takes a second.
sys.modules['polars'] = sys.modules['pandas'] = None
import numpy, talib
def run(bars, call):
    name, *args = call
    result = getattr(talib, name)(*[bars[arg] if isinstance(arg, str) else arg for arg in args])
    columns = result if isinstance(result, (tuple, list)) else [result]
    return [[None if x != x else x for x in column.tolist()] for column in columns]
calls = json.loads(sys.stdin.readline())
for line in sys.stdin:
    bars = {name: numpy.array(column, float) for name, column in json.loads(line).items()}
    # JSON has no infinity, and JavaScript reads this number as one.
    print(json.dumps([run(bars, call) for call in calls]).replace('Infinity', '1e999'), flush=True)
`;

export interface Talib {
  /** Columns by comparison, NaN where TA-Lib has no value. */
  run(bars: IndicatorInput): Promise<Columns[]>;
  close(): void;
}

export function startTalib(python: string): Talib {
  const child: ChildProcess = spawn(python, ['-c', PROGRAM], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const send = (value: unknown) => child.stdin!.write(`${JSON.stringify(value)}\n`);
  send(Object.values(comparisons).map(({ call }) => call));
  return {
    async run(bars) {
      send(Object.fromEntries(Object.entries(bars).map(([name, column]) => [name, [...column]])));
      const { value, done } = await lines.next();
      if (done) throw new Error('the process of TA-Lib has ended');
      const results: (number | null)[][][] = JSON.parse(value);
      return results.map((columns) =>
        columns.map((column) => Float64Array.from(column, (one) => one ?? Number.NaN)),
      );
    },
    close: () => child.kill(),
  };
}
