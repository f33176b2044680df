/** `GET /svc/fundamentals/{symbol}/statements` and `…/balance-sheet`. */

import { z } from 'zod';
import type { ListName } from '../../../base/datasets/datasets.ts';
import { newYorkMidnightMs } from '../../../base/time/calendar.ts';
import { dayFromDate } from '../../../base/time/dates.ts';
import type { ListRow } from '../../../store/arrow/lists/specs.ts';
import type { Route, RouteContract } from '../../contract/route.ts';
import { chosenFormat, FORMATS, type Format } from '../../http/format.ts';
import { cachedParser, checkedQuery } from '../../http/query.ts';
import {
  choiceField,
  dateField,
  formatField,
  pageLimitField,
  symbolPath,
} from '../../http/query-fields.ts';
import { dataResponse } from '../../responses/record-pages.ts';
import { knownSymbol } from '../../responses/symbols.ts';
import {
  balanceSheetExample,
  balanceSheetRowSchema,
  balanceSheetSchema,
  incomeStatementSchema,
  statementsExample,
  statementsSchema,
} from './schema.ts';

const PERIODS = ['annual', 'quarterly', 'ttm'] as const;

const parameters = z.strictObject({
  period: choiceField(PERIODS)
    .default('annual')
    .describe(
      "`ttm`: the four quarters up to each quarter's end; for a balance sheet, the latest.",
    ),
  limit: pageLimitField.describe('Maximum number of periods.'),
  as_of: dateField
    .describe('Only filings known by the end of that day in New York, without later restatements.')
    .optional(),
  format: formatField.optional(),
});

interface FundamentalsQuery {
  period: (typeof PERIODS)[number];
  limit: number;
  /** Filings after this time are ignored. */
  knownByMs: number;
  format: Format;
  /** The same text for every spelling of a query. */
  canonical: string;
}

const parsedQuery = cachedParser((query, accept): FundamentalsQuery => {
  const { period, limit, as_of, format: requested } = checkedQuery(parameters, query);
  const format = chosenFormat(requested, accept, FORMATS);
  const knownByMs =
    as_of === undefined
      ? Number.POSITIVE_INFINITY
      : newYorkMidnightMs(dayFromDate(as_of, 'as_of') + 1) - 1;
  return { period, limit, knownByMs, format, canonical: [format, period, limit, as_of].join(' ') };
});

/**
 * Picks the newest known version of each period, newest period first.
 *
 * @param rows Newest period first, its versions in any order.
 */
export function knownVersions(
  rows: Iterable<ListRow>,
  kind: string,
  knownByMs: number,
  limit: number,
): ListRow[] {
  const newest = new Map<number, ListRow>();
  for (const row of rows) {
    if (row.kind !== kind || row.knownMs! > knownByMs) continue;
    const known = newest.get(row.timestampMs);
    if (!known && newest.size === limit) break;
    if (!known || row.knownMs! > known.knownMs!) newest.set(row.timestampMs, row);
  }
  return [...newest.values()];
}

/** Reads balance sheets; a trailing one is that of the latest quarter. */
function balanceTexts(rows: Iterable<ListRow>, query: FundamentalsQuery): string[] {
  const isTrailing = query.period === 'ttm';
  const kind = isTrailing ? 'quarterly' : query.period;
  const versions = knownVersions(rows, kind, query.knownByMs, isTrailing ? 1 : query.limit);
  return versions.map(({ json }) =>
    isTrailing ? JSON.stringify({ ...JSON.parse(json), period: 'ttm' }) : json,
  );
}

function statementTexts(rows: Iterable<ListRow>, query: FundamentalsQuery): string[] {
  return knownVersions(rows, query.period, query.knownByMs, query.limit).map(({ json }) => json);
}

const SHARED = {
  tag: 'Fundamentals',
  path: symbolPath,
  query: parameters,
  formats: FORMATS,
  isTagged: true,
} as const satisfies Partial<RouteContract>;

const STATEMENTS_CONTRACT: RouteContract = {
  ...SHARED,
  operationId: 'listStatements',
  summary: 'List income statements',
  description:
    'Newest period first. Per-share figures are as filed; figures that a company does not ' +
    'report are null. A known symbol without any has an empty list.',
  response: statementsSchema,
  examples: [statementsExample],
};

const BALANCE_CONTRACT: RouteContract = {
  ...SHARED,
  operationId: 'listBalanceSheets',
  summary: 'List balance sheets',
  description:
    'Newest period first. Figures that a company does not report are null. A known symbol ' +
    'without any has an empty list.',
  response: balanceSheetSchema,
  examples: [balanceSheetExample],
};

function routeOf(
  template: string,
  contract: RouteContract,
  name: ListName,
  record: z.ZodObject,
  textsOf: (rows: Iterable<ListRow>, query: FundamentalsQuery) => string[],
): Route {
  return {
    template,
    access: { scope: 'fundamentals:read', tokens: 10 },
    contract,
    respond({ key, query, params, headers }, { readers, cached }) {
      const request = parsedQuery(query, headers.accept);
      const snapshot = readers[key.mode].current();
      const symbol = knownSymbol(snapshot, key.mode, params.symbol);
      return cached(key.mode, snapshot.listsId, `${name} ${symbol} ${request.canonical}`, () => {
        const texts = textsOf(snapshot.list(name, symbol).rows(), request);
        return dataResponse(texts, record, request.format);
      });
    },
  };
}

export const fundamentalRoutes = [
  routeOf(
    '/svc/fundamentals/{symbol}/statements',
    STATEMENTS_CONTRACT,
    'statements',
    incomeStatementSchema,
    statementTexts,
  ),
  routeOf(
    '/svc/fundamentals/{symbol}/balance-sheet',
    BALANCE_CONTRACT,
    'balance-sheet',
    balanceSheetRowSchema,
    balanceTexts,
  ),
];
