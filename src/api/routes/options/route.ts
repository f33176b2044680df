/** `GET /svc/options/{symbol}/expirations`: days on which options of a symbol end. */

import { z } from 'zod';
import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import { expirationsExample } from '../../docs/examples/companies.ts';
import { CONTENT_TYPES, chosenFormat, FORMATS } from '../../http/format.ts';
import { symbolPath } from '../../http/path-fields.ts';
import { checkedQuery } from '../../http/query.ts';
import { formatField } from '../../http/query-fields.ts';
import { createAnswer } from '../../http/response.ts';
import type { Route, RouteSources } from '../../http/route.ts';
import { dataAnswer } from '../records/response.ts';
import { expirationsSchema } from '../records/schemas.ts';
import { knownSymbol } from '../symbols/known-symbol.ts';

export const expirationsParameters = z.strictObject({ format: formatField.optional() });

export function optionRoutes({ readers, answers, now }: RouteSources): Route[] {
  return [
    {
      template: '/svc/options/{symbol}/expirations',
      contract: {
        operationId: 'listOptionExpirations',
        tag: 'Options',
        summary: 'List option expirations',
        description:
          'In ascending order, from today (New York) on. A known symbol without any has an empty list.',
        path: symbolPath,
        query: expirationsParameters,
        answer: expirationsSchema,
        formats: FORMATS,
        isTagged: true,
        examples: [expirationsExample],
      },
      answer({ key, query, params, headers }) {
        const { format: asked } = checkedQuery(expirationsParameters, query);
        const format = chosenFormat(asked, headers.accept, FORMATS);
        const snapshot = readers[key.mode].current();
        const symbol = knownSymbol(snapshot, key.mode, params.symbol);
        const today = newYorkDay(now());
        // The answer is another one tomorrow, with the same data.
        return answers(
          key.mode,
          snapshot.listsId,
          `expirations ${format} ${symbol} ${today}`,
          () => {
            const yesterday = { timestampMs: (today - 1) * MILLIS_PER_DAY, id: '\uffff' };
            const dates = [...snapshot.list('expirations', symbol).rows(yesterday)];
            if (format === 'json') {
              const body = `{"data":[${dates.map(({ json }) => json).join(',')}]}`;
              return createAnswer(200, CONTENT_TYPES.json, body);
            }
            const rows = dates.map(({ json }) => `{"date":${json}}`);
            return dataAnswer(rows, { date: 'date' }, format);
          },
        );
      },
    },
  ];
}
