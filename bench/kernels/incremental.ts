/**
 * Speed of one new bar for every symbol, all published columns, from saved state:
 * `node bench/kernels/incremental.ts [--quick | --smoke]`.
 *
 * A run takes two blocks of the windows' period, so that the cost of opening a block is in it.
 * The libraries' own streaming classes do the same work, one object per symbol and indicator.
 */

import {
  BollingerBands as TiBollinger,
  EMA as TiEma,
  MACD as TiMacd,
  RSI as TiRsi,
  SMA as TiSma,
} from 'technicalindicators';
import { BollingerBands, EMA, MACD, RSI, SMA } from 'trading-signals';
import { blankBars } from '../../src/base/bars.ts';
import type { IndicatorOutput } from '../../src/compute/columns/indicator-spec.ts';
import { defaultColumns } from '../../src/compute/indicators/catalogue.ts';
import {
  computeColumns,
  NextBars,
  STATE_FIELDS,
} from '../../src/compute/indicators/published-columns.ts';
import { barsOf } from '../../test/compute/support/bars-of.ts';
import { randomWalk } from '../../test/compute/support/hostile-series.ts';
import {
  benchSizeFromArgs,
  type Candidates,
  checkResult,
  type Goal,
  goalLines,
  machineLine,
  readable,
  tableFromRows,
  timeInterleaved,
} from '../harness.ts';

const SIZES = {
  smoke: { symbolCount: 30, historyCount: 100, rounds: 1 },
  quick: { symbolCount: 1_000, historyCount: 250, rounds: 5 },
  full: { symbolCount: 10_000, historyCount: 2_520, rounds: 21 },
};

const paramsOf = (name: string) => defaultColumns.find(({ spec }) => spec.name === name)!.params;
const [sma, ema, rsi, macd, bollinger] = ['sma', 'ema', 'rsi', 'macd', 'bollinger'].map(paramsOf);
const RUN_BARS = 2 * bollinger.period;

const OURS = 'tapeworks, a complete bar';
const PREVIEW = 'tapeworks, a running bar';
const COPY = 'copy of the state';

const size = benchSizeFromArgs();
const { symbolCount, historyCount, rounds } = SIZES[size];
// Histories differ in length, so that blocks open on different days.
const series = Array.from({ length: symbolCount }, (_, symbol) =>
  randomWalk(historyCount + (symbol % RUN_BARS) + RUN_BARS, symbol + 1),
);
/** By bar of a run: one close per symbol. */
const newCloses = Array.from({ length: RUN_BARS }, (_, bar) =>
  Float64Array.from(series, (closes) => closes[closes.length - RUN_BARS + bar]),
);
/** Values of the last bar, by published column. */
const out = defaultColumns.map(() => new Float64Array(symbolCount));

const state = new Float64Array(symbolCount * STATE_FIELDS);
series.forEach((closes, symbol) => {
  const bars = blankBars(closes.length - RUN_BARS);
  bars.close.set(closes.subarray(0, bars.close.length));
  const columns = defaultColumns.map(() => new Float64Array(bars.close.length));
  computeColumns(bars, bars.close.length, columns, state, symbol * STATE_FIELDS);
});

/** Row of each symbol's next bar. */
const nextRows = Int32Array.from(series, (closes) => closes.length - RUN_BARS);

/** Gives every symbol its new bars, one after the other; keeps the states before if it `previews`. */
function run(previews: boolean): void {
  for (const [bar, close] of newCloses.entries()) {
    const next = new NextBars(symbolCount);
    const bars = { ...blankBars(0), open: close, high: close, low: close, close, volume: close };
    for (let symbol = 0; symbol < symbolCount; symbol++) {
      const row = nextRows[symbol] + (previews ? 0 : bar);
      next.add(symbol * STATE_FIELDS, row, 0, !previews, bars, symbol);
    }
    next.run(state);
    for (let i = 0; i < out.length; i++) out[i].set(next.values[i]);
  }
  if (!previews) for (let symbol = 0; symbol < symbolCount; symbol++) nextRows[symbol] += RUN_BARS;
}

/** The last values of the kernels over a whole history, by column. */
function recompute(close: Float64Array): Record<string, number> {
  const values: Record<string, number> = {};
  let columns: IndicatorOutput = {};
  for (const [i, { name, spec, output, params: columnParams }] of defaultColumns.entries()) {
    if (spec !== defaultColumns[i - 1]?.spec) columns = spec.compute(barsOf(close), columnParams);
    values[name] = columns[output][close.length - 1];
  }
  return values;
}

/** One object per symbol and indicator; a call takes a close and gives all nine values. */
type Stream = (close: number) => Record<string, number | undefined>;

function tradingSignals(): Stream {
  const indicators = {
    sma: new SMA(sma.period),
    ema: new EMA(ema.period),
    rsi: new RSI(rsi.period),
    macd: new MACD(new EMA(macd.fast), new EMA(macd.slow), new EMA(macd.signal)),
    bollinger: new BollingerBands(bollinger.period, bollinger.k),
  };
  return (close) => {
    const lines = indicators.macd.add(close);
    const bands = indicators.bollinger.add(close);
    return {
      sma: indicators.sma.add(close) ?? undefined,
      ema: indicators.ema.add(close) ?? undefined,
      rsi: indicators.rsi.add(close) ?? undefined,
      macd: lines?.macd,
      macd_signal: lines?.signal,
      macd_histogram: lines?.histogram,
      bollinger_upper: bands?.upper,
      bollinger_middle: bands?.middle,
      bollinger_lower: bands?.lower,
    };
  };
}

function technicalIndicators(): Stream {
  const values: number[] = [];
  const indicators = {
    sma: new TiSma({ period: sma.period, values }),
    ema: new TiEma({ period: ema.period, values }),
    rsi: new TiRsi({ period: rsi.period, values }),
    macd: new TiMacd({
      fastPeriod: macd.fast,
      slowPeriod: macd.slow,
      signalPeriod: macd.signal,
      SimpleMAOscillator: false,
      SimpleMASignal: false,
      values,
    }),
    bollinger: new TiBollinger({ period: bollinger.period, stdDev: bollinger.k, values }),
  };
  return (close) => {
    const lines = indicators.macd.nextValue(close);
    const bands = indicators.bollinger.nextValue(close);
    return {
      sma: indicators.sma.nextValue(close),
      ema: indicators.ema.nextValue(close),
      rsi: indicators.rsi.nextValue(close),
      macd: lines?.MACD,
      macd_signal: lines?.signal,
      macd_histogram: lines?.histogram,
      bollinger_upper: bands?.upper,
      bollinger_middle: bands?.middle,
      bollinger_lower: bands?.lower,
    };
  };
}

/** The slow ones get a part of the universe. */
const peers = [
  { name: 'trading-signals', universeShare: 0.1, make: tradingSignals },
  { name: 'technicalindicators', universeShare: 0.02, make: technicalIndicators },
].map(({ name, universeShare, make }) => {
  const streams = series.slice(0, Math.max(1, symbolCount * universeShare)).map((closes) => {
    const stream = make();
    closes.subarray(0, closes.length - RUN_BARS).forEach((close) => {
      stream(close);
    });
    return stream;
  });
  const last: ReturnType<Stream>[] = [];
  const run = () => {
    for (const closes of newCloses) {
      for (let symbol = 0; symbol < streams.length; symbol++) {
        last[symbol] = streams[symbol](closes[symbol]);
      }
    }
  };
  return { name, symbolCount: streams.length, last, run };
});

/** Ours must have the bits of the kernels, the libraries their values. */
function checkResults(): void {
  run(false);
  for (const peer of peers) peer.run();
  for (let symbol = 0; symbol < symbolCount; symbol += Math.ceil(symbolCount / 500)) {
    const expected = recompute(series[symbol]);
    for (const [i, { name }] of defaultColumns.entries()) {
      const value = out[i][symbol];
      checkResult(
        Object.is(value, expected[name]),
        `${name} of symbol ${symbol} is ${value}, not ${expected[name]}`,
      );
    }
  }
  for (const { name, last } of peers) {
    const expected = recompute(series[0]);
    for (const [column, value = Number.NaN] of Object.entries(last[0])) {
      // technicalindicators rounds its RSI to two decimals.
      const isNear = Math.abs(value - expected[column]) <= 1e-2;
      checkResult(isNear, `${name} ${column} is ${value}, not ${expected[column]}`);
    }
  }
}

checkResults();

const spare = new Float64Array(state.length);
const candidates: Candidates = {
  [COPY]: () => {
    for (let bar = 0; bar < RUN_BARS; bar++) spare.set(state);
  },
  [OURS]: () => run(false),
  [PREVIEW]: () => run(true),
};
const symbolCounts: Record<string, number> = {
  [COPY]: symbolCount,
  [OURS]: symbolCount,
  [PREVIEW]: symbolCount,
};
for (const peer of peers) {
  candidates[peer.name] = peer.run;
  symbolCounts[peer.name] = peer.symbolCount;
}
const timings = await timeInterleaved(candidates, rounds);

const nanosPerBar = (name: string, ms: number) => (ms * 1e6) / symbolCounts[name] / RUN_BARS;
const medianNs = (name: string) => nanosPerBar(name, timings[name].medianMs);

if (size === 'smoke') {
  console.log('incremental: results are right');
} else {
  console.log(`${symbolCount} symbols after ${historyCount} bars and more, ${rounds} rounds`);
  console.log(`${state.byteLength / symbolCount} bytes of state a symbol, one thread`);
  console.log(`${machineLine()}\n`);
  const rows = Object.entries(timings).map(([name, { minMs, medianMs, p99Ms }]) => {
    const times = [minMs, medianMs, p99Ms].map((ms) => readable(nanosPerBar(name, ms)));
    return [
      name,
      readable(symbolCounts[name]),
      ...times,
      readable(medianNs(name) / medianNs(OURS)),
    ];
  });
  const header = ['ns a symbol and bar', 'symbols', 'min', 'median', 'p99', 'ratio to ours'];
  console.log(`${tableFromRows(header, rows)}\n`);
  const goals: Goal[] = [
    { name: '10 ns / a complete bar', ratio: 10 / medianNs(OURS), atLeast: 1 },
    ...peers.map(({ name }) => ({
      name: `${name} / a complete bar`,
      ratio: medianNs(name) / medianNs(OURS),
      atLeast: 40,
    })),
  ];
  console.log(goalLines(goals));
}
