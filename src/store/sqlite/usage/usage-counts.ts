/**
 * What keys have asked: counted in memory that all threads share, and written together in one
 * transaction by one of them, every `limits.usage.flushMs`. So a kill loses at most what
 * came in since, a thread that dies loses nothing, and nothing is ever written twice.
 */

import type { DatabaseSync } from 'node:sqlite';
import { dayFromMillis } from '../../../base/time/dates.ts';
import type { SharedCounts } from '../accounts.ts';
import type { ValidKey } from '../keys/key-record.ts';
import { inTransaction, withoutWaiting } from '../transaction.ts';
import { createSpentTokens, type Spender } from './spent-tokens.ts';
import { createUsageRows, type UsageRowCounts } from './usage-rows.ts';

/** One answered request. */
export interface KeyUse {
  key: ValidKey;
  /** Milliseconds since the epoch; its UTC day is the day that is charged. */
  atMs: number;
  /** Template of the path. */
  endpoint: string;
  method: string;
  isError: boolean;
  tokens: number;
}

export interface UsageCounts {
  /** @throws {StoreBusyError} there is no room left to count in, nor a database to write to. */
  count(use: KeyUse): void;
  /** Tokens that the key's account has used up in its mode on the UTC day of `nowMs`. */
  tokensUsed(key: ValidKey, nowMs: number): number;
  /**
   * Writes what is counted, if no other process is writing just now. Does nothing in threads
   * that leave the writing to another one; nor does `close`.
   */
  flush(): void;
  /** Writes what is counted, waiting for who is writing. */
  close(): void;
}

interface KeyOfUsage extends Spender {
  id: string;
}

/** Writes rows in the transaction that its caller has begun. */
type WriteUsage = (rows: readonly UsageRowCounts[]) => void;

function createUsageWriter(db: DatabaseSync, keyOf: (number: number) => KeyOfUsage): WriteUsage {
  const addUsage = db.prepare(
    `INSERT INTO usage (account, mode, day, key_id, endpoint, method, calls, errors, tokens)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, errors = errors + excluded.errors,
                               tokens = tokens + excluded.tokens`,
  );
  const setLastUse = db.prepare(
    'UPDATE keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE seq = ?',
  );
  return (rows) => {
    const lastUses = new Map<number, number>();
    for (const row of rows) {
      const { account, mode, id } = keyOf(row.keyNumber);
      const { day, endpoint, method, calls, errors, tokens } = row;
      addUsage.run(account, mode, day, id, endpoint, method, calls, errors, tokens);
      lastUses.set(row.keyNumber, Math.max(row.lastUsedMs, lastUses.get(row.keyNumber) ?? 0));
    }
    for (const [number, lastUsedMs] of lastUses) setLastUse.run(lastUsedMs, number);
  };
}

/** Whose key it is that has this number; keys never change hands. */
function createKeyLookup(db: DatabaseSync): (number: number) => KeyOfUsage {
  const select = db.prepare(
    `SELECT keys.id, account, mode, accounts.seq AS accountNumber
     FROM keys JOIN accounts ON accounts.id = keys.account WHERE keys.seq = ?`,
  );
  const known = new Map<number, KeyOfUsage>();
  return (number) => {
    let key = known.get(number);
    if (!key) {
      key = select.get(number) as unknown as KeyOfUsage;
      known.set(number, key);
    }
    return key;
  };
}

export function createUsageCounts(
  db: DatabaseSync,
  { memory, isWriter }: SharedCounts,
): UsageCounts {
  const rows = createUsageRows(memory);
  const spent = createSpentTokens(db, memory);
  const keyOf = createKeyLookup(db);
  const write = createUsageWriter(db, keyOf);

  /** What can't be written stays counted. @throws what the database throws. */
  function writeCounted(): void {
    const taken = rows.take();
    if (taken.length === 0) return;
    try {
      inTransaction(db, () => write(taken));
    } catch (error) {
      rows.putBack(taken);
      throw error;
    }
    rows.freeDays();
    for (const { keyNumber, day, tokens } of taken) spent.written(keyOf(keyNumber), day, tokens);
  }

  return {
    count(use) {
      const { key, atMs, endpoint, method, isError, tokens } = use;
      const day = dayFromMillis(atMs);
      // First, as the writer takes them off again once it has written the row.
      spent.add(key, day, tokens);
      if (rows.add(use)) return;
      const counts = { calls: 1, errors: isError ? 1 : 0, tokens, lastUsedMs: atMs };
      const row = { keyNumber: key.number, day, endpoint, method, ...counts };
      inTransaction(db, () => write([row]));
      spent.written(key, day, tokens);
    },
    tokensUsed: (key, nowMs) => spent.used(key, dayFromMillis(nowMs)),
    flush() {
      if (!isWriter) return;
      withoutWaiting(db, writeCounted);
      spent.refresh();
    },
    close() {
      if (isWriter) writeCounted();
    },
  };
}
