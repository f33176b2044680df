/**
 * Compares the columns in Postgres with those of the migrations: a database of a development
 * version has the number of a released schema without all of its columns.
 */

import type { ClientBase } from 'pg';

export interface MissingColumn {
  /** `table.column`. */
  name: string;
  /** Statement that adds it; undefined if its rows would lack a value, or its table is missing. */
  add: string | undefined;
}

/** Keeps the commas inside parentheses together. */
const TOP_COMMA = /,(?![^()]*\))/;
const NEEDS_VALUE = /NOT NULL(?!.*DEFAULT)|PRIMARY KEY|UNIQUE/;

/** Returns each table of migrations, with its columns and their types and constraints. */
export function columnsOf(statements: readonly string[]): Map<string, Map<string, string>> {
  const tables = new Map<string, Map<string, string>>();
  const change =
    /CREATE TABLE (\w+) \((.*?)\);|ALTER TABLE (\w+) (?:ADD(?: COLUMN)? (.*?)|DROP COLUMN (\w+))(?:;|$)/gs;
  for (const [, made, body, table, added, dropped] of statements.join(';\n').matchAll(change)) {
    const columns = tables.get(table) ?? new Map<string, string>();
    tables.set(made ?? table, columns);
    if (dropped) columns.delete(dropped);
    for (const text of (body ?? added ?? '').split(TOP_COMMA)) {
      // Constraints of a table begin in capitals.
      const column = /^\s*([a-z]\w*) (.*)$/s.exec(text);
      if (column) columns.set(column[1], column[2].trim());
    }
  }
  return tables;
}

/** Returns the columns that the migrations make and the database lacks. It writes nothing. */
export async function missingColumns(
  client: ClientBase,
  statements: readonly string[],
): Promise<MissingColumn[]> {
  const tables = columnsOf(statements);
  const { rows } = await client.query(
    `SELECT relname, attname FROM pg_attribute JOIN pg_class ON attrelid = pg_class.oid
     WHERE relname = ANY ($1) AND pg_table_is_visible(attrelid) AND attnum > 0
       AND NOT attisdropped`,
    [[...tables.keys()]],
  );
  const there = new Set(rows.flatMap(({ relname, attname }) => [relname, `${relname}.${attname}`]));
  const missing: MissingColumn[] = [];
  for (const [table, columns] of tables) {
    for (const [column, type] of columns) {
      const name = `${table}.${column}`;
      if (there.has(name)) continue;
      const isSafe = there.has(table) && !NEEDS_VALUE.test(type);
      const add = `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${column} ${type}`;
      missing.push({ name, add: isSafe ? add : undefined });
    }
  }
  return missing;
}
