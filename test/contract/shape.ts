/** Shape of a JSON value without its values: fields in order, their types, nullability. */

import type { Json } from './json.ts';

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

function typeOfScalar(value: string | number | boolean | null): string {
  if (value === null) return 'null';
  if (typeof value !== 'string') return typeof value;
  if (DATE_TIME.test(value)) return 'date-time';
  return DATE.test(value) ? 'date' : 'string';
}

/**
 * One shape of several values that stand in the same place, as the rows of a list do.
 *
 * @returns A type's name, several joined with ` | ` in order of the alphabet; a list as `[shape]`,
 *   which is empty where no list has rows; an object as its fields in the order of the first
 *   that has them, a field that some lack with `?` behind its name.
 */
export function shapeOf(values: readonly Json[]): Json {
  const lists = values.filter((value) => Array.isArray(value));
  const objects = values.filter(
    (value): value is { [name: string]: Json } =>
      typeof value === 'object' && value !== null && !Array.isArray(value),
  );
  const scalars = values.filter((value) => typeof value !== 'object' || value === null);
  const types = [...new Set(scalars.map(typeOfScalar))].sort();
  const shapes: Json[] = types.length > 0 ? [types.join(' | ')] : [];
  if (lists.length > 0) {
    const rows = lists.flat();
    shapes.push(rows.length > 0 ? [shapeOf(rows)] : []);
  }
  if (objects.length > 0) shapes.push(shapeOfObjects(objects));
  return shapes.length === 1 ? shapes[0] : { anyOf: shapes };
}

function shapeOfObjects(objects: readonly { [name: string]: Json }[]): Json {
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  return Object.fromEntries(
    names.map((name) => {
      const having = objects.filter((object) => Object.hasOwn(object, name));
      const optional = having.length < objects.length ? '?' : '';
      return [name + optional, shapeOf(having.map((object) => object[name]))];
    }),
  );
}
