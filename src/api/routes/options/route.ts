/** `GET /svc/options/{symbol}/expirations`: expiration dates of the options of a symbol. */

import { z } from 'zod';
import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import { ONLY_FORMAT, symbolRoute } from '../../contract/symbol-route.ts';
import { CONTENT_TYPES } from '../../http/format.ts';
import { createResponse } from '../../http/response.ts';
import { dataResponse } from '../../responses/record-pages.ts';
import { expirationsSchema } from './schema.ts';

/** Row of a table. */
const EXPIRATION = z.object({ date: z.iso.date() });

const expirations = symbolRoute({
  template: '/svc/options/{symbol}/expirations',
  access: { scope: 'options:read', tokens: 1 },
  parameters: ONLY_FORMAT,
  contract: {
    operationId: 'listOptionExpirations',
    tag: 'Options',
    summary: 'List option expirations',
    description:
      'In ascending order, from today (New York) on. A known symbol without any has an empty list.',
    response: expirationsSchema,
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
  respond({ mode, snapshot, symbol }, { format }, { cached, now }) {
    const today = newYorkDay(now());
    // Tomorrow the response changes with the same data.
    const canonical = `expirations ${format} ${symbol} ${today}`;
    return cached(mode, snapshot.listsId, canonical, () => {
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
});

export const optionRoutes = [expirations];
