/** `GET /svc/analyst-consensus/{symbol}`, `/analyst-targets/{symbol}`, `/upgrades-downgrades/{symbol}`. */

import { z } from 'zod';
import { HttpError } from '../../../base/errors.ts';
import type { RouteAccess } from '../../access/admission.ts';
import type { Route } from '../../contract/route.ts';
import { noQuery, ofSymbol, symbolRoute } from '../../contract/symbol-route.ts';
import { CONTENT_TYPES } from '../../http/format.ts';
import { formatField, pageFields, pageLimitField, symbolPath } from '../../http/query-fields.ts';
import { createResponse } from '../../http/response.ts';
import { dataResponse, pageOfList, recordPageResponse } from '../../responses/record-pages.ts';
import { securityOf } from '../../responses/symbols.ts';
import {
  consensusExample,
  consensusSchema,
  priceTargetSchema,
  ratingChangeSchema,
  ratingsExample,
  ratingsPageSchema,
  TARGET,
  targetsSchema,
} from './schema.ts';

const access: RouteAccess = { scope: 'analyst:read', tokens: 1 };

const consensus: Route = {
  template: '/svc/analyst-consensus/{symbol}',
  access,
  contract: {
    operationId: 'getAnalystConsensus',
    tag: 'Analysts',
    summary: 'Get the analyst consensus',
    description:
      '`buy` and `sell` include strong ratings. If the source gives only counts, `consensus` ' +
      'follows from their mean (buy 1, hold 0, sell −1): `Strong Buy` from 0.6, `Buy` from ' +
      '0.2, `Hold` above −0.2, `Sell` above −0.6, else `Strong Sell`. A known symbol without ' +
      'analyst data is 404.',
    path: symbolPath,
    response: consensusSchema,
    isTagged: true,
    examples: [consensusExample],
  },
  respond: ofSymbol(noQuery, ({ mode, snapshot, symbol }, _, { cached }) =>
    cached(mode, snapshot.listsId, `consensus ${symbol}`, () => {
      const [row] = snapshot.list('analyst-consensus', symbol).page(undefined, 1);
      if (row) return createResponse(200, CONTENT_TYPES.json, row.json);
      throw new HttpError(404, `${symbol} is known but has no analyst data in ${mode} data`);
    }),
  ),
};

const targetsParameters = z.strictObject({
  limit: pageLimitField.describe('Maximum number of targets.'),
  format: formatField.optional(),
});

const targets = symbolRoute({
  template: '/svc/analyst-targets/{symbol}',
  access,
  parameters: targetsParameters,
  contract: {
    operationId: 'listAnalystTargets',
    tag: 'Analysts',
    summary: 'List price targets',
    description: 'Newest first. A known symbol without any has an empty list.',
    response: targetsSchema,
    isTagged: true,
    examples: [
      {
        title: 'The newest price target',
        path: { symbol: 'QXAA' },
        query: { limit: '1' },
        response: { data: [TARGET] },
      },
    ],
  },
  respond: ({ mode, snapshot, symbol }, { limit, format }, { cached }) =>
    cached(mode, snapshot.listsId, `targets ${format} ${limit} ${symbol}`, () => {
      const rows = snapshot.list('analyst-targets', symbol).page(undefined, limit);
      const texts = rows.map(({ json }) => json);
      return dataResponse(texts, priceTargetSchema, format);
    }),
});

const ratingsParameters = z.strictObject({
  ...pageFields,
});

const WHOLE_LIST = { fromMs: undefined, toMs: undefined };

const ratings = symbolRoute({
  template: '/svc/upgrades-downgrades/{symbol}',
  access,
  isPageCached: true,
  parameters: ratingsParameters,
  contract: {
    operationId: 'listRatingChanges',
    tag: 'Analysts',
    summary: 'List rating changes',
    description: 'Newest first. A known symbol without any has an empty list.',
    response: ratingsPageSchema,
    examples: [ratingsExample],
  },
  respond({ account, mode, snapshot, symbol }, request, { cursors }) {
    const walk = { account, mode, query: `ratings ${securityOf(snapshot, symbol)}` };
    return recordPageResponse(cursors, walk, request, ratingChangeSchema, (after) => {
      const list = snapshot.list('upgrades-downgrades', symbol);
      return pageOfList(list, 'newest', WHOLE_LIST, { after, limit: request.limit });
    });
  },
});

export const analystRoutes = [consensus, targets, ratings];
