/** Values that fit a JSON Schema, and texts that may fit nothing. */

import fc from 'fast-check';
import { type Document, resolved, type Schema } from './documented-operations.ts';
import type { Json } from './json.ts';

/** Generated texts stay short: long ones are a case of their own. */
const TEXT_MAX = 40;

/** Now and then something odd, of all of Unicode. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    ...['', ' ', '-1', '0', '1e309', '99999999999999999999', 'NaN', 'Infinity', 'null', 'true'],
    ...['%00', '../..', '\u0000', "' OR 1=1 --", '\ud83d\ude00', '*', ',', ',,', '[]'],
  ),
);

const day = fc
  .date({ min: new Date('2024-01-01Z'), max: new Date('2027-01-01Z'), noInvalidDate: true })
  .map((date) => date.toISOString());

function texts(schema: Schema): fc.Arbitrary<Json> {
  if (schema.format === 'date') return day.map((text) => text.slice(0, 10));
  if (schema.format === 'date-time') return day;
  if (schema.format === 'uri') return fc.webUrl({ validSchemes: ['https'] });
  if (typeof schema.pattern === 'string') {
    return fc.stringMatching(new RegExp(schema.pattern), { maxLength: TEXT_MAX });
  }
  const minLength = Number(schema.minLength ?? 0);
  const maxLength = Math.min(Number(schema.maxLength ?? TEXT_MAX), minLength + TEXT_MAX);
  return fc.string({ unit: 'grapheme-ascii', minLength, maxLength });
}

function numbers({ minimum, maximum, type }: Schema): fc.Arbitrary<Json> {
  const min = Number(minimum ?? -1e6);
  // Most answers to large numbers are alike.
  const max = Math.min(Number(maximum ?? 1e6), min + 1e9);
  const near = { min, max: Math.min(max, min + 500) };
  if (type === 'integer') return fc.oneof(fc.integer(near), fc.integer({ min, max }));
  return fc.double({ min, max, noNaN: true });
}

/** Left out three times of four, as undefined. */
export function sometimes<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: value },
  );
}

/** @param known Values of things that exist, by name of the field or parameter. */
export function createValues(document: Document, known: Readonly<Record<string, Json[]>>) {
  function objects(schema: Schema): fc.Arbitrary<Json> {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
    const fields = properties.map(([name, field]) => [name, valuesOf(field, name)]);
    const required = (schema.required ?? []) as string[];
    const shape = fields.map(([name, field]) => [
      name,
      required.includes(String(name)) ? field : sometimes(field as fc.Arbitrary<Json>),
    ]);
    return fc.record(Object.fromEntries(shape)).map((object: Record<string, Json | undefined>) => {
      // What is left out of JSON is absent, not null.
      return JSON.parse(JSON.stringify(object));
    });
  }

  function lists({ items, minItems, maxItems, uniqueItems }: Schema, name: string) {
    const minLength = Number(minItems ?? 0);
    const bounds = { minLength, maxLength: Math.min(Number(maxItems ?? 5), minLength + 5) };
    const item = valuesOf((items ?? {}) as Schema, name);
    return uniqueItems
      ? fc.uniqueArray(item, { ...bounds, selector: (value) => JSON.stringify(value) })
      : fc.array(item, bounds);
  }

  /** Values that fit a schema; those of things that exist where there are some of the name. */
  function valuesOf(reference: Schema, name = ''): fc.Arbitrary<Json> {
    const existing = known[name];
    if (existing) {
      const others = fc.oneof(...schemaChoices(reference));
      return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...existing) }, others);
    }
    return fc.oneof(...schemaChoices(reference, name));
  }

  function schemaChoices(reference: Schema, name = ''): fc.Arbitrary<Json>[] {
    const schema: Schema = resolved(document, reference);
    if ('const' in schema) return [fc.constant(schema.const)];
    if (schema.enum) return [fc.constantFrom(...(schema.enum as Json[]))];
    const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
    if (choices) return choices.map((choice) => valuesOf(choice));
    const types = [schema.type ?? 'string'].flat() as string[];
    const byType: Record<string, () => fc.Arbitrary<Json>> = {
      object: () => objects(schema),
      array: () => lists(schema, name),
      integer: () => numbers(schema),
      number: () => numbers(schema),
      boolean: () => fc.boolean(),
      null: () => fc.constant(null),
      string: () => texts(schema),
    };
    return types.map((type) => byType[type]());
  }

  return valuesOf;
}
