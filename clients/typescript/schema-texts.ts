/** The schemas of the description as TypeScript; what several have in common is declared once. */

import { commentText, objectText, type SchemaObject, typeText } from './type-text.ts';

type Schemas = Readonly<Record<string, SchemaObject>>;

/** Least fields of a schema that others can extend. */
const BASE_FIELDS = 5;

/** Pages that differ only in their rows. */
const PAGE = /Page(More|Last)$/;

/** Returns the page of any rows, and the text of its rows. */
function genericPage(schema: SchemaObject): { page: SchemaObject; row: string } {
  const { data } = schema.properties ?? {};
  const rows = { ...data, items: { $ref: 'Row' } };
  return {
    page: { ...schema, properties: { ...schema.properties, data: rows } },
    row: typeText(data?.items ?? {}),
  };
}

function fieldsOf({ type, properties = {}, required = [] }: SchemaObject): Set<string> {
  const fields = type === 'object' ? Object.entries(properties) : [];
  return new Set(
    fields.map(([name, schema]) => JSON.stringify([name, schema, required.includes(name)])),
  );
}

/** Finds the largest schema that has only fields of this one, and not all. */
function baseOf(schema: SchemaObject, schemas: Schemas): string | undefined {
  const fields = fieldsOf(schema);
  let base: string | undefined;
  let most = BASE_FIELDS - 1;
  for (const [name, other] of Object.entries(schemas)) {
    const shared = fieldsOf(other);
    if (shared.size <= most || shared.size === fields.size || !shared.isSubsetOf(fields)) continue;
    base = name;
    most = shared.size;
  }
  return base;
}

function extendedText(schema: SchemaObject, base: string, schemas: Schemas): string {
  const own = Object.entries(schema.properties ?? {}).filter(
    ([name]) => !Object.hasOwn(schemas[base].properties ?? {}, name),
  );
  return `${base} & ${objectText({ ...schema, properties: Object.fromEntries(own) })}`;
}

/** Declares a type for each schema. */
export function schemaTexts(schemas: Schemas): string[] {
  const pages = new Map<string, string>();
  const texts = Object.entries(schemas).map(([name, schema]) => {
    const comment = commentText(schema.description);
    const [, kind] = PAGE.exec(name) ?? [];
    if (kind !== undefined) {
      const { page, row } = genericPage(schema);
      const text = `export type Page${kind}<Row> = ${objectText(page)};`;
      if ((pages.get(kind) ?? text) === text) {
        pages.set(kind, text);
        return `${comment}export type ${name} = Page${kind}<${row}>;`;
      }
    }
    const base = baseOf(schema, schemas);
    const text = base === undefined ? typeText(schema) : extendedText(schema, base, schemas);
    return `${comment}export type ${name} = ${text};`;
  });
  return [...pages.values(), ...texts];
}
