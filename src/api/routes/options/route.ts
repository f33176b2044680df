/** `GET /svc/options/{symbol}/expirations`: expiration dates of the options of a symbol. */

import { z } from 'zod';
import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import type { Route } from '../../contract/route.ts';
import { CONTENT_TYPES, FORMATS } from '../../http/format.ts';
import { queryParser } from '../../http/query.ts';
import { formatField, symbolPath } from '../../http/query-fields.ts';
import { createResponse } from '../../http/response.ts';
import { dataResponse } from '../../responses/record-pages.ts';
import { knownSymbol } from '../../responses/symbols.ts';
import { expirationsSchema } from './schema.ts';

const parameters = z.strictObject({ format: formatField.optional() });

/** Row of a table. */
const EXPIRATION = z.object({ date: z.iso.date() });

const parsedQuery = queryParser(parameters, FORMATS);

const expirations: Route = {
  template: '/svc/options/{symbol}/expirations',
  access: { scope: 'options:read', tokens: 1 },
  contract: {
    operationId: 'listOptionExpirations',
    tag: 'Options',
    summary: 'List option expirations',
    description:
      'In ascending order, from today (New York) on. A known symbol without any has an empty list.',
    path: symbolPath,
    query: parameters,
    response: expirationsSchema,
    formats: FORMATS,
    isTagged: true,
    examples: [
      {
        title: 'Upcoming expirations',
        path: { symbol: 'QXAA' },
        response: { data: ['2026-11-20', '2026-12-18', '2027-01-15'] },
        csv: 'date\r\n2026-11-20\r\n2026-12-18\r\n2027-01-15\r\n',
      },
    ],
  },
  respond({ key, query, params, headers }, { readers, cached, now }) {
    const { format } = parsedQuery(query, headers.accept);
    const snapshot = readers[key.mode].current();
    const symbol = knownSymbol(snapshot, key.mode, params.symbol);
    const today = newYorkDay(now());
    // Tomorrow the response changes with the same data.
    const canonical = `expirations ${format} ${symbol} ${today}`;
    return cached(key.mode, snapshot.listsId, canonical, () => {
      const yesterday = { timestampMs: (today - 1) * MILLIS_PER_DAY, id: '\uffff' };
      const dates = [...snapshot.list('expirations', symbol).rows(yesterday)];
      if (format === 'json') {
        const body = `{"data":[${dates.map(({ json }) => json).join(',')}]}`;
        return createResponse(200, CONTENT_TYPES.json, body);
      }
      const rows = dates.map(({ json }) => `{"date":${json}}`);
      return dataResponse(rows, EXPIRATION, format);
    });
  },
};

export const optionRoutes = [expirations];
