/** `GET /svc/insider/{symbol}` and `GET /svc/insider/{symbol}/summary`. */

import { z } from 'zod';
import { TRANSACTION_TYPES } from '../../../base/datasets/filings.ts';
import { latestCompletedSession } from '../../../base/time/calendar.ts';
import { type InsiderRow, insiderSummary } from '../../../compute/companies/insider-summary.ts';
import type { ListPosition, ListRow } from '../../../store/arrow/lists/specs.ts';
import { insiderExample, insiderSummaryExample } from '../../docs/examples/companies.ts';
import type { RouteContract } from '../../docs/openapi/contract.ts';
import { CONTENT_TYPES, chosenFormat, FORMATS } from '../../http/format.ts';
import { symbolPath } from '../../http/path-fields.ts';
import { checkedQuery } from '../../http/query.ts';
import {
  choicesField,
  cursorField,
  formatField,
  millisWindow,
  momentField,
  pageLimitField,
} from '../../http/query-fields.ts';
import { type Answer, createAnswer } from '../../http/response.ts';
import type { AdmittedExchange, Route, RouteSources } from '../../http/route.ts';
import { createCursors } from '../../responses/cursor.ts';
import { createKeptPages } from '../../responses/kept-pages.ts';
import { PAGE_HEADERS } from '../../responses/pages.ts';
import { rowPageAnswer, securityQuestion } from '../records/response.ts';
import { insiderPageSchema, insiderSummarySchema } from '../records/schemas.ts';
import type { RowFields } from '../records/table.ts';
import { pageOfList } from '../records/walk.ts';
import { knownSymbol } from '../symbols/known-symbol.ts';

export const insiderParameters = z.strictObject({
  from: momentField.describe('Earliest `filedAt`: a date or a date-time.').optional(),
  to: momentField
    .describe('Latest `filedAt`, inclusive; a date means that whole day in UTC.')
    .optional(),
  transaction_type: choicesField(TRANSACTION_TYPES)
    .describe(
      'One or more. In codes of the SEC: `buy` is P, `sell` S, `award` A, `exercise` M, X and ' +
        'O, `conversion` C, `tax` F, `gift` G, `return` D.',
    )
    .optional(),
  limit: pageLimitField,
  cursor: cursorField.optional(),
  format: formatField.optional(),
});

export const insiderSummaryParameters = z.strictObject({});

const FIELDS: RowFields = {
  symbol: 'text',
  insiderName: 'text',
  title: 'optionalText',
  transactionType: 'text',
  shares: 'number',
  price: 'number',
  totalValue: 'number',
  sharesOwnedAfter: 'number',
  filedAt: 'moment',
};

/** What the summary looks at, out of a served row. */
function summedRow({ timestampMs, id, kind, json }: ListRow): InsiderRow {
  const [accession, line] = id.split(' ');
  const isDerivative = kind === 'derivative' ? 'true' : 'false';
  return { ...JSON.parse(json), filedAt: timestampMs, accession, line: Number(line), isDerivative };
}

const LIST_INSIDER_TRANSACTIONS: RouteContract = {
  operationId: 'listInsiderTransactions',
  tag: 'Insiders',
  summary: 'List insider transactions',
  description:
    'Newest filing first. An amendment replaces the transaction it amends. A known symbol ' +
    'without any has an empty list.',
  path: symbolPath,
  query: insiderParameters,
  answer: insiderPageSchema,
  formats: FORMATS,
  examples: [insiderExample],
};

const GET_INSIDER_SUMMARY: RouteContract = {
  operationId: 'getInsiderSummary',
  tag: 'Insiders',
  summary: 'Get the insider summary',
  description:
    'Open-market purchases minus sales, by filing date, over the 30 and 90 days up to the ' +
    'latest trading day. A known symbol without any has zeros and null.',
  path: symbolPath,
  query: insiderSummaryParameters,
  answer: insiderSummarySchema,
  examples: [insiderSummaryExample],
};

export function insiderRoutes({ readers, cursorSecret, now }: RouteSources): Route[] {
  const cursors = createCursors<ListPosition>(cursorSecret, now);
  const kept = createKeptPages({ readers, now });

  function transactions({ key, query, params, headers }: AdmittedExchange) {
    const { from, to, transaction_type, limit, cursor, format } = checkedQuery(
      insiderParameters,
      query,
    );
    const chosen = chosenFormat(format, headers.accept, FORMATS);
    const snapshot = readers[key.mode].current();
    const symbol = knownSymbol(snapshot, key.mode, params.symbol);
    const { account, mode } = key;
    const asked = ['insider', securityQuestion(snapshot, symbol), from, to, transaction_type];
    const walk = { account, mode, question: JSON.stringify(asked) };
    const after = cursor === undefined ? undefined : cursors.open(cursor, walk);
    const isWanted =
      transaction_type &&
      (({ json }: ListRow) => transaction_type.includes(JSON.parse(json).transactionType));
    const { rows, total, next } = pageOfList(
      snapshot.list('insider', symbol),
      'newest',
      millisWindow(from, to),
      { after, limit },
      isWanted,
    );
    const end = { total, cursor: next && cursors.seal(walk, next) };
    return rowPageAnswer(
      rows.map(({ json }) => json),
      FIELDS,
      chosen,
      end,
    );
  }

  function summary({ key, query, params }: AdmittedExchange): Answer {
    checkedQuery(insiderSummaryParameters, query);
    const snapshot = readers[key.mode].current();
    const symbol = knownSymbol(snapshot, key.mode, params.symbol);
    const rows = [...snapshot.list('insider', symbol).rows()];
    const day = latestCompletedSession(now());
    const { mostRecentTransaction: _, ...sums } = insiderSummary(rows.map(summedRow), day);
    const newest = rows[0] ? JSON.parse(rows[0].json) : null;
    const body = JSON.stringify({ symbol, ...sums, mostRecentTransaction: newest });
    return createAnswer(200, CONTENT_TYPES.json, body, PAGE_HEADERS);
  }

  return [
    {
      template: '/svc/insider/{symbol}',
      contract: LIST_INSIDER_TRANSACTIONS,
      answer: kept(transactions),
    },
    {
      template: '/svc/insider/{symbol}/summary',
      contract: GET_INSIDER_SUMMARY,
      answer: kept(summary),
    },
  ];
}
