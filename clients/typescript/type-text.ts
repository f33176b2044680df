/** JSON Schema as TypeScript: the part of it that the API description uses. */

/** A schema, or one of the two words that take everything and nothing. */
export type Schema = boolean | SchemaObject;

export interface SchemaObject {
  readonly [keyword: string]: unknown;
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
  items?: Schema;
  prefixItems?: Schema[];
  description?: string;
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** `#/components/schemas/Quote` → `Quote`. */
export function nameOfRef(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

function union(parts: readonly string[]): string {
  return [...new Set(parts)].join(' | ') || 'never';
}

function grouped(text: string): string {
  return text.includes(' | ') || text.includes(' & ') ? `(${text})` : text;
}

/** A comment before what it describes; empty without a description. */
export function commentText(description: string | undefined): string {
  const lines = description?.replaceAll('*/', '* /').split('\n') ?? [];
  if (lines.length === 0) return '';
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

function propertyName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

function objectText({
  properties = {},
  required = [],
  additionalProperties,
}: SchemaObject): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    const comment = commentText(typeof schema === 'object' ? schema.description : undefined);
    return `${comment}${propertyName(name)}${mark}: ${typeText(schema)};`;
  });
  const isMap = additionalProperties !== undefined && additionalProperties !== false;
  const map = isMap ? `Record<string, ${typeText(additionalProperties)}>` : undefined;
  if (fields.length === 0) return map ?? 'Record<string, never>';
  const body = `{\n${fields.join('\n')}\n}`;
  return map === undefined ? body : `${body} & ${map}`;
}

function textOfType(type: string, schema: SchemaObject): string {
  if (type === 'object') return objectText(schema);
  if (type !== 'array') return SCALARS[type] ?? 'unknown';
  if (schema.prefixItems) return `[${schema.prefixItems.map(typeText).join(', ')}]`;
  return `${grouped(typeText(schema.items ?? true))}[]`;
}

export function typeText(schema: Schema): string {
  if (typeof schema === 'boolean') return schema ? 'unknown' : 'never';
  if (schema.$ref !== undefined) return nameOfRef(schema.$ref);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices.map(typeText));
  if (schema.allOf) return schema.allOf.map((part) => grouped(typeText(part))).join(' & ');
  if (schema.type === undefined) return schema.properties ? objectText(schema) : 'unknown';
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return union(types.map((type) => textOfType(type, schema)));
}
