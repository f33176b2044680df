/** Responds to a screen: those of the query, and saved ones. */

import { charge } from '../../access/admission.ts';
import type { RouteSources } from '../../contract/route.ts';
import type { AdmittedContext } from '../../http/request-context.ts';
import type { ApiResponse } from '../../http/response.ts';
import type { ScreenerPlace } from '../../responses/screener-place.ts';
import { expressionResponse } from './expression.ts';
import { filteredResponse } from './filtered.ts';
import type { ScreenerRequest } from './query.ts';

/** Tokens of a response with expressions: twice those of filters alone. */
const EXPRESSION_TOKENS = 10;

/** Charges a screen with expressions, whatever the route names. @throws {HttpError} 429 */
export function chargeScreen(context: AdmittedContext, { screen }: ScreenerRequest): void {
  if (screen) charge(context, EXPRESSION_TOKENS);
}

/**
 * Responds with a page of a screen, and charges it.
 *
 * @throws {ParameterError} `cursor`; or, by promise, an expression or `as_of`.
 */
export function screenerResponse(
  context: AdmittedContext,
  sources: RouteSources,
  request: ScreenerRequest,
): ApiResponse | Promise<ApiResponse> {
  chargeScreen(context, request);
  const { account, mode } = context.key;
  const { cursor, screen, question } = request;
  const walk = { account, mode, query: question };
  const place =
    cursor === undefined ? undefined : sources.cursors.open<ScreenerPlace>(cursor, walk);
  if (!screen) return filteredResponse(context, sources, request, walk, place);
  return expressionResponse(context, sources, { ...request, screen }, walk, place);
}
