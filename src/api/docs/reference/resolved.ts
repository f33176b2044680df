import { assert } from '../../../base/errors.ts';
import type { OpenApiDocument, Reference } from '../openapi/document-types.ts';

/** What a reference inside of the document names; anything else as it is. */
export function resolved<T extends object>(document: OpenApiDocument, value: T | Reference): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  let found: unknown = document;
  for (const step of value.$ref.slice('#/'.length).split('/')) {
    found = (found as Record<string, unknown> | undefined)?.[step];
  }
  assert(found, `"${value.$ref}" names something`);
  return found as T;
}
