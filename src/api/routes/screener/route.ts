/** `GET /svc/screener`: symbols that pass filters and a condition, sorted, page by page. */

import type { Route } from '../../contract/route.ts';
import { FORMATS } from '../../http/format.ts';
import { cachedParser } from '../../http/query.ts';
import { firstPage } from '../../responses/pages.ts';
import { screenerParameters, screenerQuery } from './query.ts';
import { chargeScreen, screenerResponse } from './respond.ts';
import {
  daysExample,
  EXPRESSION_ERROR,
  explainExample,
  expressionExample,
  SCREENER_EXAMPLE,
  screenerErrorSchema,
  screenerResponseSchema,
} from './schema.ts';

export const parsedScreenerQuery = cachedParser(screenerQuery);

/** Headers of a page of a screen, in addition to those of every response. */
export const SCREENER_HEADERS = [
  'X-SVC-Snapshot-Changed',
  'X-SVC-Not-Found',
  'X-SVC-Null',
  'X-SVC-As-Of',
  'X-SVC-Adjusted',
  'Server-Timing',
] as const satisfies Route['contract']['headers'];

const screener: Route = {
  template: '/svc/screener',
  access: { scope: 'fundamentals:read', tokens: 5 },
  isPageCached: true,
  charge: (context) =>
    chargeScreen(context, parsedScreenerQuery(context.query, context.headers.accept)),
  contract: {
    operationId: 'getScreener',
    tag: 'Screener',
    summary: 'Screen symbols',
    description:
      'Returns the symbols that have a quote and pass all filters and `where`, sorted and paged. ' +
      'A minimum must not be above its maximum. All pages come from the data version of the ' +
      'first page for at least 15 minutes; later pages continue after the last row in the newest ' +
      'version.\n\n' +
      'A screen with `where`, `columns`, `explain`, `as_of` or an expression to sort by costs 10 ' +
      'tokens. In CSV and Arrow, `columns` are columns named by their text. An error in an ' +
      'expression has its place in `expression`, next to `error`.',
    query: screenerParameters,
    response: screenerResponseSchema,
    formats: FORMATS,
    headers: SCREENER_HEADERS,
    errors: {
      400: 'where: expected an indicator, a column or a number at position 9, got "smaa": did you mean "sma"?',
    },
    errorDetails: { 400: { schema: screenerErrorSchema, example: EXPRESSION_ERROR } },
    examples: [
      {
        title: 'The largest technology companies',
        query: { sector: 'technology', limit: '1' },
        response: firstPage([SCREENER_EXAMPLE], 71),
      },
      expressionExample,
      explainExample,
      daysExample,
    ],
  },
  respond: (context, sources) =>
    screenerResponse(context, sources, parsedScreenerQuery(context.query, context.headers.accept)),
};

export const screenerRoutes = [screener];
