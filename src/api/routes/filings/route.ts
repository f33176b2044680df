/** `GET /svc/filings/{symbol}`: reports that a company filed. */

import { z } from 'zod';
import type { ListRow } from '../../../store/arrow/lists/specs.ts';
import { symbolRoute } from '../../contract/symbol-route.ts';
import { millisWindow, momentField, pageFields } from '../../http/query-fields.ts';
import { firstPage } from '../../responses/pages.ts';
import { pageOfList, recordPageResponse } from '../../responses/record-pages.ts';
import { securityOf } from '../../responses/symbols.ts';
import { FILING, filingSchema, filingsPageSchema } from './schema.ts';

const parameters = z.strictObject({
  from: momentField.describe('Earliest `filedAt`: a date or a date-time.').optional(),
  to: momentField.describe('Latest `filedAt`, inclusive.').optional(),
  form: z.string().max(20).describe('Only this form: `10-K`, `10-Q/A`.').optional(),
  ...pageFields,
});

const filings = symbolRoute({
  template: '/svc/filings/{symbol}',
  access: { scope: 'fundamentals:read', tokens: 1 },
  isPageCached: true,
  parameters,
  contract: {
    operationId: 'listFilings',
    tag: 'Fundamentals',
    summary: 'List filings',
    description:
      'Reports from which statements were read, newest first. A known symbol without any has an ' +
      'empty list.',
    response: filingsPageSchema,
    examples: [
      {
        title: 'The newest filing',
        path: { symbol: 'QXAA' },
        query: { limit: '1' },
        response: firstPage([FILING], 20),
      },
    ],
  },
  respond({ account, mode, snapshot, symbol }, request, { cursors }) {
    const { from, to, form, limit } = request;
    const canonical = JSON.stringify(['filings', securityOf(snapshot, symbol), from, to, form]);
    const walk = { account, mode, query: canonical };
    const isWanted = form && (({ json }: ListRow) => JSON.parse(json).form === form);
    return recordPageResponse(cursors, walk, request, filingSchema, (after) => {
      const list = snapshot.list('filings', symbol);
      return pageOfList(
        list,
        'newest',
        millisWindow(from, to),
        { after, limit },
        isWanted || undefined,
      );
    });
  },
});

export const filingRoutes = [filings];
