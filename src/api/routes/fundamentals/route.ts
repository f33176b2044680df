/** `GET /svc/fundamentals/{symbol}/…`: a route for each statement. */

import type { Split } from '../../../base/bars.ts';
import {
  isPerShare,
  listedName,
  pascalCase,
  type StatementDataset,
  statementDatasets,
} from '../../../base/datasets/statement.ts';
import type { ListRow } from '../../../store/arrow/lists/specs.ts';
import type { Route, RouteContract } from '../../contract/route.ts';
import { ofSymbol } from '../../contract/symbol-route.ts';
import { dataResponse } from '../../responses/record-pages.ts';
import { explanation } from './explain.ts';
import { type FundamentalsQuery, SHARED, STATEMENT_QUERY, statementQuery } from './query.ts';
import { ratioRoute } from './ratios.ts';
import { halfEnds, servedRow, splitsOf } from './rows.ts';
import { SERVED_ROWS, statementsExample, statementsSchema } from './schema.ts';

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
 *
 * @param halfEnds Last days of half years, where one of a moment has quarterly rows.
 */
function textsOf(
  rows: () => Iterable<ListRow>,
  halfEnds: () => ReadonlySet<number>,
  dataset: StatementDataset,
  splits: readonly Split[],
  { period, knownByMs, limit, isExplained }: FundamentalsQuery,
): string[] {
  const isNewest = dataset.statement.isOfMoment && period === 'ttm';
  const isOfHalf = dataset.statement.isOfMoment && period === 'semiannual';
  const ends = isOfHalf ? halfEnds() : undefined;
  const listed = ends ? [...rows()].filter(({ timestampMs }) => ends.has(timestampMs)) : rows();
  const known =
    isNewest || isOfHalf
      ? knownVersions(listed, 'quarterly', knownByMs, isNewest ? 1 : limit)
      : knownVersions(listed, period, knownByMs, limit);
  return known.map((row) => {
    const served = { ...servedRow(row, dataset, splits), period };
    const explained = isExplained
      ? { explained: explanation(row, dataset, rows, served, splits) }
      : {};
    return JSON.stringify({ ...served, ...explained });
  });
}

function contractOf(dataset: StatementDataset): RouteContract {
  const { noun } = dataset.statement;
  const perShare = isPerShare(dataset)
    ? 'Per-share figures are as filed; figures that'
    : 'Figures that';
  return {
    ...SHARED,
    query: STATEMENT_QUERY,
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
  const { name } = dataset;
  return {
    template: `/svc/fundamentals/{symbol}/${name}`,
    access: { scope: 'fundamentals:read', tokens: 10 },
    contract: contractOf(dataset),
    respond: ofSymbol(statementQuery, ({ mode, snapshot, symbol }, request, { cached }) => {
      // Figures per share follow from splits, which are no lists.
      const id = isPerShare(dataset) ? snapshot.id : snapshot.listsId;
      return cached(mode, id, `${name} ${symbol} ${request.canonical}`, () => {
        const splits = isPerShare(dataset) ? splitsOf(snapshot, symbol) : [];
        const rows = () => snapshot.list(name, symbol).rows();
        const texts = textsOf(rows, () => halfEnds(snapshot, symbol), dataset, splits, request);
        return dataResponse(texts, SERVED_ROWS.get(name)!, request.format);
      });
    }),
  };
}

export const fundamentalRoutes = [...statementDatasets.map(routeOf), ratioRoute];
