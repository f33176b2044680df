import type { RouteExample } from '../../contract/route.ts';
import { firstPage } from '../../responses/pages.ts';

const path = { symbol: 'QXAA' };

export const consensusExample: RouteExample = {
  title: 'Consensus of a symbol',
  path,
  response: {
    symbol: 'QXAA',
    consensus: 'Buy',
    totalAnalysts: 5,
    targetHigh: 167,
    targetLow: 92,
    targetMean: 134.4,
    targetMedian: 147,
    buy: 2,
    hold: 2,
    sell: 1,
  },
};

export const TARGET = {
  analystName: 'Zinduvisylt Ruxyxadane (synthetic)',
  firm: 'Ruxalkdane Capital Markets (synthetic)',
  target: 92,
  rating: 'Strong Sell',
  publishedAt: '2026-09-25T12:39:00.000Z',
};

export const targetsExample: RouteExample = {
  title: 'The newest price target',
  path,
  query: { limit: '1' },
  response: { data: [TARGET] },
};

export const ratingsExample: RouteExample = {
  title: 'The newest rating change',
  path,
  query: { limit: '1' },
  response: firstPage(
    [
      {
        symbol: 'QXAA',
        firm: 'Ruxalkdane Capital Markets (synthetic)',
        analystName: 'Zinduvisylt Ruxyxadane (synthetic)',
        action: 'downgrade',
        fromGrade: 'Hold',
        toGrade: 'Strong Sell',
        publishedAt: '2026-09-25T12:39:00.000Z',
      },
    ],
    10,
  ),
};
