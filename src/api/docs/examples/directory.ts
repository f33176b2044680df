/** Examples of screens, the directory of symbols and corporate actions. */

import type { RouteExample } from '../openapi/contract.ts';
import { firstPage } from './page.ts';

export const SCREENER_ROW = {
  symbol: 'QXEV',
  companyName: 'Aqvivorvane Partners (synthetic)',
  price: 104.53,
  changePct: 1.920827,
  marketCap: 4517284124.29,
  peRatio: 11.386710239651416,
  dividendYield: 0,
  sector: 'Technology',
  industry: 'Semiconductors',
  volume: 239810,
  rsi14: 52.440833438385305,
};

export const screenerExample: RouteExample = {
  title: 'The largest technology companies',
  query: { sector: 'technology', limit: '1' },
  answer: firstPage([SCREENER_ROW], 71),
};

export const symbolsExample: RouteExample = {
  title: 'Tickers that start with QXA',
  query: { search: 'qxa', limit: '2' },
  answer: firstPage(
    [
      {
        symbol: 'QXAA',
        companyName: 'Brixadodane Inc. (synthetic)',
        exchange: 'NASDAQ',
        type: 'stock',
        firstBar: '2025-06-02',
        lastBar: '2026-11-17',
        source: 'sandbox',
      },
      {
        symbol: 'QXAX',
        companyName: 'Glimaretvane Group (synthetic)',
        exchange: 'NYSE',
        type: 'stock',
        firstBar: '2025-06-02',
        lastBar: '2026-11-17',
        source: 'sandbox',
      },
    ],
    4,
  ),
};

export const corporateActionsExample: RouteExample = {
  title: 'Splits and dividends of a symbol',
  path: { symbol: 'QXAA' },
  answer: {
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
