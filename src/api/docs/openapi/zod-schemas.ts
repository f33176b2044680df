/** Converts zod schemas to JSON Schema 2020-12, which OpenAPI 3.1 uses. */

import { z } from 'zod';
import { assert } from '../../../base/errors.ts';
import type { JsonSchema } from './document-types.ts';

/** Side of a schema: its input (parameters, bodies) or its output (responses). */
export type Side = 'input' | 'output';

/** Removes patterns that repeat a format, and bounds that JavaScript sets, not the schema. */
function simplify({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

export interface ConvertedSchemas {
  /** By the given names; schemas with an `id` are references. */
  schemas: Record<string, JsonSchema>;
  /** By their `id`. */
  components: Record<string, JsonSchema>;
}

/** Converts many schemas at once, so that each with an `id` is written once. */
export function jsonSchemasFromZod(
  schemas: Readonly<Record<string, z.ZodType>>,
  side: Side,
): ConvertedSchemas {
  const whole = z.toJSONSchema(z.object(schemas), { io: side, override: simplify });
  const text = JSON.stringify(whole).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { properties, $defs } = JSON.parse(text) as {
    properties: Record<string, JsonSchema>;
    $defs?: Record<string, JsonSchema>;
  };
  const components = $defs ?? {};
  for (const id of Object.keys(components)) {
    assert(!id.startsWith('__'), 'a schema that is used twice has an id, or holds no other');
  }
  return { schemas: properties ?? {}, components };
}
