/** `GET /svc/news`, `GET /svc/news/{symbol}`, and one article: `GET /svc/news/{id}`. */

import { z } from 'zod';
import { SENTIMENTS } from '../../../base/datasets/market.ts';
import { isNewsId, NEWS_ID } from '../../../base/datasets/news-id.ts';
import { factsOfNewsKind } from '../../../base/datasets/news-kind.ts';
import { HttpError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { quoted } from '../../../base/quoted.ts';
import { EVERYTHING, type RowFilter } from '../../../store/arrow/lists/specs.ts';
import type { RouteAccess } from '../../access/admission.ts';
import type { Route, RouteSources } from '../../contract/route.ts';
import { CONTENT_TYPES, FORMATS } from '../../http/format.ts';
import { checkedQuery, noParameters, queryParser } from '../../http/query.ts';
import {
  choicesField,
  listField,
  millisWindow,
  momentField,
  pageFields,
  symbolPath,
  symbolsField,
} from '../../http/query-fields.ts';
import type { AdmittedContext } from '../../http/request-context.ts';
import { type ApiResponse, createResponse, PRIVATE_HEADERS } from '../../http/response.ts';
import { firstPage } from '../../responses/pages.ts';
import { pageOfList, pageOfSelection, recordPageResponse } from '../../responses/record-pages.ts';
import { knownSymbol, securityOf, symbolsFromList } from '../../responses/symbols.ts';
import { ARTICLE, articleSchema, newsPageSchema } from './schema.ts';

const access: RouteAccess = { scope: 'news:read', tokens: 5 };

const parameters = z.strictObject({
  symbols: symbolsField()
    .describe('Articles about any of these symbols, besides the one in the path; at most 100.')
    .optional(),
  from: momentField.describe('Earliest `publishedAt`: a date or a date-time.').optional(),
  to: momentField
    .describe('Latest `publishedAt`, inclusive; a date means that whole day in UTC.')
    .optional(),
  sentiment: choicesField(SENTIMENTS).describe('One or more.').optional(),
  source: listField('must be a comma-separated list of sources')
    .describe('One or more, as in `source`; case does not matter.')
    .optional(),
  ...pageFields,
});

const parsedQuery = queryParser(parameters, FORMATS);

type NewsQuery = ReturnType<typeof parsedQuery>;

/** Returns the filter of a query; undefined without one. */
function filterOf({ sentiment, source }: NewsQuery): RowFilter | undefined {
  if (!sentiment && !source) return undefined;
  return {
    key: JSON.stringify([sentiment, source]),
    passes(kind) {
      const facts = factsOfNewsKind(kind);
      const hasSentiment = !sentiment || (sentiment as readonly string[]).includes(facts.sentiment);
      return hasSentiment && (!source || source.includes(facts.source));
    },
  };
}

const ANY_ARTICLE: RowFilter = { key: '', passes: () => true };

function listed(
  { key, query, params, headers }: AdmittedContext,
  { readers, cursors }: RouteSources,
): ApiResponse | Promise<ApiResponse> {
  const request = parsedQuery(query, headers.accept);
  const { from, to, sentiment, source, limit } = request;
  const { account, mode } = key;
  const snapshot = readers[mode].current();
  const named = request.symbols ? symbolsFromList(request.symbols, limits.batch.symbolsMax) : [];
  const names = params.symbol === undefined ? named : [params.symbol, ...named];
  const symbols = [...new Set(names.map((name) => knownSymbol(snapshot, mode, name)))];
  const securities = symbols.map((symbol) => securityOf(snapshot, symbol));
  const canonical = JSON.stringify(['news', securities, from, to, sentiment, source]);
  const walk = { account, mode, query: canonical };
  const window = millisWindow(from, to);
  const filter = filterOf(request);
  return recordPageResponse(cursors, walk, request, articleSchema, (after) => {
    if (!filter && symbols.length < 2) {
      const list = snapshot.list('news', symbols[0] ?? EVERYTHING);
      return pageOfList(list, 'newest', window, { after, limit });
    }
    const keys = symbols.length === 0 ? [EVERYTHING] : symbols;
    const selection = snapshot.news(keys, filter ?? ANY_ARTICLE);
    return pageOfSelection(selection, 'newest', window, { after, limit });
  });
}

function article({ key, query, params }: AdmittedContext, { readers }: RouteSources): ApiResponse {
  checkedQuery(noParameters, query);
  const row = readers[key.mode].current().article(params.symbol);
  if (row) return createResponse(200, CONTENT_TYPES.json, row.json, PRIVATE_HEADERS);
  throw new HttpError(404, `No article ${quoted(params.symbol)} in ${key.mode} data`);
}

const news: Route = {
  template: '/svc/news',
  access,
  isPageCached: true,
  contract: {
    operationId: 'listNews',
    tag: 'News',
    summary: 'List news',
    description: 'Newest first.',
    query: parameters,
    response: newsPageSchema,
    formats: FORMATS,
    errors: { 404: 'Unknown symbol "NONE" in sandbox data' },
    examples: [
      {
        title: 'The newest positive article',
        query: { sentiment: 'positive', limit: '1' },
        response: firstPage([ARTICLE], 607),
      },
    ],
  },
  respond: listed,
};

const newsOfSymbol: Route = {
  template: '/svc/news/{symbol}',
  access,
  isPageCached: true,
  contract: {
    operationId: 'listNewsOfSymbol',
    tag: 'News',
    summary: 'List news of a symbol',
    description:
      'Newest first. Give the id of an article (`news_` and 26 lower-case letters and digits) ' +
      'instead of a symbol to get that article as JSON; it takes no parameters.',
    path: symbolPath.extend({
      symbol: symbolPath.shape.symbol
        .or(z.string().regex(NEWS_ID))
        .describe("A ticker in any vendor's spelling, or the id of an article."),
    }),
    query: parameters,
    response: z.union([newsPageSchema, articleSchema]),
    formats: FORMATS,
    examples: [
      {
        title: 'The newest article of a symbol',
        path: { symbol: 'QXAA' },
        query: { limit: '1' },
        response: firstPage([ARTICLE], 22),
      },
      {
        title: 'One article by its id',
        path: { symbol: ARTICLE.id },
        response: ARTICLE,
      },
    ],
  },
  // No symbol has the form of an id.
  respond: (context, sources) =>
    isNewsId(context.params.symbol) ? article(context, sources) : listed(context, sources),
};

export const newsRoutes = [news, newsOfSymbol];
