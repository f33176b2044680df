/**
 * Usage of keys. Each API thread counts in its own map and posts its counts to the main thread,
 * which writes them in one transaction every `limits.usage.flushMs`. A kill loses at most the
 * counts of the last two intervals, and nothing is ever written twice.
 */

import type { DatabaseSync } from 'node:sqlite';
import { limits } from '../../../base/limits.ts';
import { dayFromMillis } from '../../../base/time/dates.ts';
import type { ValidKey } from '../keys/key-record.ts';
import { inTransaction, withoutWaiting } from '../sqlite/transaction.ts';
import type { CountMemory } from './count-memory.ts';
import { createSpentTokens } from './spent-tokens.ts';

export interface KeyUse {
  key: ValidKey;
  /** Milliseconds since the epoch; its UTC day is the day that is charged. */
  atMs: number;
  endpoint: string;
  method: string;
  isError: boolean;
  tokens: number;
}

export interface UsageCount {
  key: Pick<ValidKey, 'id' | 'number' | 'account' | 'accountNumber' | 'mode'>;
  /** Days since the epoch. */
  day: number;
  endpoint: string;
  method: string;
  calls: number;
  errors: number;
  tokens: number;
  /** Milliseconds since the epoch. */
  lastUsedMs: number;
}

export interface SharedCounts {
  memory: CountMemory;
  /** Hands counts to the thread that writes them; undefined in that thread. */
  post?: (counts: readonly UsageCount[]) => void;
}

/** @param sum As in `createSpentTokens`. */
export function createUsageCounts(db: DatabaseSync, { memory, post }: SharedCounts, sum?: string) {
  const spent = createSpentTokens(db, memory, sum);
  const write = createUsageWriter(db);
  // At most one entry for each key, route and day: a write that fails leaves it as it is. What does
  // not fit while the disk is full for long is not counted; the spent tokens are.
  const counts = new Map<string, UsageCount>();

  function countOf({ key, day, endpoint, method }: Omit<UsageCount, keyof typeof ZERO>) {
    const id = `${key.number} ${day} ${method} ${endpoint}`;
    let found = counts.get(id);
    if (!found) {
      if (counts.size >= limits.usage.waitingMax) return { ...ZERO };
      const { id: keyId, number, account, accountNumber, mode } = key;
      const own = { id: keyId, number, account, accountNumber, mode };
      found = { key: own, day, endpoint, method, ...ZERO };
      counts.set(id, found);
    }
    return found;
  }

  function writeCounts(): void {
    if (counts.size === 0) return;
    inTransaction(db, () => write(counts.values()));
    for (const { key, day, tokens } of counts.values()) spent.written(key, day, tokens);
    counts.clear();
  }

  function postCounts(send: NonNullable<typeof post>): void {
    if (counts.size > 0) send([...counts.values()]);
    counts.clear();
  }

  return {
    count({ key, atMs, endpoint, method, isError, tokens }: KeyUse): void {
      const day = dayFromMillis(atMs);
      spent.add(key, day, tokens);
      const counted = countOf({ key, day, endpoint, method });
      counted.calls++;
      if (isError) counted.errors++;
      counted.tokens += tokens;
      counted.lastUsedMs = Math.max(counted.lastUsedMs, atMs);
    },
    /** Adds counts that another thread has posted. */
    addCounts(posted: readonly UsageCount[]): void {
      for (const { calls, errors, tokens, lastUsedMs, ...place } of posted) {
        const counted = countOf(place);
        counted.calls += calls;
        counted.errors += errors;
        counted.tokens += tokens;
        counted.lastUsedMs = Math.max(counted.lastUsedMs, lastUsedMs);
      }
    },
    /** Returns the tokens that the key's account has spent in its mode on the UTC day of `nowMs`. */
    tokensUsed: (key: ValidKey, nowMs: number): number => spent.used(key, dayFromMillis(nowMs)),
    /** Posts the counts, or writes them unless another process is writing. */
    flush() {
      if (post) return postCounts(post);
      // Counts of a transaction that is rolled back would be lost.
      if (db.isTransaction) return;
      withoutWaiting(db, writeCounts);
      spent.refresh();
    },
    /** Reads the spent tokens again after the caller has changed them in the database. */
    rereadTokens: () => spent.refresh(true),
    /** Posts the counts, or writes them once other processes have finished writing. */
    close: () => (post ? postCounts(post) : writeCounts()),
  };
}

const ZERO = { calls: 0, errors: 0, tokens: 0, lastUsedMs: 0 };

/** Returns a function that writes counts in the transaction that its caller has begun. */
function createUsageWriter(db: DatabaseSync): (counts: Iterable<UsageCount>) => void {
  const addUsage = db.prepare(
    `INSERT INTO usage (account, mode, day, key_id, endpoint, method, calls, errors, tokens)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, errors = errors + excluded.errors,
                               tokens = tokens + excluded.tokens`,
  );
  const setLastUse = db.prepare(
    'UPDATE keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE seq = ?',
  );
  return (counts) => {
    const lastUses = new Map<number, number>();
    for (const { key, day, endpoint, method, calls, errors, tokens, lastUsedMs } of counts) {
      const { account, mode, id, number } = key;
      addUsage.run(account, mode, day, id, endpoint, method, calls, errors, tokens);
      lastUses.set(number, Math.max(lastUsedMs, lastUses.get(number) ?? 0));
    }
    for (const [number, lastUsedMs] of lastUses) setLastUse.run(lastUsedMs, number);
  };
}
