/** The schema of a new store at once, out of the statements that upgrade an older one. */

import { assert } from '../../../base/errors.ts';

/** These change rows, and an empty store has none. */
const ROWS = /^(?:INSERT INTO|UPDATE|DELETE FROM) /;

/**
 * Returns the statements that make in an empty store what `statements` make one after the other:
 * each table with all of its columns, and the newest text of each view. They take less than half of
 * the time.
 */
export function newSchema(statements: readonly string[]): string[] {
  const tables = new Map<string, string>();
  const views = new Map<string, string>();
  const change = (table: string, changed: (columns: string) => string) => {
    const columns = tables.get(table);
    assert(columns !== undefined, `${table} is created before it is changed`);
    tables.set(table, changed(columns));
  };
  const kinds: readonly [RegExp, (match: RegExpExecArray) => void][] = [
    [/^CREATE TABLE (\w+) \((.*)\)$/s, ([, table, columns]) => tables.set(table, columns)],
    [/^DROP TABLE (\w+)$/, ([, table]) => tables.delete(table)],
    [
      /^ALTER TABLE (\w+) ADD COLUMN (.*)$/s,
      ([, table, column]) => change(table, (columns) => `${columns}, ${column}`),
    ],
    [
      /^ALTER TABLE (\w+) ALTER COLUMN (\w+) SET DATA TYPE (\w+)$/,
      ([, table, column, type]) =>
        change(table, (columns) =>
          columns.replace(new RegExp(`("?${column}"?) \\w+`), `$1 ${type}`),
        ),
    ],
    [
      /^CREATE (?:OR REPLACE )?VIEW (\w+) /,
      ({ 1: view, input }) => {
        // It may read views that are newer than its first text.
        views.delete(view);
        views.set(view, input);
      },
    ],
  ];
  for (const statement of statements) {
    const kind = kinds.find(([pattern]) => pattern.test(statement));
    assert(kind || ROWS.test(statement), `a new store has the effect of "${statement}"`);
    kind?.[1](kind[0].exec(statement)!);
  }
  return [
    ...Array.from(tables, ([table, columns]) => `CREATE TABLE ${table} (${columns})`),
    ...views.values(),
  ];
}
