/** `GET /svc/fundamentals/{symbol}/…`: a route for each statement. */

import { z } from 'zod';
import type { Statement } from '../../../base/datasets/dataset.ts';
import {
  isPerShare,
  listedName,
  pascalCase,
  type StatementDataset,
  statementDatasets,
} from '../../../base/datasets/statement.ts';
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
import { STATEMENT_ROWS, statementsExample, statementsSchema } from './schema.ts';

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

/**
 * Reads rows of a statement. One of a moment has no trailing rows: it is that of the newest quarter.
 */
function textsOf(
  rows: Iterable<ListRow>,
  { isOfMoment }: Statement,
  { period, knownByMs, limit }: FundamentalsQuery,
): string[] {
  const isNewest = isOfMoment && period === 'ttm';
  if (!isNewest) return knownVersions(rows, period, knownByMs, limit).map(({ json }) => json);
  const newest = knownVersions(rows, 'quarterly', knownByMs, 1);
  return newest.map(({ json }) => JSON.stringify({ ...JSON.parse(json), period: 'ttm' }));
}

const SHARED = {
  tag: 'Fundamentals',
  path: symbolPath,
  query: parameters,
  formats: FORMATS,
  isTagged: true,
} as const satisfies Partial<RouteContract>;

function contractOf(dataset: StatementDataset): RouteContract {
  const { noun } = dataset.statement;
  const perShare = isPerShare(dataset)
    ? 'Per-share figures are as filed; figures that'
    : 'Figures that';
  return {
    ...SHARED,
    operationId: `list${pascalCase(listedName(dataset))}`,
    summary: `List ${noun}s`,
    description:
      `Newest period first. ${perShare} a company does not report are null. A known symbol ` +
      'without any has an empty list.',
    response: statementsSchema(dataset),
    examples: [statementsExample(dataset)],
  };
}

function routeOf(dataset: StatementDataset): Route {
  const { name, statement } = dataset;
  return {
    template: `/svc/fundamentals/{symbol}/${name}`,
    access: { scope: 'fundamentals:read', tokens: 10 },
    contract: contractOf(dataset),
    respond({ key, query, params, headers }, { readers, cached }) {
      const request = parsedQuery(query, headers.accept);
      const snapshot = readers[key.mode].current();
      const symbol = knownSymbol(snapshot, key.mode, params.symbol);
      return cached(key.mode, snapshot.listsId, `${name} ${symbol} ${request.canonical}`, () => {
        const texts = textsOf(snapshot.list(name, symbol).rows(), statement, request);
        return dataResponse(texts, STATEMENT_ROWS.get(name)!, request.format);
      });
    },
  };
}

export const fundamentalRoutes = statementDatasets.map(routeOf);
