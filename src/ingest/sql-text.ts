/** Literals for SQL statements that take no bound parameters, such as COPY and read_csv. */

/** `it's` → `'it''s'`. */
export function sqlString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A column name as a quoted identifier. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
