/** `GET /svc/earnings/calendar`: earnings reports of a span of days. */

import { z } from 'zod';
import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../../base/time/dates.ts';
import { EVERYTHING, type ListRow } from '../../../store/arrow/lists/specs.ts';
import type { Route } from '../../contract/route.ts';
import { FORMATS } from '../../http/format.ts';
import { queryParser } from '../../http/query.ts';
import { dateField, pageFields, symbolsField } from '../../http/query-fields.ts';
import { firstPage } from '../../responses/pages.ts';
import { pageOfList, recordPageResponse } from '../../responses/record-pages.ts';
import { symbolsFromList } from '../../responses/symbols.ts';
import { earningsPageSchema, earningsReportSchema, REPORT } from './schema.ts';

/** Days that one request may span. */
const SPAN_DAYS_DEFAULT = 14;
const SPAN_DAYS_MAX = 92;

const parameters = z.strictObject({
  from: dateField.describe('First day; default: today in New York.').optional(),
  to: dateField
    .describe('Last day, at most 92 days after `from`; default: 14 days after `from`.')
    .optional(),
  symbols: symbolsField().describe('At most 100.').optional(),
  ...pageFields,
});

const parsedQuery = queryParser(parameters, FORMATS);

/**
 * Returns the requested days; default: two weeks from today in New York.
 *
 * @throws {ParameterError} `from` lies after `to`, or the span is too long.
 */
function daysOf(from: string | undefined, to: string | undefined, today: number) {
  const fromDay = from === undefined ? today : dayFromDate(from, 'from');
  const toDay = to === undefined ? fromDay + SPAN_DAYS_DEFAULT : dayFromDate(to, 'to');
  if (fromDay > toDay) {
    throw new ParameterError(
      'from',
      `from must not be after to "${dateFromDay(toDay)}", got "${dateFromDay(fromDay)}"`,
    );
  }
  if (toDay - fromDay > SPAN_DAYS_MAX) {
    throw new ParameterError(
      'to',
      `to must be at most ${SPAN_DAYS_MAX} days after from "${dateFromDay(fromDay)}", got "${dateFromDay(toDay)}"`,
    );
  }
  return { fromDay, toDay };
}

const earnings: Route = {
  template: '/svc/earnings/calendar',
  access: { scope: 'earnings:read', tokens: 1 },
  isPageCached: true,
  contract: {
    operationId: 'listEarnings',
    tag: 'Earnings',
    summary: 'List earnings dates',
    description:
      "Sorted by day, then symbol. `fiscalQuarter` is the company's own fiscal quarter. " +
      'Unknown symbols have no rows.',
    query: parameters,
    response: earningsPageSchema,
    formats: FORMATS,
    errors: { 400: 'to must be at most 92 days after from "2026-11-18", got "2027-11-18"' },
    examples: [
      {
        title: 'The next report',
        query: { limit: '1' },
        response: firstPage([REPORT], 8),
      },
    ],
  },
  respond({ key, query, headers }, { readers, cursors, now }) {
    const request = parsedQuery(query, headers.accept);
    const { from, to, limit } = request;
    const { account, mode } = key;
    const { fromDay, toDay } = daysOf(from, to, newYorkDay(now()));
    const snapshot = readers[mode].current();
    const symbols =
      request.symbols === undefined
        ? undefined
        : symbolsFromList(request.symbols, limits.batch.symbolsMax).map(
            (symbol) => snapshot.resolve(symbol) ?? symbol,
          );
    const walk = { account, mode, query: JSON.stringify(['earnings', from, to, symbols]) };
    const window = { fromMs: fromDay * MILLIS_PER_DAY, toMs: toDay * MILLIS_PER_DAY };
    const wanted = symbols && new Set(symbols);
    const isWanted = wanted && (({ json }: ListRow) => wanted.has(JSON.parse(json).symbol));
    return recordPageResponse(cursors, walk, request, earningsReportSchema, (after) => {
      const list = snapshot.list('earnings-calendar', EVERYTHING);
      return pageOfList(list, 'oldest', window, { after, limit }, isWanted);
    });
  },
};

export const earningsRoutes = [earnings];
