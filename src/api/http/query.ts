/** Query strings: decoded strictly, then checked against a schema. */

import { z } from 'zod';
import { ParameterError } from '../../base/errors.ts';
import { quoted, shortened } from '../../base/quoted.ts';

/** Of paths that have none. */
export const noParameters = z.strictObject({});

/**
 * The parameters of a query string, decoded as HTML forms encode them (`+` is a space).
 *
 * @throws {ParameterError} a parameter is repeated or not decodable.
 */
export function parametersFromQuery(query: string): Record<string, string> {
  const parameters: Record<string, string> = Object.create(null);
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const mark = pair.indexOf('=');
    const name = decoded(mark < 0 ? pair : pair.slice(0, mark));
    if (name in parameters) {
      throw new ParameterError(name, `${shortened(name)} must be given once, got it repeated`);
    }
    parameters[name] = mark < 0 ? '' : decoded(pair.slice(mark + 1));
  }
  return parameters;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new ParameterError('query', `query must be percent-encoded UTF-8, got ${quoted(text)}`, {
      cause,
    });
  }
}

/**
 * A query string as its schema describes it.
 *
 * @param schema A strict object of query fields; the message of a field says what it must be.
 * @throws {ParameterError} the first parameter that breaks a rule, by name.
 */
export function checkedQuery<T>(schema: z.ZodType<T>, query: string): T {
  const parameters = parametersFromQuery(query);
  const parsed = schema.safeParse(parameters);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  // First: a misspelled name is why the right one is missing.
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys');
  if (unknown) {
    const name = unknown.keys[0];
    throw new ParameterError(name, `${quoted(name)} is not a parameter of this path`);
  }
  const [issue] = issues;
  const name = String(issue.path[0]);
  const value = parameters[name];
  const got = value === undefined ? 'it is missing' : `got ${quoted(value)}`;
  throw new ParameterError(name, `${name} ${issue.message}, ${got}`);
}
