/** `GET /svc/earnings/calendar`: reports that are to come, and those of a span of days. */

import { z } from 'zod';
import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits/limits.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../../base/time/dates.ts';
import { EVERYTHING, type ListPosition, type ListRow } from '../../../store/arrow/lists/specs.ts';
import { earningsExample } from '../../docs/examples/companies.ts';
import { chosenFormat, FORMATS } from '../../http/format.ts';
import { checkedQuery } from '../../http/query.ts';
import {
  cursorField,
  dateField,
  formatField,
  pageLimitField,
  symbolsField,
} from '../../http/query-fields.ts';
import type { AdmittedExchange, Route, RouteSources } from '../../http/route.ts';
import { createCursors } from '../../responses/cursor.ts';
import { createKeptPages } from '../../responses/kept-pages.ts';
import { symbolsFromList } from '../../responses/symbol-list.ts';
import { rowPageAnswer } from '../records/response.ts';
import { earningsPageSchema } from '../records/schemas.ts';
import type { RowFields } from '../records/table.ts';
import { pageOfList } from '../records/walk.ts';

export const earningsParameters = z.strictObject({
  from: dateField.describe('First day; default: today in New York.').optional(),
  to: dateField
    .describe('Last day, at most 92 days after `from`; default: 14 days after `from`.')
    .optional(),
  symbols: symbolsField().describe('At most 100.').optional(),
  limit: pageLimitField,
  cursor: cursorField.optional(),
  format: formatField.optional(),
});

const FIELDS: RowFields = {
  symbol: 'text',
  companyName: 'optionalText',
  date: 'date',
  fiscalQuarter: 'optionalText',
  time: 'text',
  epsEstimate: 'number',
  revenueEstimate: 'number',
};

/**
 * The days asked: from today in New York on for two weeks, where nothing else is said.
 *
 * @throws {ParameterError} `from` lies after `to`, or the span is too long.
 */
function daysOf(from: string | undefined, to: string | undefined, today: number) {
  const { spanDaysDefault, spanDaysMax } = limits.earnings;
  const fromDay = from === undefined ? today : dayFromDate(from, 'from');
  const toDay = to === undefined ? fromDay + spanDaysDefault : dayFromDate(to, 'to');
  if (fromDay > toDay) {
    throw new ParameterError(
      'from',
      `from must not be after to "${dateFromDay(toDay)}", got "${dateFromDay(fromDay)}"`,
    );
  }
  if (toDay - fromDay > spanDaysMax) {
    throw new ParameterError(
      'to',
      `to must be at most ${spanDaysMax} days after from "${dateFromDay(fromDay)}", got "${dateFromDay(toDay)}"`,
    );
  }
  return { fromDay, toDay };
}

export function earningsRoutes({ readers, cursorSecret, now }: RouteSources): Route[] {
  const cursors = createCursors<ListPosition>(cursorSecret, now);
  const kept = createKeptPages({ readers, now });

  function calendar({ key, query, headers }: AdmittedExchange) {
    const asked = checkedQuery(earningsParameters, query);
    const format = chosenFormat(asked.format, headers.accept, FORMATS);
    const { fromDay, toDay } = daysOf(asked.from, asked.to, newYorkDay(now()));
    const snapshot = readers[key.mode].current();
    const symbols =
      asked.symbols === undefined
        ? undefined
        : symbolsFromList(asked.symbols, limits.batch.symbolsMax).map(
            (symbol) => snapshot.resolve(symbol) ?? symbol,
          );
    const question = JSON.stringify(['earnings', asked.from, asked.to, symbols]);
    const walk = { account: key.account, mode: key.mode, question };
    const after = asked.cursor === undefined ? undefined : cursors.open(asked.cursor, walk);
    const wanted = symbols && new Set(symbols);
    const { rows, total, next } = pageOfList(
      snapshot.list('earnings-calendar', EVERYTHING),
      'oldest',
      { fromMs: fromDay * MILLIS_PER_DAY, toMs: toDay * MILLIS_PER_DAY },
      { after, limit: asked.limit },
      wanted && (({ json }: ListRow) => wanted.has(JSON.parse(json).symbol)),
    );
    const end = { total, cursor: next && cursors.seal(walk, next) };
    return rowPageAnswer(
      rows.map(({ json }) => json),
      FIELDS,
      format,
      end,
    );
  }

  return [
    {
      template: '/svc/earnings/calendar',
      contract: {
        operationId: 'listEarnings',
        tag: 'Earnings',
        summary: 'List earnings dates',
        description:
          "Sorted by day, then symbol. `fiscalQuarter` is the company's own fiscal quarter. " +
          'Unknown symbols have no rows.',
        query: earningsParameters,
        answer: earningsPageSchema,
        formats: FORMATS,
        errors: { 400: 'to must be at most 92 days after from "2026-11-18", got "2027-11-18"' },
        examples: [earningsExample],
      },
      answer: kept(calendar),
    },
  ];
}
