/** `GET /svc/analyst-consensus/{symbol}`, `/analyst-targets/{symbol}`, `/upgrades-downgrades/{symbol}`. */

import { z } from 'zod';
import { HttpError } from '../../../base/errors.ts';
import type { ListPosition } from '../../../store/arrow/lists/specs.ts';
import { consensusExample, ratingsExample, targetsExample } from '../../docs/examples/companies.ts';
import type { RouteContract } from '../../docs/openapi/contract.ts';
import { CONTENT_TYPES, chosenFormat, FORMATS } from '../../http/format.ts';
import { symbolPath } from '../../http/path-fields.ts';
import { checkedQuery } from '../../http/query.ts';
import { cursorField, formatField, pageLimitField } from '../../http/query-fields.ts';
import { createAnswer } from '../../http/response.ts';
import type { AdmittedExchange, Route, RouteSources } from '../../http/route.ts';
import { createCursors } from '../../responses/cursor.ts';
import { createKeptPages } from '../../responses/kept-pages.ts';
import { dataAnswer, rowPageAnswer, securityQuestion } from '../records/response.ts';
import { consensusSchema, ratingsPageSchema, targetsSchema } from '../records/schemas.ts';
import type { RowFields } from '../records/table.ts';
import { pageOfList } from '../records/walk.ts';
import { knownSymbol } from '../symbols/known-symbol.ts';

export const consensusParameters = z.strictObject({});

export const targetsParameters = z.strictObject({
  limit: pageLimitField.describe('Maximum number of targets.'),
  format: formatField.optional(),
});

export const ratingsParameters = z.strictObject({
  limit: pageLimitField,
  cursor: cursorField.optional(),
  format: formatField.optional(),
});

const TARGET_FIELDS: RowFields = {
  analystName: 'optionalText',
  firm: 'text',
  target: 'number',
  rating: 'optionalText',
  publishedAt: 'moment',
};

const RATING_FIELDS: RowFields = {
  symbol: 'text',
  firm: 'text',
  analystName: 'optionalText',
  action: 'text',
  fromGrade: 'optionalText',
  toGrade: 'optionalText',
  publishedAt: 'moment',
};

const GET_ANALYST_CONSENSUS: RouteContract = {
  operationId: 'getAnalystConsensus',
  tag: 'Analysts',
  summary: 'Get the analyst consensus',
  description:
    '`buy` and `sell` include strong ratings. If the source gives only counts, `consensus` ' +
    'follows from their mean (buy 1, hold 0, sell −1): `Strong Buy` from 0.6, `Buy` from ' +
    '0.2, `Hold` above −0.2, `Sell` above −0.6, else `Strong Sell`. A known symbol without ' +
    'analyst data is 404.',
  path: symbolPath,
  query: consensusParameters,
  answer: consensusSchema,
  isTagged: true,
  examples: [consensusExample],
};

const LIST_ANALYST_TARGETS: RouteContract = {
  operationId: 'listAnalystTargets',
  tag: 'Analysts',
  summary: 'List price targets',
  description: 'Newest first. A known symbol without any has an empty list.',
  path: symbolPath,
  query: targetsParameters,
  answer: targetsSchema,
  formats: FORMATS,
  isTagged: true,
  examples: [targetsExample],
};

const LIST_RATING_CHANGES: RouteContract = {
  operationId: 'listRatingChanges',
  tag: 'Analysts',
  summary: 'List rating changes',
  description: 'Newest first. A known symbol without any has an empty list.',
  path: symbolPath,
  query: ratingsParameters,
  answer: ratingsPageSchema,
  formats: FORMATS,
  examples: [ratingsExample],
};

export function analystRoutes({ readers, answers, cursorSecret, now }: RouteSources): Route[] {
  const cursors = createCursors<ListPosition>(cursorSecret, now);
  const kept = createKeptPages({ readers, now });

  function consensus({ key, query, params }: AdmittedExchange) {
    checkedQuery(consensusParameters, query);
    const snapshot = readers[key.mode].current();
    const symbol = knownSymbol(snapshot, key.mode, params.symbol);
    return answers(key.mode, snapshot.listsId, `consensus ${symbol}`, () => {
      const [row] = snapshot.list('analyst-consensus', symbol).page(undefined, 1);
      if (row) return createAnswer(200, CONTENT_TYPES.json, row.json);
      throw new HttpError(404, `${symbol} is known but has no analyst data in ${key.mode} data`);
    });
  }

  function targets({ key, query, params, headers }: AdmittedExchange) {
    const { limit, format: asked } = checkedQuery(targetsParameters, query);
    const format = chosenFormat(asked, headers.accept, FORMATS);
    const snapshot = readers[key.mode].current();
    const symbol = knownSymbol(snapshot, key.mode, params.symbol);
    return answers(key.mode, snapshot.listsId, `targets ${format} ${limit} ${symbol}`, () => {
      const rows = snapshot.list('analyst-targets', symbol).page(undefined, limit);
      return dataAnswer(
        rows.map(({ json }) => json),
        TARGET_FIELDS,
        format,
      );
    });
  }

  function ratings({ key, query, params, headers }: AdmittedExchange) {
    const { limit, cursor, format } = checkedQuery(ratingsParameters, query);
    const chosen = chosenFormat(format, headers.accept, FORMATS);
    const snapshot = readers[key.mode].current();
    const symbol = knownSymbol(snapshot, key.mode, params.symbol);
    const question = `ratings ${securityQuestion(snapshot, symbol)}`;
    const walk = { account: key.account, mode: key.mode, question };
    const after = cursor === undefined ? undefined : cursors.open(cursor, walk);
    const list = snapshot.list('upgrades-downgrades', symbol);
    const whole = { fromMs: undefined, toMs: undefined };
    const { rows, total, next } = pageOfList(list, 'newest', whole, { after, limit });
    const end = { total, cursor: next && cursors.seal(walk, next) };
    return rowPageAnswer(
      rows.map(({ json }) => json),
      RATING_FIELDS,
      chosen,
      end,
    );
  }

  return [
    {
      template: '/svc/analyst-consensus/{symbol}',
      contract: GET_ANALYST_CONSENSUS,
      answer: consensus,
    },
    {
      template: '/svc/analyst-targets/{symbol}',
      contract: LIST_ANALYST_TARGETS,
      answer: targets,
    },
    {
      template: '/svc/upgrades-downgrades/{symbol}',
      contract: LIST_RATING_CHANGES,
      answer: kept(ratings),
    },
  ];
}
