/** Parameters of paths, queries and headers, from the schemas that requests are checked against. */

import type { z } from 'zod';
import { limits } from '../../../base/limits/limits.ts';
import type { RouteContract } from './contract.ts';
import type { JsonSchema, Parameter, Reference } from './document-types.ts';
import { jsonSchemasFromZod } from './zod-schemas.ts';

/** Headers that several operations take. */
export const HEADER_PARAMETERS: Record<string, Parameter> = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of an earlier response: 304 without a body if nothing has changed.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a repeat safe: within 24 hours the same request of the same API key makes nothing ' +
      'new and gets the same answer. What failed is not kept.',
    schema: { type: 'string', pattern: `^[!-~]{1,${limits.idempotency.keyCharsMax}}$` },
    example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
  },
};

/** A parameter's text as the value that a generated client has. */
function valueFromText(text: string, { type }: JsonSchema): unknown {
  if (type === 'array') return text.split(',');
  if (type === 'integer' || type === 'number') return Number(text);
  return /^\d+$/.test(text) && type === undefined ? Number(text) : text;
}

/** @param examples Texts by name. */
function parametersFromSchema(
  place: 'path' | 'query',
  schema: z.ZodObject,
  examples: Readonly<Record<string, string>>,
): Parameter[] {
  const { schemas } = jsonSchemasFromZod(schema.shape as Record<string, z.ZodType>, 'input');
  return Object.entries(schemas).map(([name, { description, ...rest }]) => {
    // The schema itself says what happens without a value.
    const absent = (schema.shape[name] as z.ZodType).safeParse(undefined);
    const hasDefault = absent.success && absent.data !== undefined;
    const text = examples[name];
    return {
      name,
      in: place,
      required: !absent.success,
      ...(description !== undefined && { description: String(description) }),
      ...(rest.type === 'array' && { style: 'form', explode: false }),
      schema: hasDefault ? { ...rest, default: absent.data } : rest,
      ...(text !== undefined && { example: valueFromText(text, rest) }),
    } satisfies Parameter;
  });
}

function reference(name: string): Reference {
  return { $ref: `#/components/parameters/${name}` };
}

/** All of an operation; those of the path first. */
export function parametersOf(contract: RouteContract): (Parameter | Reference)[] {
  const { path, query, examples, isTagged, isIdempotent } = contract;
  const [example] = examples;
  return [
    ...(path ? parametersFromSchema('path', path, example.path ?? {}) : []),
    ...parametersFromSchema('query', query, example.query ?? {}),
    ...(isTagged ? [reference('IfNoneMatch')] : []),
    ...(isIdempotent ? [reference('IdempotencyKey')] : []),
  ];
}
