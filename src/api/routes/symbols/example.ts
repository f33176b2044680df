import type { RouteExample } from '../../contract/route.ts';
import { firstPage } from '../../responses/pages.ts';

export const symbolsExample: RouteExample = {
  title: 'Tickers that start with QXA',
  query: { search: 'qxa', limit: '2' },
  response: firstPage(
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
