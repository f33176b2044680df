import type { RouteExample } from '../../contract/route.ts';
import { firstPage } from '../../responses/pages.ts';

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
  response: firstPage([SCREENER_ROW], 71),
};
