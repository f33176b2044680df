/**
 * What keys have asked: counted in memory, and written together in one transaction at most
 * `limits.usage.flushMs` later. So a kill loses at most what came in since, and nothing is ever
 * written twice.
 */

import type { DatabaseSync } from 'node:sqlite';
import type { Mode } from '../../data-dir.ts';
import { dayFromMillis } from '../../dates.ts';
import { limits } from '../../limits.ts';
import type { ValidKey } from './key-record.ts';
import { inTransaction, withoutWaiting } from './transaction.ts';

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
  count(use: KeyUse): void;
  /** Tokens that the key's account has used up in its mode on the UTC day of `nowMs`. */
  tokensUsed(key: ValidKey, nowMs: number): number;
  /** Writes what is counted, if no other process is writing just now. */
  flush(): void;
  /** Writes what is counted and stops. */
  close(): void;
}

interface Count {
  endpoint: string;
  method: string;
  calls: number;
  errors: number;
  tokens: number;
}

interface KeyDay {
  key: ValidKey;
  day: number;
  lastUsedMs: number;
  counts: Count[];
}

/** Tokens of an account in one mode on one day. */
interface Spending {
  day: number;
  stored: number;
  /** Counted here and not stored yet. */
  pending: number;
  /** When `stored` was last compared with the database, and what that said of its version. */
  checkedMs: number;
  version: number;
}

export function createUsageCounts(db: DatabaseSync): UsageCounts {
  const addUsage = db.prepare(
    `INSERT INTO usage (account, mode, day, key_id, endpoint, method, calls, errors, tokens)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, errors = errors + excluded.errors,
                               tokens = tokens + excluded.tokens`,
  );
  const setLastUse = db.prepare(
    'UPDATE keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?',
  );
  const sumTokens = db.prepare(
    `SELECT coalesce(sum(tokens), 0) AS tokens FROM usage
     WHERE account = ? AND mode = ? AND day = ?`,
  );
  // Counts what other connections commit.
  const dataVersion = db.prepare('PRAGMA data_version');

  /** By id of the key; those of a day that has ended wait in `ended`. */
  let keyDays = new Map<string, KeyDay>();
  let ended: KeyDay[] = [];
  const spendings: Record<Mode, Map<string, Spending>> = { live: new Map(), sandbox: new Map() };
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function keyDayOf({ key, atMs }: KeyUse): KeyDay {
    const day = dayFromMillis(atMs);
    const known = keyDays.get(key.id);
    if (known?.day === day) return known;
    if (known) ended.push(known);
    const fresh = { key, day, lastUsedMs: 0, counts: [] };
    keyDays.set(key.id, fresh);
    return fresh;
  }

  function writeKeyDay({ key, day, lastUsedMs, counts }: KeyDay): void {
    for (const { endpoint, method, calls, errors, tokens } of counts) {
      const id = [key.account, key.mode, day, key.id, endpoint, method];
      addUsage.run(...id, calls, errors, tokens);
    }
    setLastUse.run(lastUsedMs, key.id);
  }

  function write(): void {
    if (keyDays.size === 0) return;
    inTransaction(db, () => {
      ended.forEach(writeKeyDay);
      keyDays.forEach(writeKeyDay);
    });
    keyDays = new Map();
    ended = [];
    for (const spending of [...spendings.live.values(), ...spendings.sandbox.values()]) {
      spending.stored += spending.pending;
      spending.pending = 0;
    }
  }

  /** What can't be written now stays counted. */
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!withoutWaiting(db, write)) schedule();
  }

  function schedule(): void {
    if (!isClosed) timer ??= setTimeout(flush, limits.usage.flushMs).unref();
  }

  /** Of accounts with a quota; brought up to date with other processes. */
  function spendingOf({ account, mode }: ValidKey, nowMs: number): Spending {
    const day = dayFromMillis(nowMs);
    let spending = spendings[mode].get(account);
    if (spending?.day !== day) {
      spending = { day, stored: 0, pending: 0, checkedMs: Number.NEGATIVE_INFINITY, version: -1 };
      spendings[mode].set(account, spending);
    }
    if (Math.abs(nowMs - spending.checkedMs) < limits.usage.staleMs) return spending;
    spending.checkedMs = nowMs;
    const version = Number(dataVersion.get()?.data_version);
    if (version !== spending.version) {
      spending.version = version;
      spending.stored = Number(sumTokens.get(account, mode, day)?.tokens);
    }
    return spending;
  }

  return {
    count(use) {
      const { key, atMs, endpoint, method, isError, tokens } = use;
      const keyDay = keyDayOf(use);
      if (atMs > keyDay.lastUsedMs) keyDay.lastUsedMs = atMs;
      // A key asks few endpoints within a second, so looking through them is the fastest.
      let count = keyDay.counts.find((c) => c.endpoint === endpoint && c.method === method);
      if (!count) {
        count = { endpoint, method, calls: 0, errors: 0, tokens: 0 };
        keyDay.counts.push(count);
      }
      count.calls++;
      if (isError) count.errors++;
      count.tokens += tokens;
      // There is one where the key has a quota: admission has asked what is used up.
      const spending = spendings[key.mode].get(key.account);
      if (spending?.day === keyDay.day) spending.pending += tokens;
      schedule();
    },
    tokensUsed(key, nowMs) {
      const { stored, pending } = spendingOf(key, nowMs);
      return stored + pending;
    },
    flush,
    close() {
      isClosed = true;
      clearTimeout(timer);
      write();
    },
  };
}
