import { EXACT_ONE, type Exact, exactFromDouble, size } from '../exact.ts';
import { absolute, type Definition, ema, exactColumn, ones, subtract } from './definition.ts';

function exactRsi(close: Float64Array, period: number): Exact[] {
  const values = Array.from(close, exactFromDouble);
  const p = BigInt(period);
  let net = 0n;
  let gross = 0n;
  let flatCount = 0n;
  return values.map((value, i) => {
    if (i > 0) {
      const change = value - values[i - 1];
      if (i > period && change === 0n) {
        // Both sums shrink alike, so the index stands still; shrinking them here would lose bits.
        flatCount++;
      } else {
        const steps = i > period ? flatCount + 1n : 0n;
        net = (net * (p - 1n) ** steps) / p ** steps + change;
        gross = (gross * (p - 1n) ** steps) / p ** steps + size(change);
        flatCount = 0n;
      }
    }
    return i < period || gross === 0n
      ? undefined
      : 50n * EXACT_ONE + (50n * EXACT_ONE * net) / gross;
  });
}

export const momentum: Readonly<Record<string, Definition>> = {
  rsi: {
    exact: ({ close }, { period }) => ({ rsi: exactRsi(close, period) }),
    bound: 1e-12,
    measure: 'in points',
    scale: ({ rsi }) => ones(rsi),
    params: [{ period: 1 }, { period: 4 }],
    longParams: [2, 50, 200].map((period) => ({ period })),
  },
  macd: {
    exact({ close }, { fast, slow, signal }) {
      const values = exactColumn(close);
      const macd = subtract(ema(values, fast), ema(values, slow));
      const average = ema(macd, signal);
      return { macd, signal: average, histogram: subtract(macd, average) };
    },
    bound: 1e-13,
    measure: 'as a share of the slow EMA',
    scale: (_, { close }, { slow }) => absolute(ema(exactColumn(close), slow)),
    params: [
      { fast: 1, slow: 2, signal: 1 },
      { fast: 3, slow: 5, signal: 4 },
    ],
    // The weights of some spans are further from a double than those of 12, 26 and 9.
    longParams: [
      { fast: 5, slow: 35, signal: 5 },
      { fast: 8, slow: 17, signal: 9 },
      { fast: 50, slow: 200, signal: 20 },
    ],
  },
};
