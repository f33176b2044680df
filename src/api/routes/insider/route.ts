/** `GET /svc/insider/{symbol}` and `GET /svc/insider/{symbol}/summary`. */

import { z } from 'zod';
import { TRANSACTION_TYPES } from '../../../base/datasets/filings.ts';
import { latestCompletedSession } from '../../../base/time/calendar.ts';
import {
  insiderSummary,
  isOfClasses,
  ratioOfSum,
} from '../../../compute/companies/insider-summary.ts';
import { receiptRatio } from '../../../screens/run/receipt-ratio.ts';
import type { ListRow } from '../../../store/arrow/lists/specs.ts';
import { transactionFromRow } from '../../../store/arrow/lists/transaction.ts';
import type { RouteAccess } from '../../access/admission.ts';
import type { Route } from '../../contract/route.ts';
import { noQuery, ofSymbol, symbolRoute } from '../../contract/symbol-route.ts';
import { CONTENT_TYPES } from '../../http/format.ts';
import {
  choicesField,
  millisWindow,
  momentField,
  pageFields,
  symbolPath,
} from '../../http/query-fields.ts';
import { createResponse, PRIVATE_HEADERS } from '../../http/response.ts';
import { firstPage } from '../../responses/pages.ts';
import { pageOfList, recordPageResponse } from '../../responses/record-pages.ts';
import { securityOf } from '../../responses/symbols.ts';
import {
  insiderPageSchema,
  insiderSummaryExample,
  insiderSummarySchema,
  TRANSACTION,
  transactionSchema,
} from './schema.ts';

const access: RouteAccess = { scope: 'insider:read', tokens: 1 };

const parameters = z.strictObject({
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
  ...pageFields,
});

const transactions = symbolRoute({
  template: '/svc/insider/{symbol}',
  access,
  isPageCached: true,
  parameters,
  contract: {
    operationId: 'listInsiderTransactions',
    tag: 'Insiders',
    summary: 'List insider transactions',
    description:
      'Newest filing first. An amendment replaces the transaction it amends. A known symbol ' +
      'without any has an empty list.',
    response: insiderPageSchema,
    examples: [
      {
        title: 'The newest sale or purchase',
        path: { symbol: 'QXAA' },
        query: { transaction_type: 'buy,sell', limit: '1' },
        response: firstPage([TRANSACTION], 20),
      },
    ],
  },
  respond({ account, mode, snapshot, symbol }, request, { cursors }) {
    const { from, to, transaction_type: types, limit } = request;
    const canonical = JSON.stringify(['insider', securityOf(snapshot, symbol), from, to, types]);
    const walk = { account, mode, query: canonical };
    const isWanted =
      types && (({ json }: ListRow) => types.includes(JSON.parse(json).transactionType));
    return recordPageResponse(cursors, walk, request, transactionSchema, (after) => {
      const list = snapshot.list('insider', symbol);
      return pageOfList(list, 'newest', millisWindow(from, to), { after, limit }, isWanted);
    });
  },
});

const NO_RATIO = 'a receipt whose number of ordinary shares is not stated (ads_ratio)';
const OF_CLASSES = 'transactions of several classes of stock, and none says of which the ticker is';
const NOT_PRICED = 'a purchase or sale states no number of shares or no price, but a footnote';

const summary: Route = {
  template: '/svc/insider/{symbol}/summary',
  access,
  isPageCached: true,
  contract: {
    operationId: 'getInsiderSummary',
    tag: 'Insiders',
    summary: 'Get the insider summary',
    description:
      'Open-market purchases minus sales, by filing date, over the 30 and 90 days up to the ' +
      'latest trading day. A known symbol without any has zeros and null.',
    path: symbolPath,
    response: insiderSummarySchema,
    examples: [insiderSummaryExample],
  },
  respond: ofSymbol(noQuery, ({ snapshot, symbol }, _query, { now }) => {
    const rows = [...snapshot.list('insider', symbol).rows()];
    const day = latestCompletedSession(now());
    const transactions = rows.map(transactionFromRow);
    const adsRatio = ratioOfSum(transactions, day, receiptRatio(snapshot, symbol));
    const { mostRecentTransaction: _, ...sums } = insiderSummary(transactions, day, adsRatio);
    const newest = rows[0] ? JSON.parse(rows[0].json) : null;
    const isOfReceipt = adsRatio !== undefined && !(adsRatio > 0);
    const ofShares = isOfReceipt ? NO_RATIO : NOT_PRICED;
    const why = isOfClasses(transactions, day) ? OF_CLASSES : ofShares;
    const reason = sums.netValue90d === null ? why : null;
    const body = JSON.stringify({ symbol, ...sums, reason, mostRecentTransaction: newest });
    return createResponse(200, CONTENT_TYPES.json, body, PRIVATE_HEADERS);
  }),
};

export const insiderRoutes = [transactions, summary];
