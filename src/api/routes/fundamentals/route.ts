/** `GET /svc/fundamentals/{symbol}/statements` and `…/balance-sheet`. */

import { z } from 'zod';
import { newYorkMidnightMs } from '../../../base/time/calendar.ts';
import { dayFromDate } from '../../../base/time/dates.ts';
import type { ListName, ListRow } from '../../../store/arrow/lists/specs.ts';
import { balanceSheetExample, statementsExample } from '../../docs/examples/companies.ts';
import type { RouteContract } from '../../docs/openapi/contract.ts';
import { chosenFormat, FORMATS, type Format } from '../../http/format.ts';
import { symbolPath } from '../../http/path-fields.ts';
import { checkedQuery } from '../../http/query.ts';
import { choiceField, dateField, formatField, pageLimitField } from '../../http/query-fields.ts';
import type { Route, RouteSources } from '../../http/route.ts';
import { rememberParsed } from '../../responses/parsed-queries.ts';
import { dataAnswer } from '../records/response.ts';
import { balanceSheetSchema, statementsSchema } from '../records/schemas.ts';
import type { RowFields } from '../records/table.ts';
import { knownSymbol } from '../symbols/known-symbol.ts';

const PERIODS = ['annual', 'quarterly', 'ttm'] as const;

export const fundamentalsParameters = z.strictObject({
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

const STATEMENT_FIELDS: RowFields = {
  date: 'date',
  period: 'text',
  revenue: 'number',
  costOfRevenue: 'number',
  grossProfit: 'number',
  operatingIncome: 'number',
  netIncome: 'number',
  eps: 'number',
  epsDiluted: 'number',
};

const BALANCE_FIELDS: RowFields = {
  date: 'date',
  period: 'text',
  totalAssets: 'number',
  totalLiabilities: 'number',
  totalEquity: 'number',
  cash: 'number',
  totalDebt: 'number',
  netDebt: 'number',
};

interface FundamentalsQuery {
  period: (typeof PERIODS)[number];
  limit: number;
  /** The last moment that counts. */
  knownByMs: number;
  format: Format;
  canonical: string;
}

const parsedQuery = rememberParsed((query, accept): FundamentalsQuery => {
  const { period, limit, as_of, format: asked } = checkedQuery(fundamentalsParameters, query);
  const format = chosenFormat(asked, accept, FORMATS);
  const knownByMs =
    as_of === undefined
      ? Number.POSITIVE_INFINITY
      : newYorkMidnightMs(dayFromDate(as_of, 'as_of') + 1) - 1;
  return { period, limit, knownByMs, format, canonical: [format, period, limit, as_of].join(' ') };
});

/**
 * Of each period the version that was known by then, newest period first.
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

/** A balance sheet has no twelve months: what is trailing is the latest quarter's. */
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
  query: fundamentalsParameters,
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
  answer: statementsSchema,
  examples: [statementsExample],
};

const BALANCE_CONTRACT: RouteContract = {
  ...SHARED,
  operationId: 'listBalanceSheets',
  summary: 'List balance sheets',
  description:
    'Newest period first. Figures that a company does not report are null. A known symbol ' +
    'without any has an empty list.',
  answer: balanceSheetSchema,
  examples: [balanceSheetExample],
};

export function fundamentalRoutes({ readers, answers }: RouteSources): Route[] {
  const route = (
    template: string,
    contract: RouteContract,
    name: ListName,
    fields: RowFields,
    textsOf: (rows: Iterable<ListRow>, query: FundamentalsQuery) => string[],
  ): Route => ({
    template,
    contract,
    answer({ key, query, params, headers }) {
      const asked = parsedQuery(query, headers.accept);
      const snapshot = readers[key.mode].current();
      const symbol = knownSymbol(snapshot, key.mode, params.symbol);
      return answers(key.mode, snapshot.listsId, `${name} ${symbol} ${asked.canonical}`, () =>
        dataAnswer(textsOf(snapshot.list(name, symbol).rows(), asked), fields, asked.format),
      );
    },
  });
  return [
    route(
      '/svc/fundamentals/{symbol}/statements',
      STATEMENTS_CONTRACT,
      'statements',
      STATEMENT_FIELDS,
      statementTexts,
    ),
    route(
      '/svc/fundamentals/{symbol}/balance-sheet',
      BALANCE_CONTRACT,
      'balance-sheet',
      BALANCE_FIELDS,
      balanceTexts,
    ),
  ];
}
