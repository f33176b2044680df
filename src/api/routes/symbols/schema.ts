import { z } from 'zod';
import type { RouteExample } from '../../contract/route.ts';
import { firstPage, pageSchema } from '../../responses/pages.ts';
import { companyName, symbol } from '../../responses/schema-fields.ts';

export const symbolRowSchema = z
  .strictObject({
    symbol,
    companyName,
    exchange: z.enum(['NYSE', 'NASDAQ', 'AMEX']).nullable(),
    type: z.string().nullable().describe('`stock`, `etf`, `preferred` and so on.'),
    firstBar: z.iso.date().nullable().describe('Day of the first bar; null without any.'),
    lastBar: z.iso.date().nullable().describe('Day of the newest bar.'),
    source: z.string().nullable().describe('Source of the bars, or else of the listing.'),
  })
  .meta({ id: 'SymbolRow' });

export const symbolPageSchema = pageSchema('SymbolPage', symbolRowSchema);

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
