/** `GET /svc/news`, `GET /svc/news/{symbol}`, and one article: `GET /svc/news/{id}`. */

import { z } from 'zod';
import { SENTIMENTS } from '../datasets-market.ts';
import { HttpError } from '../errors.ts';
import { limits } from '../limits.ts';
import { isNewsId } from '../news-id.ts';
import { EVERYTHING, type ListPosition, type ListRow } from '../store/serving/list-specs.ts';
import type { Snapshot } from '../store/serving/snapshot.ts';
import { type Answer, createAnswer } from './answer.ts';
import { createCursors } from './cursor.ts';
import { CONTENT_TYPES, chosenFormat, FORMATS } from './format.ts';
import { knownSymbol } from './known-symbol.ts';
import { joinedLists, type MomentWindow, pageOfList } from './list-walk.ts';
import { checkedQuery } from './query.ts';
import {
  choicesField,
  cursorField,
  formatField,
  integerField,
  listField,
  millisWindow,
  momentField,
  textField,
} from './query-fields.ts';
import type { AdmittedExchange, Route, RouteSources } from './route.ts';
import { type PageRows, pageOfRows, rowPageAnswer, securityQuestion } from './row-answer.ts';
import type { RowFields } from './row-table.ts';
import { symbolsFromList } from './symbol-list.ts';

export const newsParameters = z.strictObject({
  symbols: textField('must be a comma-separated list of symbols').optional(),
  from: momentField.optional(),
  to: momentField.optional(),
  sentiment: choicesField(SENTIMENTS).optional(),
  source: listField('must be a comma-separated list of sources').optional(),
  limit: integerField(1, limits.page.sizeMax).default(limits.page.sizeDefault),
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

/** What a row must be like; undefined where every row will do. */
function filterOf({ sentiment, source }: NewsQuery): ((row: ListRow) => boolean) | undefined {
  if (!sentiment && !source) return undefined;
  return ({ kind, json }) =>
    (!sentiment || sentiment.includes(kind)) &&
    (!source || source.includes(String(JSON.parse(json).source).toLowerCase()));
}

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
  const { limit } = asked;
  const window = millisWindow(asked.from, asked.to);
  const isWanted = filterOf(asked);
  if (symbols.length < 2) {
    const list = snapshot.list('news', symbols[0] ?? EVERYTHING);
    return pageOfList(list, 'newest', window, { after, limit }, isWanted);
  }
  const lists = symbols.map((symbol) => snapshot.list('news', symbol));
  const isShown = (row: ListRow) => isInside(row, window) && (!isWanted || isWanted(row));
  const isAfter = ({ timestampMs, id }: ListRow) =>
    !after ||
    timestampMs < after.timestampMs ||
    (timestampMs === after.timestampMs && id > after.id);
  return pageOfRows(joinedLists(lists, 'newest').filter(isShown), isAfter, limit);
}

function isInside({ timestampMs }: ListRow, { fromMs, toMs }: MomentWindow): boolean {
  return timestampMs >= (fromMs ?? timestampMs) && timestampMs <= (toMs ?? timestampMs);
}

export function newsRoutes({ readers, cursorSecret, now }: RouteSources): Route[] {
  const cursors = createCursors<ListPosition>(cursorSecret, now);

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
    if (row) return createAnswer(200, CONTENT_TYPES.json, row.json);
    throw new HttpError(404, `No article "${params.symbol}" in ${key.mode} data`);
  }

  return [
    { template: '/svc/news', answer: articles },
    {
      template: '/svc/news/{symbol}',
      // No symbol looks like an id.
      answer: (exchange) =>
        isNewsId(exchange.params.symbol) ? article(exchange) : articles(exchange),
    },
  ];
}
