/** Queries of the screener that are stored: those of saved screens and of webhooks. */

import type { z } from 'zod';
import { ParameterError } from '../../../base/errors.ts';
import { checkedQuery } from '../../http/query.ts';
import type { Screens } from '../../screens/client.ts';
import { type ScreenerRequest, screenerParameters, screenerQuery } from './query.ts';

/** Parameters that shape one response. The rows of a saved screen take them, and symbols. */
const OF_A_RESPONSE = {
  limit: true,
  cursor: true,
  digits: true,
  format: true,
  as_of: true,
  explain: true,
} as const;

/** Parameters of rows over days. */
const OF_DAYS = { from: true, to: true, begins: true, current_fields: true } as const;

export const rowsParameters = screenerParameters.pick({ ...OF_A_RESPONSE, symbols: true });

const savedParameters = screenerParameters.omit({ ...OF_A_RESPONSE, ...OF_DAYS });

/** Parameters of a webhook's screener: all that decide what matches. */
const matchParameters = savedParameters.omit({ sort: true, order: true, columns: true });

/** Kinds of stored queries, by the parameters that they may have. */
const PARAMETERS = { screen: savedParameters, webhook: matchParameters } as const;

/**
 * Checks a query that is to be stored, apart from its expressions.
 *
 * @param field Field of the body that has it.
 * @throws {ParameterError} `field`: a parameter is unknown, breaks a rule or shapes a response.
 */
export function checkedSavedQuery(
  field: string,
  query: string,
  kind: keyof typeof PARAMETERS,
): ScreenerRequest {
  return namingField(field, () => {
    checkedQuery<unknown>(PARAMETERS[kind] as z.ZodType, query);
    return screenerQuery(query, undefined);
  });
}

/** Checks its expressions too. @throws {ParameterError} as `checkedSavedQuery`. */
export async function checkExpressions(
  field: string,
  query: string,
  kind: keyof typeof PARAMETERS,
  screens: Screens,
): Promise<void> {
  const { screen } = checkedSavedQuery(field, query, kind);
  if (!screen) return;
  await screens.check(screen.texts).catch((error) =>
    namingField(field, () => {
      throw error;
    }),
  );
}

/** Returns what `check` returns; its errors name the field, and keep the place in the text. */
function namingField<T>(field: string, check: () => T): T {
  try {
    return check();
  } catch (cause) {
    if (!(cause instanceof ParameterError)) throw cause;
    const { message, details } = cause;
    throw new ParameterError(field, `${field} is invalid: ${message}`, { cause, details });
  }
}
