/** Copies all records of accounts from one database to another, in one transaction of the target. */

import { AccountsExistError, TapeworksError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { wallMs } from '../../base/world/clock.ts';
import { countOf } from './database/list-part.ts';
import type { Sql, SqlValue } from './database/sql.ts';
import { openSql } from './open.ts';
import { openDatabase } from './sqlite/open.ts';
import { sqliteSql } from './sqlite/sql.ts';

/** All tables with records, each after those that it refers to, with the columns of its order. */
const TABLES = {
  accounts: 'seq',
  keys: 'seq',
  usage: 'account, mode, day, key_id, endpoint, method',
  usage_months: 'account, mode, month, key_id, endpoint, method',
  idempotency: 'id',
  screens: 'seq',
  webhooks: 'seq',
  events: 'seq',
  deliveries: 'seq',
  streamed: 'seq',
  relays: 'mode',
  backfills: 'seq',
} as const;

/** Number of moved rows by table. */
export type MovedRows = Record<keyof typeof TABLES, number>;

interface Databases {
  /** Path of the embedded database. */
  path: string;
  url: string;
}

/**
 * Copies everything, and compares the counts. The source stays as it is.
 *
 * @param to Database that gets the records of the other one.
 * @throws {AccountsExistError} the target has records.
 * @throws {TapeworksError} the target lacks records afterwards.
 */
export function moveAccounts(to: 'postgres' | 'embedded', places: Databases): Promise<MovedRows> {
  return withBoth(places, ({ embedded, postgres }) =>
    to === 'embedded'
      ? move(postgres, embedded, { embedded, finish: finishEmbedded })
      : move(embedded, postgres, { embedded, finish: finishPostgres }),
  );
}

/** Copies the accounts in Postgres as of one moment to a new file, while others write. */
export function saveAccounts(places: Databases): Promise<MovedRows> {
  return withBoth(places, ({ embedded, postgres }) =>
    postgres.transaction(
      (snapshot) => move(snapshot, embedded, { embedded, finish: finishEmbedded }),
      { isSnapshot: true },
    ),
  );
}

async function withBoth<T>(
  { path, url }: Databases,
  use: (databases: { embedded: Sql; postgres: Sql }) => Promise<T>,
): Promise<T> {
  const db = openDatabase(path, wallMs());
  const postgres = openSql(url);
  try {
    return await use({ embedded: sqliteSql(db, path), postgres });
  } finally {
    await postgres.close();
    db.close();
  }
}

async function move(
  from: Sql,
  to: Sql,
  { embedded, finish }: { embedded: Sql; finish: (tx: Sql, head: number) => Promise<void> },
): Promise<MovedRows> {
  const columns = {} as Record<keyof typeof TABLES, string[]>;
  for (const table of Object.keys(TABLES) as (keyof typeof TABLES)[]) {
    columns[table] = await columnsOf(embedded, table);
  }
  return await to.transaction(
    async (tx) => {
      const moved = {} as MovedRows;
      for (const table of Object.keys(TABLES) as (keyof typeof TABLES)[]) {
        if ((await countOf(tx, `FROM ${table}`)) > 0) {
          throw new AccountsExistError(`the target has rows in ${table}: it must be empty`);
        }
      }
      for (const table of Object.keys(TABLES) as (keyof typeof TABLES)[]) {
        moved[table] = await copyTable(from, tx, table, columns[table]);
        const [wanted, found] = [from, tx].map((sql) => countOf(sql, `FROM ${table}`));
        if ((await wanted) === (await found)) continue;
        throw new TapeworksError(`${table} changed meanwhile: stop all servers and workers first`);
      }
      const secret = await from.get<{ value: Uint8Array }>(
        "SELECT value FROM secrets WHERE name = 'cursor'",
      );
      if (secret) {
        const put = `INSERT INTO secrets (name, value) VALUES ('cursor', ?)
          ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
        await tx.run(put, secret.value);
      }
      const head = await from.get<{ seq: number }>(from.dialect.streamedHead);
      await finish(tx, head?.seq ?? 0);
      return moved;
    },
    { lock: 'keys', isDurable: true },
  );
}

/** Returns the columns of the embedded database: Postgres may have some of a newer program. */
async function columnsOf(embedded: Sql, table: string): Promise<string[]> {
  const rows = await embedded.all<{ name: string }>(
    `SELECT name FROM pragma_table_info('${table}')`,
  );
  return rows.map(({ name }) => name);
}

/** Copies rows in their order, a part after the last row of the one before. */
async function copyTable(
  from: Sql,
  tx: Sql,
  table: keyof typeof TABLES,
  columns: readonly string[],
): Promise<number> {
  const { batchRows } = limits.postgres;
  const order = TABLES[table].split(', ');
  const placesOf = (names: readonly string[]) => `(${names.map(() => '?').join(', ')})`;
  const select = (after: string) =>
    `SELECT ${columns.join(', ')} FROM ${table}${after} ORDER BY ${TABLES[table]} LIMIT ${batchRows}`;
  const next = select(` WHERE (${TABLES[table]}) > ${placesOf(order)}`);
  const insert = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${placesOf(columns)}`;
  let last: Record<string, SqlValue> | undefined;
  for (let done = 0; ; ) {
    const rows: Record<string, SqlValue>[] = last
      ? await from.all(next, ...order.map((name) => last![name]))
      : await from.all(select(''));
    for (const row of rows) await tx.run(insert, ...columns.map((name) => row[name]));
    done += rows.length;
    last = rows.at(-1);
    if (rows.length < batchRows) return done;
  }
}

async function finishEmbedded(tx: Sql, head: number): Promise<void> {
  await tx.run("DELETE FROM sqlite_sequence WHERE name = 'streamed'");
  await tx.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('streamed', ?)", head);
}

async function finishPostgres(tx: Sql, head: number): Promise<void> {
  for (const [table, order] of Object.entries(TABLES)) {
    if (order !== 'seq') continue;
    await tx.get(
      `SELECT setval(pg_get_serial_sequence('${table}', 'seq'), greatest(max(seq), 1),
         max(seq) IS NOT NULL) AS next FROM ${table}`,
    );
  }
  await tx.run('UPDATE streamed_head SET seq = ?', head);
  if (head > 0) {
    await tx.get("SELECT setval(pg_get_serial_sequence('streamed', 'seq'), ?) AS next", head);
  }
  await tx.run(
    `INSERT INTO spent (account, mode, day, tokens)
     SELECT account, mode, day, sum(tokens) FROM usage GROUP BY account, mode, day`,
  );
}
