/** Moves all records of accounts from one database to another, in one transaction of the target. */

import { TapeworksError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { countOf } from './database/list-part.ts';
import type { Sql, SqlValue } from './database/sql.ts';
import { postgresSql } from './postgres/sql.ts';
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

/**
 * Copies everything, and compares the counts. The source stays as it is.
 *
 * @param to Database that gets the records of the other one.
 * @throws {TapeworksError} the target has records, or lacks some afterwards.
 */
export async function moveAccounts(
  to: 'postgres' | 'embedded',
  { path, url }: { path: string; url: string },
): Promise<MovedRows> {
  const db = openDatabase(path, Date.now());
  const embedded = sqliteSql(db, path);
  const postgres = postgresSql(url);
  try {
    if (to === 'embedded') return await move(postgres, embedded, finishEmbedded);
    return await move(embedded, postgres, finishPostgres);
  } finally {
    await postgres.close();
    db.close();
  }
}

async function move(
  from: Sql,
  to: Sql,
  finish: (tx: Sql, head: number) => Promise<void>,
): Promise<MovedRows> {
  return await to.transaction(
    async (tx) => {
      const moved = {} as MovedRows;
      for (const table of Object.keys(TABLES) as (keyof typeof TABLES)[]) {
        if ((await countOf(tx, `FROM ${table}`)) > 0) {
          throw new TapeworksError(`the target has rows in ${table}: it must be empty`);
        }
      }
      for (const table of Object.keys(TABLES) as (keyof typeof TABLES)[]) {
        moved[table] = await copyTable(from, tx, table);
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

async function copyTable(from: Sql, tx: Sql, table: keyof typeof TABLES): Promise<number> {
  const { batchRows } = limits.postgres;
  const select = `SELECT * FROM ${table} ORDER BY ${TABLES[table]} LIMIT ? OFFSET ?`;
  for (let done = 0; ; ) {
    const rows = await from.all<Record<string, SqlValue>>(select, batchRows, done);
    for (const { changed: _own, ...row } of rows) {
      const columns = Object.keys(row);
      const places = columns.map(() => '?').join(', ');
      const insert = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`;
      await tx.run(insert, ...Object.values(row));
    }
    done += rows.length;
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
