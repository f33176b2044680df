/** Queries of the screener that are stored: those of saved screens and of webhooks. */

import type { z } from 'zod';
import { ParameterError } from '../../../base/errors.ts';
import { checkedQuery } from '../../http/query.ts';
import { type ScreenerRequest, screenerParameters, screenerQuery } from './query.ts';

/** Parameters of a saved screen: all but those that shape one response. */
const savedParameters = screenerParameters.omit({ limit: true, cursor: true, format: true });

/** Parameters of a webhook's screener: all that decide what matches. */
const matchParameters = savedParameters.omit({ sort: true, order: true });

/**
 * Checks the query of a saved screen.
 *
 * @param field Field of the body that has it.
 * @throws {ParameterError} `field`: a parameter is unknown, breaks a rule or shapes a response.
 */
export function checkSavedQuery(field: string, query: string): ScreenerRequest {
  return checkedRequest(field, query, savedParameters);
}

/** Checks the field `screener` of a webhook. @throws as `checkSavedQuery`; a sort order too. */
export function checkWebhookQuery(query: string): ScreenerRequest {
  return checkedRequest('screener', query, matchParameters);
}

function checkedRequest(field: string, query: string, schema: z.ZodType): ScreenerRequest {
  try {
    checkedQuery(schema, query);
    return screenerQuery(query, undefined);
  } catch (cause) {
    if (!(cause instanceof ParameterError)) throw cause;
    throw new ParameterError(field, `${field} is invalid: ${cause.message}`, { cause });
  }
}
