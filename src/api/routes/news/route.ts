/** `GET /svc/news`, `GET /svc/news/{symbol}`, and one article: `GET /svc/news/{id}`. */

import { z } from 'zod';
import { SENTIMENTS } from '../../../base/datasets/market.ts';
import { isNewsId, NEWS_ID } from '../../../base/datasets/news-id.ts';
import { factsOfNewsKind } from '../../../base/datasets/news-kind.ts';
import { HttpError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits/limits.ts';
import { quoted } from '../../../base/quoted.ts';
import { EVERYTHING, type ListPosition, type RowFilter } from '../../../store/arrow/lists/specs.ts';
import type { Snapshot } from '../../../store/arrow/snapshot/snapshot.ts';
import { articleExample, newsExample, symbolNewsExample } from '../../docs/examples/companies.ts';
import type { RouteContract } from '../../docs/openapi/contract.ts';
import { CONTENT_TYPES, chosenFormat, FORMATS } from '../../http/format.ts';
import { symbolPath } from '../../http/path-fields.ts';
import { checkedQuery } from '../../http/query.ts';
import {
  choicesField,
  cursorField,
  formatField,
  listField,
  millisWindow,
  momentField,
  pageLimitField,
  symbolsField,
} from '../../http/query-fields.ts';
import { type Answer, createAnswer } from '../../http/response.ts';
import type { AdmittedExchange, Route, RouteSources } from '../../http/route.ts';
import { createCursors } from '../../responses/cursor.ts';
import { createKeptPages } from '../../responses/kept-pages.ts';
import { PAGE_HEADERS } from '../../responses/pages.ts';
import { symbolsFromList } from '../../responses/symbol-list.ts';
import { type PageRows, rowPageAnswer, securityQuestion } from '../records/response.ts';
import { articleSchema, newsPageSchema } from '../records/schemas.ts';
import type { RowFields } from '../records/table.ts';
import { pageOfList, pageOfSelection } from '../records/walk.ts';
import { knownSymbol } from '../symbols/known-symbol.ts';

export const newsParameters = z.strictObject({
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
  limit: pageLimitField,
  cursor: cursorField.optional(),
  format: formatField.optional(),
});

export const articleParameters = z.strictObject({});

type NewsQuery = z.infer<typeof newsParameters>;

const FIELDS: RowFields = {
  id: 'text',
  title: 'text',
  summary: 'optionalText',
  source: 'text',
  url: 'text',
  publishedAt: 'moment',
  symbols: 'texts',
  sentiment: 'optionalText',
};

/** What an article must be like; undefined where every one will do. */
function filterOf({ sentiment, source }: NewsQuery): RowFilter | undefined {
  if (!sentiment && !source) return undefined;
  return {
    key: JSON.stringify([sentiment, source]),
    passes(kind) {
      const facts = factsOfNewsKind(kind);
      const isSound = !sentiment || (sentiment as readonly string[]).includes(facts.sentiment);
      return isSound && (!source || source.includes(facts.source));
    },
  };
}

const ANY_ARTICLE: RowFilter = { key: '', passes: () => true };

/** Current symbols, each once; the path's and those of the parameter. */
function symbolsOf(snapshot: Snapshot, key: AdmittedExchange['key'], names: string[]): string[] {
  return [...new Set(names.map((name) => knownSymbol(snapshot, key.mode, name)))];
}

function pageOf(
  snapshot: Snapshot,
  symbols: readonly string[],
  asked: NewsQuery,
  after: ListPosition | undefined,
): PageRows {
  const window = millisWindow(asked.from, asked.to);
  const part = { after, limit: asked.limit };
  const filter = filterOf(asked);
  if (!filter && symbols.length < 2) {
    return pageOfList(snapshot.list('news', symbols[0] ?? EVERYTHING), 'newest', window, part);
  }
  const keys = symbols.length === 0 ? [EVERYTHING] : symbols;
  return pageOfSelection(snapshot.news(keys, filter ?? ANY_ARTICLE), 'newest', window, part);
}

const LIST_NEWS: RouteContract = {
  operationId: 'listNews',
  tag: 'News',
  summary: 'List news',
  description: 'Newest first.',
  query: newsParameters,
  answer: newsPageSchema,
  formats: FORMATS,
  errors: { 404: 'Unknown symbol "NONE" in sandbox data' },
  examples: [newsExample],
};

const LIST_NEWS_OF_SYMBOL: RouteContract = {
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
  query: newsParameters,
  answer: z.union([newsPageSchema, articleSchema]),
  formats: FORMATS,
  examples: [symbolNewsExample, articleExample],
};

export function newsRoutes({ readers, cursorSecret, now }: RouteSources): Route[] {
  const cursors = createCursors<ListPosition>(cursorSecret, now);
  const kept = createKeptPages({ readers, now });

  function articles({ key, query, params, headers }: AdmittedExchange) {
    const asked = checkedQuery(newsParameters, query);
    const format = chosenFormat(asked.format, headers.accept, FORMATS);
    const snapshot = readers[key.mode].current();
    const named = asked.symbols ? symbolsFromList(asked.symbols, limits.batch.symbolsMax) : [];
    const path = params.symbol === undefined ? [] : [params.symbol];
    const symbols = symbolsOf(snapshot, key, [...path, ...named]);
    const securities = symbols.map((symbol) => securityQuestion(snapshot, symbol));
    const { from, to, sentiment, source } = asked;
    const question = JSON.stringify(['news', securities, from, to, sentiment, source]);
    const walk = { account: key.account, mode: key.mode, question };
    const after = asked.cursor === undefined ? undefined : cursors.open(asked.cursor, walk);
    const { rows, total, next } = pageOf(snapshot, symbols, asked, after);
    const end = { total, cursor: next && cursors.seal(walk, next) };
    return rowPageAnswer(
      rows.map(({ json }) => json),
      FIELDS,
      format,
      end,
    );
  }

  function article({ key, query, params }: AdmittedExchange): Answer {
    checkedQuery(articleParameters, query);
    const row = readers[key.mode].current().article(params.symbol);
    if (row) return createAnswer(200, CONTENT_TYPES.json, row.json, PAGE_HEADERS);
    throw new HttpError(404, `No article ${quoted(params.symbol)} in ${key.mode} data`);
  }

  return [
    {
      template: '/svc/news',
      contract: LIST_NEWS,
      answer: kept(articles),
    },
    {
      template: '/svc/news/{symbol}',
      contract: LIST_NEWS_OF_SYMBOL,
      // No symbol looks like an id.
      answer: kept((exchange) =>
        isNewsId(exchange.params.symbol) ? article(exchange) : articles(exchange),
      ),
    },
  ];
}
