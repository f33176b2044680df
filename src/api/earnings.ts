/** `GET /svc/earnings/calendar`: reports that are to come, and those of a span of days. */

import { z } from 'zod';
import { MILLIS_PER_DAY } from '../bars.ts';
import { newYorkDay } from '../calendar.ts';
import { dateFromDay, dayFromDate } from '../dates.ts';
import { ParameterError } from '../errors.ts';
import { limits } from '../limits.ts';
import { EVERYTHING, type ListPosition, type ListRow } from '../store/serving/list-specs.ts';
import { createCursors } from './cursor.ts';
import { earningsExample } from './examples/companies.ts';
import { chosenFormat, FORMATS } from './format.ts';
import { createKeptPages } from './kept-pages.ts';
import { pageOfList } from './list-walk.ts';
import { checkedQuery } from './query.ts';
import {
  cursorField,
  dateField,
  formatField,
  pageLimitField,
  symbolsField,
} from './query-fields.ts';
import type { AdmittedExchange, Route, RouteSources } from './route.ts';
import { rowPageAnswer } from './row-answer.ts';
import { earningsPageSchema } from './row-schemas.ts';
import type { RowFields } from './row-table.ts';
import { symbolsFromList } from './symbol-list.ts';

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
