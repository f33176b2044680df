import type { RouteExample } from '../../contract/route.ts';
import { firstPage } from '../../responses/pages.ts';

export const REPORT = {
  symbol: 'QXKP',
  companyName: 'Mizzumbetarn Holdings (synthetic)',
  date: '2026-11-18',
  fiscalQuarter: '2027-Q3',
  time: 'after_market',
  epsEstimate: 0.4403,
  revenueEstimate: 91860000,
};

export const earningsExample: RouteExample = {
  title: 'The next report',
  query: { limit: '1' },
  response: firstPage([REPORT], 8),
};
