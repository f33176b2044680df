/** Query strings: decoded strictly, checked against a schema, and cached. */

import { z } from 'zod';
import { ParameterError } from '../../base/errors.ts';
import { quoted, shortened } from '../../base/quoted.ts';
import { chosenFormat, type Format } from './format.ts';
import { parsedQueryLimits } from './limits.ts';

/** Query of operations without parameters. */
export const noParameters = z.strictObject({});

/**
 * Decodes the parameters of a query string as HTML forms encode them (`+` is a space).
 *
 * @throws {ParameterError} A parameter is repeated or not decodable.
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
 * Checks a query string against a schema.
 *
 * @param schema A strict object of query fields; the message of a field says what it must be.
 * @throws {ParameterError} Names the first parameter that breaks a rule.
 */
export function checkedQuery<T>(schema: z.ZodType<T>, query: string): T {
  const parameters = parametersFromQuery(query);
  const parsed = schema.safeParse(parameters);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  // Report a misspelled name first: it is why the right one is missing.
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

/** Parses a query string and the header `Accept`. */
export type QueryParser<T> = (query: string, accept: string | undefined) => T;

/**
 * Caches the results of a parser, which depend on nothing but the text. Failures and long queries
 * are parsed each time. A full cache is emptied: one request later, repeated queries are back.
 */
export function cachedParser<T>(parse: QueryParser<T>): QueryParser<T> {
  const { entriesMax, charsMax } = parsedQueryLimits;
  const known = new Map<string, T>();
  return (query, accept) => {
    const text = accept === undefined ? query : `${query} ${accept}`;
    const found = known.get(text);
    if (found !== undefined) return found;
    const parsed = parse(query, accept);
    if (text.length <= charsMax) {
      if (known.size >= entriesMax) known.clear();
      known.set(text, parsed);
    }
    return parsed;
  };
}

/**
 * Creates a cached parser of a schema that has the parameter `format`.
 *
 * @returns the parameters, with the format of the response in place of `format`.
 */
export function queryParser<T extends { format?: F }, F extends Format>(
  schema: z.ZodType<T>,
  formats: readonly F[],
): QueryParser<Omit<T, 'format'> & { format: F }> {
  return cachedParser((query, accept) => {
    const { format, ...parameters } = checkedQuery(schema, query);
    return { ...parameters, format: chosenFormat(format, accept, formats) };
  });
}
