import type { RouteExample } from '../../contract/route.ts';

export const corporateActionsExample: RouteExample = {
  title: 'Splits and dividends of a symbol',
  path: { symbol: 'QXAA' },
  response: {
    data: [
      {
        symbol: 'QXAA',
        type: 'dividend',
        exDate: '2026-08-14',
        numerator: null,
        denominator: null,
        amount: 0.22,
      },
      {
        symbol: 'QXAA',
        type: 'split',
        exDate: '2020-08-31',
        numerator: 4,
        denominator: 1,
        amount: null,
      },
    ],
  },
};
