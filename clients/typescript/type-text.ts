/** JSON Schema as TypeScript: the part of it that the API description uses. */

export interface SchemaObject {
  readonly [keyword: string]: unknown;
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: SchemaObject[];
  properties?: Record<string, SchemaObject>;
  required?: string[];
  additionalProperties?: SchemaObject | false;
  items?: SchemaObject;
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
  return text.includes(' | ') ? `(${text})` : text;
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

export function objectText({
  properties = {},
  required = [],
  additionalProperties,
}: SchemaObject): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${commentText(schema.description)}${propertyName(name)}${mark}: ${typeText(schema)};`;
  });
  // Fields with names of their own must fit the rest as well.
  const rest = additionalProperties && [additionalProperties, ...Object.values(properties)];
  const map = rest && `Record<string, ${union(rest.map(typeText))}>`;
  if (fields.length === 0) return map || 'Record<string, never>';
  const body = `{\n${fields.join('\n')}\n}`;
  return map ? `${body} & ${map}` : body;
}

function textOfType(type: string, schema: SchemaObject): string {
  if (type === 'object') return objectText(schema);
  if (type !== 'array') return SCALARS[type] ?? 'unknown';
  return `${grouped(typeText(schema.items ?? {}))}[]`;
}

export function typeText(schema: SchemaObject): string {
  if (schema.$ref !== undefined) return nameOfRef(schema.$ref);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.anyOf) return union(schema.anyOf.map(typeText));
  if (schema.type === undefined) return 'unknown';
  return union([schema.type].flat().map((type) => textOfType(type, schema)));
}
