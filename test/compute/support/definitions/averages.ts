import { absolute, type Definition, ema, exactColumn, mean } from './definition.ts';

export const averages: Readonly<Record<string, Definition>> = {
  sma: {
    exact: ({ close }, { period }) => ({ sma: mean(exactColumn(close), period) }),
    bound: 1e-13,
    measure: 'as a share of the value',
    scale: ({ sma }) => absolute(sma),
    params: [{ period: 1 }, { period: 4 }],
    longParams: [2, 20, 50, 200, 1000].map((period) => ({ period })),
  },
  ema: {
    exact: ({ close }, { period }) => ({ ema: ema(exactColumn(close), period) }),
    bound: 1e-13,
    measure: 'as a share of the value',
    scale: (exact) => absolute(exact.ema),
    params: [{ period: 1 }, { period: 4 }],
    longParams: [2, 20, 50, 200].map((period) => ({ period })),
  },
};
