/**
 * This machine's copy of the keys and accounts in Postgres, in a SQLite file that its threads
 * share. Admission reads it as it reads embedded accounts, and usage waits in it for its batch.
 */

import type { DatabaseSync } from 'node:sqlite';
import { AccountsUnreachableError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { Sql, SqlValue } from '../../store/accounts/database/sql.ts';
import { openDatabase } from '../../store/accounts/sqlite/open.ts';
import { inTransaction } from '../../store/accounts/sqlite/transaction.ts';
import type { CountMemory } from '../../store/accounts/usage/count-memory.ts';

const TABLES = `
  CREATE TABLE IF NOT EXISTS copy_state (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    changed INTEGER NOT NULL,          -- newest change of Postgres that is here
    contact_ms INTEGER NOT NULL,       -- start of the last look that succeeded
    database BLOB NOT NULL             -- names the database of Postgres
  ) STRICT;
  CREATE TABLE IF NOT EXISTS spent (
    account TEXT NOT NULL, mode TEXT NOT NULL, day INTEGER NOT NULL, tokens INTEGER NOT NULL,
    PRIMARY KEY (account, mode, day)
  ) STRICT, WITHOUT ROWID;
  -- A batch of usage that Postgres may have or not.
  CREATE TABLE IF NOT EXISTS sending (
    sender TEXT NOT NULL, batch INTEGER NOT NULL,
    account TEXT NOT NULL, mode TEXT NOT NULL, day INTEGER NOT NULL, key_id TEXT NOT NULL,
    endpoint TEXT NOT NULL, method TEXT NOT NULL,
    calls INTEGER NOT NULL, errors INTEGER NOT NULL, tokens INTEGER NOT NULL,
    last_used_at INTEGER
  ) STRICT;`;

/** Tokens of an account: those in Postgres, and those that this machine has not sent yet. */
export const SUM_TOKENS = `
  SELECT (SELECT coalesce(sum(tokens), 0) FROM usage
          WHERE account = :account AND mode = :mode AND day = :day)
       + (SELECT coalesce(sum(tokens), 0) FROM sending
          WHERE account = :account AND mode = :mode AND day = :day)
       + coalesce((SELECT tokens FROM spent
          WHERE account = :account AND mode = :mode AND day = :day), 0) AS tokens`;

interface Newest {
  changed: number | null;
  cursor: Uint8Array;
  database: Uint8Array;
}

/** Columns of the tables that are copied; the first ones identify a row. */
const COPIED = {
  accounts: [
    ...['seq', 'id', 'label', 'limit_requests', 'limit_window_s', 'tokens_per_day', 'scopes'],
    ...['key_days', 'created_at', 'suspended_at'],
  ],
  keys: [
    ...['seq', 'id', 'account', 'mode', 'hash', 'key_prefix', 'label', 'scopes'],
    ...['limit_requests', 'limit_window_s', 'created_at', 'expires_at', 'revoked_at'],
  ],
  spent: ['account', 'mode', 'day', 'tokens'],
} as const;

type CopiedRow = Record<string, SqlValue>;

export interface KeyCopy {
  db: DatabaseSync;
  /** Reads what has changed in Postgres since the last call of any thread. */
  refresh(): Promise<void>;
  /** Returns the start of the last look of any thread that succeeded. */
  contactMs(): number;
  /** @throws {AccountsUnreachableError} the last contact was too long ago. */
  requireFresh(): void;
  cursorSecret(): Buffer;
  /** True if the last look of this thread reached Postgres. */
  isReached(): boolean;
}

/**
 * @param now Milliseconds since the epoch, of this machine.
 * @param changed Called after a change of keys and accounts.
 * @param respent Called after a change of spent tokens.
 */
export function openKeyCopy(
  path: string,
  sql: Sql,
  now: () => number,
  memory: CountMemory,
  { changed, respent }: Record<'changed' | 'respent', (db: DatabaseSync) => void>,
): KeyCopy {
  const db = openDatabase(path, now());
  // A key may arrive before its account; admission needs both.
  db.exec('PRAGMA foreign_keys = OFF');
  inTransaction(db, () => db.exec(TABLES));
  const contact = new BigInt64Array(memory.contact);
  const selectState = db.prepare('SELECT changed, contact_ms, database FROM copy_state');
  const selectCursor = db.prepare("SELECT value FROM secrets WHERE name = 'cursor'");
  const putCursor = db.prepare(
    `INSERT INTO secrets (name, value) VALUES ('cursor', ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  );
  const putState = db.prepare(
    `INSERT INTO copy_state (one, changed, contact_ms, database) VALUES (1, ?, ?, ?)
     ON CONFLICT (one) DO UPDATE SET changed = excluded.changed,
       contact_ms = excluded.contact_ms, database = excluded.database`,
  );
  let isReached = false;
  let persistedMs = 0;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  const state = () =>
    selectState.get() as unknown as
      | { changed: number; contact_ms: number; database: Uint8Array }
      | undefined;
  Atomics.compareExchange(contact, 0, 0n, BigInt(state()?.contact_ms ?? 0));

  async function look(): Promise<void> {
    const startMs = now();
    const newest = (await sql.get<Newest>(NEWEST))!;
    const held = state();
    const isSame = held !== undefined && Buffer.compare(held.database, newest.database) === 0;
    if (!isSame) inTransaction(db, () => forget(newest));
    const from = isSame ? held.changed : 0;
    let to = newest.changed ?? 0;
    // In a snapshot, or a row that changes once more while others are read is not in this look.
    if (from < to) to = await sql.transaction((seen) => copyFrom(from, seen, startMs), SNAPSHOT);
    isReached = true;
    Atomics.store(contact, 0, BigInt(startMs));
    // Each look would be a write to the disk.
    if (startMs - persistedMs < limits.postgres.pollMs * 20) return;
    persistedMs = startMs;
    inTransaction(db, () =>
      putState.run(Math.max(to, state()?.changed ?? 0), startMs, newest.database),
    );
  }

  /** Copies all changes that a snapshot has. @returns the newest one. */
  async function copyFrom(from: number, seen: Sql, startMs: number): Promise<number> {
    const newest = (await seen.get<Newest>(NEWEST))!;
    const to = newest.changed ?? 0;
    for (let end = from; end < to; ) end = await copyPart(seen, end, newest, startMs);
    return to;
  }

  /** Copies some changes. @returns the newest one. */
  async function copyPart(seen: Sql, from: number, newest: Newest, startMs: number) {
    const end = Math.min(newest.changed ?? 0, from + limits.postgres.batchRows);
    const part = (table: keyof typeof COPIED) =>
      seen.all<CopiedRow>(
        `SELECT ${COPIED[table].join(', ')} FROM ${table} WHERE changed > ? AND changed <= ?`,
        ...[from, end],
      );
    const rows = {
      spent: await part('spent'),
      keys: await part('keys'),
      accounts: await part('accounts'),
    };
    const isCopied = inTransaction(db, () => {
      // Another thread may have been faster; its rows are newer.
      if ((state()?.changed ?? 0) >= end) return false;
      putSpent(db, rows.spent as unknown as SpentRow[]);
      putRows('accounts', rows.accounts);
      putRows('keys', rows.keys);
      putCursor.run(newest.cursor);
      putState.run(end, startMs, newest.database);
      return true;
    });
    if (isCopied && rows.keys.length + rows.accounts.length > 0) changed(db);
    if (isCopied && rows.spent.length > 0) respent(db);
    return end;
  }

  function putRows(table: keyof typeof COPIED, rows: readonly CopiedRow[]): void {
    const columns = COPIED[table];
    const places = columns.map(() => '?').join(', ');
    const put = db.prepare(
      `INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${places})`,
    );
    for (const row of rows) put.run(...columns.map((column) => row[column]));
  }

  /** Removes the copy of another database. */
  function forget({ database, cursor }: Newest): void {
    const tables = ['usage', 'sending', 'keys', 'accounts', 'spent', 'copy_state'];
    for (const table of tables) db.exec(`DELETE FROM ${table}`);
    putCursor.run(cursor);
    putState.run(0, 0, database);
    changed(db);
  }

  function refresh(): Promise<void> {
    if (!running) {
      running = look()
        .catch((error) => {
          isReached = false;
          throw error;
        })
        .finally(() => {
          running = undefined;
        });
      return running;
    }
    // The look under way may have begun before the caller's change.
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return refresh();
      });
    return next;
  }

  const contactMs = () => Number(Atomics.load(contact, 0));
  return {
    db,
    contactMs,
    isReached: () => isReached,
    refresh,
    requireFresh() {
      const { staleMs } = limits.postgres;
      // A clock that was put back would make keys known for longer.
      if (Math.abs(now() - contactMs()) <= staleMs) return;
      throw new AccountsUnreachableError(
        `Keys can't be checked: this machine has not reached the accounts for ${staleMs / 60_000} minutes`,
      );
    },
    cursorSecret() {
      const value = selectCursor.get()?.value;
      if (value) return Buffer.from(value as Uint8Array);
      throw new AccountsUnreachableError('This machine has never reached the accounts in Postgres');
    },
  };
}

export interface SpentRow {
  account: string;
  mode: string;
  day: number;
  tokens: number;
}

/** Stores totals, which only grow: an older one that arrives later changes nothing. */
export function putSpent(db: DatabaseSync, rows: readonly SpentRow[]): void {
  const put = db.prepare(
    `INSERT INTO spent (account, mode, day, tokens) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET tokens = max(tokens, excluded.tokens)`,
  );
  for (const { account, mode, day, tokens } of rows) put.run(account, mode, day, tokens);
}

const SNAPSHOT = { isSnapshot: true } as const;

const NEWEST = `SELECT greatest((SELECT max(changed) FROM accounts),
         (SELECT max(changed) FROM keys), (SELECT max(changed) FROM spent)) AS changed,
       (SELECT value FROM secrets WHERE name = 'cursor') AS cursor,
       (SELECT value FROM secrets WHERE name = 'database') AS database`;
