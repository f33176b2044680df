/** `GET /svc/filings/{symbol}`: reports that a company filed. */

import { z } from 'zod';
import type { ListRow } from '../../../store/arrow/lists/specs.ts';
import type { Route } from '../../contract/route.ts';
import { FORMATS } from '../../http/format.ts';
import { queryParser } from '../../http/query.ts';
import {
  cursorField,
  formatField,
  millisWindow,
  momentField,
  pageLimitField,
  symbolPath,
} from '../../http/query-fields.ts';
import { firstPage } from '../../responses/pages.ts';
import { pageOfList, recordPageResponse } from '../../responses/record-pages.ts';
import { knownSymbol, securityOf } from '../../responses/symbols.ts';
import { FILING, filingSchema, filingsPageSchema } from './schema.ts';

const parameters = z.strictObject({
  from: momentField.describe('Earliest `filedAt`: a date or a date-time.').optional(),
  to: momentField.describe('Latest `filedAt`, inclusive.').optional(),
  form: z.string().max(20).describe('Only this form: `10-K`, `10-Q/A`.').optional(),
  limit: pageLimitField,
  cursor: cursorField.optional(),
  format: formatField.optional(),
});

const parsedQuery = queryParser(parameters, FORMATS);

const filings: Route = {
  template: '/svc/filings/{symbol}',
  access: { scope: 'fundamentals:read', tokens: 1 },
  isPageCached: true,
  contract: {
    operationId: 'listFilings',
    tag: 'Fundamentals',
    summary: 'List filings',
    description:
      'Reports from which statements were read, newest first. A known symbol without any has an ' +
      'empty list.',
    path: symbolPath,
    query: parameters,
    response: filingsPageSchema,
    formats: FORMATS,
    examples: [
      {
        title: 'The newest filing',
        path: { symbol: 'QXAA' },
        query: { limit: '1' },
        response: firstPage([FILING], 20),
      },
    ],
  },
  respond({ key, query, params, headers }, { readers, cursors }) {
    const request = parsedQuery(query, headers.accept);
    const { from, to, form, limit } = request;
    const { account, mode } = key;
    const snapshot = readers[mode].current();
    const symbol = knownSymbol(snapshot, mode, params.symbol);
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
};

export const filingRoutes = [filings];
