/** `GET /svc/study`: what followed on the days on which a condition was true. */

import type { Route } from '../../contract/route.ts';
import { CONTENT_TYPES, FORMATS } from '../../http/format.ts';
import { cachedParser } from '../../http/query.ts';
import { createResponse, PRIVATE_HEADERS } from '../../http/response.ts';
import { whenGone } from '../../http/when-gone.ts';
import { EXPRESSION_ERROR, screenerErrorSchema } from '../screener/schema.ts';
import { studyParameters, studyQuery } from './query.ts';
import { withSavedWhere } from './saved-where.ts';
import { STUDY_EXAMPLE, studySchema } from './schema.ts';

/** Tokens of a study; it computes all days of all symbols. */
const TOKENS = 20;

const parsed = cachedParser(studyQuery);

const study: Route = {
  template: '/svc/study',
  access: { scope: 'fundamentals:read', tokens: TOKENS },
  contract: {
    operationId: 'getStudy',
    tag: 'Screener',
    summary: 'Get what followed a condition',
    description:
      'Finds the days on which a condition of a screen was true, over all days and symbols, and ' +
      'the returns after them. Each day is judged by what was known then: its prices, filings and ' +
      'splits. Each horizon stands alone; nothing is a portfolio.\n\n' +
      'A parameter such as `$n=2..20:2` runs the study for each value of `$n` in its texts. ' +
      '`definition` says what was computed, and `warnings` what to know before the numbers are ' +
      'used.',
    query: studyParameters,
    response: studySchema,
    formats: FORMATS,
    headers: ['X-SVC-Rows', 'Server-Timing'],
    errors: {
      400: 'where: expected an indicator, a column or a number at position 9, got "smaa": did you mean "sma"?',
    },
    errorDetails: { 400: { schema: screenerErrorSchema, example: EXPRESSION_ERROR } },
    examples: [STUDY_EXAMPLE],
  },
  async respond(context, sources) {
    const { key, headers } = context;
    const { account, mode } = key;
    const { screens } = sources;
    const request = parsed(
      await withSavedWhere(context.query, key, sources.accounts),
      headers.accept,
    );
    const answer = await screens.study({ account, mode, request }, whenGone(context));
    const { body, rowCount, totalMs, workMs } = answer;
    const timing = `study;dur=${totalMs.toFixed(3)}, work;dur=${workMs.toFixed(3)}`;
    const own = [...PRIVATE_HEADERS, 'Server-Timing', timing, 'X-SVC-Rows', String(rowCount)];
    const bytes =
      typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    return createResponse(200, CONTENT_TYPES[request.format], bytes, own);
  },
};

export const studyRoutes: readonly Route[] = [study];
