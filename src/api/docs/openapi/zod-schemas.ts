/** Converts zod schemas to JSON Schema 2020-12, which OpenAPI 3.1 uses. */

import { z } from 'zod';
import { assert } from '../../../base/errors.ts';
import type { JsonSchema } from './document-types.ts';

/** Removes patterns that repeat a format, and bounds that JavaScript sets, not the schema. */
function simplify({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/**
 * Converts many schemas at once, so that each with an `id` is written once.
 *
 * @param io Side of the schemas: the input (parameters, bodies) or the output (responses).
 * @returns the converted schemas, in which those with an `id` are references, and these by `id`.
 */
export function jsonSchemasFromZod(
  schemas: readonly z.ZodType[],
  io: 'input' | 'output',
): { of: (schema: z.ZodType) => JsonSchema; components: Record<string, JsonSchema> } {
  const distinct = [...new Set(schemas)];
  const shape = Object.fromEntries(distinct.map((schema, i) => [`${i}`, schema]));
  const whole = z.toJSONSchema(z.object(shape), { io, override: simplify });
  const text = JSON.stringify(whole).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { properties, $defs: components = {} } = JSON.parse(text);
  for (const id of Object.keys(components)) {
    assert(!id.startsWith('__'), 'a schema that is used twice has an id, or holds no other');
  }
  return { of: (schema) => properties[distinct.indexOf(schema)], components };
}
