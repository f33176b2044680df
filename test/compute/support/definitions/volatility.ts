import {
  absolute,
  add,
  type Definition,
  deviation,
  exactColumn,
  mean,
  subtract,
  times,
  trueRange,
  wilder,
} from './definition.ts';

export const volatility: Readonly<Record<string, Definition>> = {
  atr: {
    exact: (bars, { period }) => ({ atr: wilder(trueRange(bars), period) }),
    bound: 1e-13,
    measure: 'as a share of the value',
    scale: ({ atr }) => absolute(atr),
    params: [{ period: 1 }, { period: 4 }],
    longParams: [2, 50, 200].map((period) => ({ period })),
  },
  // The lower band may pass through zero, where no share of itself means anything.
  bollinger: {
    exact({ close }, { period, k }) {
      const values = exactColumn(close);
      const middle = mean(values, period);
      const width = times(deviation(values, period), k);
      return { upper: add(middle, width), middle, lower: subtract(middle, width) };
    },
    bound: 1e-13,
    measure: 'as a share of the upper band',
    scale: ({ upper }) => absolute(upper),
    params: [
      { period: 1, k: 0.01 },
      { period: 4, k: 2.5 },
    ],
    longParams: [2, 20, 50, 200, 1000].map((period) => ({ period, k: 2 })),
  },
};
