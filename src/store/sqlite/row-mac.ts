/**
 * Rows that grant something carry a MAC over what they say: SQLite's pages have no checksums, and
 * one flipped bit could give a key to another account or a webhook another address.
 *
 * SQL computes it, so that no statement can forget it: triggers write it, refuse to change a row
 * that does not match, and whoever reads a row asks whether it is whole. Its secret lies in the table `secrets`.
 */

import { createHmac } from 'node:crypto';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { CorruptDataError } from '../../base/errors.ts';

/**
 * The columns that count, the first of them names the row. Left out is what changes with every
 * request or delivery and grants nothing. To change them append a migration that makes the
 * triggers and the MACs anew.
 */
const MAC_COLUMNS = {
  accounts: `id seq label limit_requests limit_window_s tokens_per_day scopes key_days created_at
    suspended_at`.split(/\s+/),
  keys: `id seq account mode hash key_prefix label scopes limit_requests limit_window_s created_at
    expires_at revoked_at`.split(/\s+/),
  webhooks: `id seq account mode url events symbols description screener secret old_secret
    old_secret_until created_at disabled_at`.split(/\s+/),
} as const satisfies Record<string, readonly string[]>;

export type MacTable = keyof typeof MAC_COLUMNS;

const TABLES = Object.keys(MAC_COLUMNS) as MacTable[];

const SECRET_NAME = 'rows';

export interface DamagedRow {
  table: MacTable;
  id: string;
}

/** Gives a connection the functions that triggers and statements use. */
export function addMacFunctions(db: DatabaseSync): void {
  let secret: Uint8Array | undefined;
  const readSecret = () => {
    const row = db.prepare('SELECT value FROM secrets WHERE name = ?').get(SECRET_NAME);
    if (row?.value instanceof Uint8Array) return row.value;
    // The migration has made it.
    throw new CorruptDataError('accounts.sqlite lacks the secret of its MACs: restore a backup');
  };
  const macOf = (values: readonly SQLInputValue[]) => {
    secret ??= readSecret();
    return createHmac('sha256', secret).update(JSON.stringify(values, spelled)).digest();
  };
  const options = { varargs: true, deterministic: true };
  db.function('row_mac', options, (...values) => macOf(values as SQLInputValue[]));
  const isWhole = ([mac, ...values]: readonly unknown[]) =>
    mac instanceof Uint8Array && macOf(values as SQLInputValue[]).equals(mac);
  db.function('is_whole', options, (...given) => Number(isWhole(given)));
  db.function('require_whole', options, (...given) => {
    if (isWhole(given)) return null;
    const [, ...values] = given;
    throw new CorruptDataError(
      `The row "${values[1]}" of the table ${values[0]} in accounts.sqlite is damaged: ` +
        'restore a backup, or make it anew',
    );
  });
}

function spelled(_key: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return { hex: Buffer.from(value).toString('hex') };
  return typeof value === 'bigint' ? String(value) : value;
}

/**
 * A result column, empty, of statements that read a row or a list: one that does not match its MAC
 * makes them throw `CorruptDataError`.
 */
export function wholeSql(table: MacTable): string {
  return `require_whole(${table}.mac, ${argumentsOf(table, table)})`;
}

/** A condition: for those that go through many rows, of which a damaged one must not stop the rest. */
export function isWholeSql(table: MacTable): string {
  return `is_whole(${table}.mac, ${argumentsOf(table, table)})`;
}

function argumentsOf(table: MacTable, row: string): string {
  return [`'${table}'`, ...MAC_COLUMNS[table].map((column) => `${row}.${column}`)].join(', ');
}

/** The migration: the secret, the columns, the MACs of the rows that are there, and the triggers. */
export function macStatements(): string {
  const tables = TABLES.map((table) => {
    const columns = MAC_COLUMNS[table];
    const write = `UPDATE ${table} SET mac = row_mac(${argumentsOf(table, 'NEW')})
      WHERE seq = NEW.seq`;
    return `ALTER TABLE ${table} ADD COLUMN mac BLOB;
      UPDATE ${table} SET mac = row_mac(${argumentsOf(table, table)});
      CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} BEGIN ${write}; END;
      CREATE TRIGGER ${table}_changing BEFORE UPDATE OF ${columns.join(', ')} ON ${table} BEGIN
        SELECT require_whole(OLD.mac, ${argumentsOf(table, 'OLD')});
      END;
      CREATE TRIGGER ${table}_changed AFTER UPDATE OF ${columns.join(', ')} ON ${table} BEGIN
        ${write};
      END;`;
  });
  return `INSERT INTO secrets (name, value) VALUES ('${SECRET_NAME}', randomblob(32));
    ${tables.join('\n')}`;
}

/** Rows that do not match their MAC; none in a file of before there were MACs. */
export function damagedRows(db: DatabaseSync): DamagedRow[] {
  addMacFunctions(db);
  const findColumn = db.prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = 'mac'");
  return TABLES.filter((table) => findColumn.get(table)).flatMap((table) =>
    db
      .prepare(`SELECT id FROM ${table} WHERE NOT ${isWholeSql(table)}`)
      .all()
      .map(({ id }) => ({ table, id: String(id) })),
  );
}
