/** Converts schemas to lists of fields, for tables. */

import { type JsonSchema, type OpenApiDocument, resolved } from '../openapi/document-types.ts';

export interface SchemaField {
  /** `data[].symbol`. */
  path: string;
  type: string;
  description: string;
  /** True if some responses lack it. */
  isOptional: boolean;
}

function boundsText({ minimum, maximum }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` from ${minimum}`;
  return maximum === undefined ? '' : ` to ${maximum}`;
}

/** Formats a length, in characters or items; empty without an upper bound. */
function lengthText(min: unknown, max: unknown): string {
  if (max === undefined) return '';
  return Number(min ?? 0) > 0 ? `${min} to ${max} ` : `at most ${max} `;
}

function distinct(texts: readonly string[]): string {
  return [...new Set(texts)].join(' or ');
}

/** Formats a type: `integer from 1 to 1000`, `list of string`, `number or null`. */
export function typeText(document: OpenApiDocument, schema: JsonSchema): string {
  const plain = resolved(document, schema as JsonSchema & { $ref?: string });
  const variants = plain.anyOf as JsonSchema[] | undefined;
  if (variants) return distinct(variants.map((variant) => typeText(document, variant)));
  if ('const' in plain) return JSON.stringify(plain.const);
  if (plain.enum) return (plain.enum as unknown[]).map(String).join(', ');
  if (plain.type === 'array') {
    const count = lengthText(plain.minItems, plain.maxItems);
    const items = typeText(document, plain.items as JsonSchema);
    return `list of ${items}${count && `, ${count.trim()}`}`;
  }
  const types = ([] as unknown[]).concat(plain.type ?? []).map(String);
  const format = typeof plain.format === 'string' ? plain.format : undefined;
  const length = lengthText(plain.minLength, plain.maxLength);
  const text = format ?? (length ? `string of ${length}characters` : 'string');
  const named = types.map((type) => (type === 'string' ? text : type));
  return distinct(named) + boundsText(plain);
}

type FieldMap = Map<string, SchemaField>;

/** Merges the fields of variants; a field that a variant lacks becomes optional. */
function merged(variants: readonly FieldMap[]): FieldMap {
  const all: FieldMap = new Map();
  for (const fields of variants) {
    for (const [path, field] of fields) {
      const known = all.get(path);
      const type = known
        ? distinct([...known.type.split(' or '), ...field.type.split(' or ')])
        : field.type;
      const isOptional = field.isOptional || !variants.every((other) => other.has(path));
      all.set(path, { ...field, type, isOptional });
    }
  }
  return all;
}

function fieldsInside(document: OpenApiDocument, schema: JsonSchema, prefix: string): FieldMap {
  const plain = resolved(document, schema as JsonSchema & { $ref?: string });
  const variants = plain.anyOf as JsonSchema[] | undefined;
  if (variants) {
    return merged(
      variants
        .map((variant) => fieldsInside(document, variant, prefix))
        .filter(({ size }) => size > 0),
    );
  }
  if (plain.type === 'array')
    return fieldsInside(document, plain.items as JsonSchema, `${prefix}[]`);
  const fields: FieldMap = new Map();
  const required = (plain.required ?? []) as string[];
  const properties = (plain.properties ?? {}) as Record<string, JsonSchema>;
  const named: [string, JsonSchema, boolean][] = Object.entries(properties).map(
    ([name, property]) => [name, property, !required.includes(name)],
  );
  const others = plain.additionalProperties;
  if (typeof others === 'object' && others !== null && Object.keys(others).length > 0) {
    named.push(['*', others as JsonSchema, false]);
  }
  for (const [name, property, isOptional] of named) {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const target = resolved(document, property as JsonSchema & { $ref?: string });
    const description = String(property.description ?? target.description ?? '');
    fields.set(path, { path, type: typeText(document, property), description, isOptional });
    for (const [deeper, field] of fieldsInside(document, property, path)) fields.set(deeper, field);
  }
  return fields;
}

/** Returns all fields of a schema, nested ones after their parent. */
export function schemaFields(document: OpenApiDocument, schema: JsonSchema): SchemaField[] {
  return [...fieldsInside(document, schema, '').values()];
}
