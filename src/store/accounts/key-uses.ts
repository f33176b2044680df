/** When keys were last used: gathered in memory, written together. */

import type { DatabaseSync } from 'node:sqlite';
import { limits } from '../../limits.ts';

export interface KeyUses {
  note(id: string, nowMs: number): void;
  /** Writes what is noted and stops. */
  close(): void;
}

/** All uses within `limits.key.lastUsedFlushMs` are written in one transaction. */
export function createKeyUses(db: DatabaseSync): KeyUses {
  const update = db.prepare(
    'UPDATE keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?',
  );
  const lastUsedMs = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  function write(): void {
    if (lastUsedMs.size === 0) return;
    db.exec('BEGIN IMMEDIATE');
    try {
      for (const [id, ms] of lastUsedMs) update.run(ms, id);
      db.exec('COMMIT');
      lastUsedMs.clear();
    } catch (error) {
      db.exec('ROLLBACK');
      throw error;
    }
  }

  /** No request may wait for another writer or fail for this: what is not written stays noted. */
  function tryWrite(): void {
    timer = undefined;
    db.exec('PRAGMA busy_timeout = 0');
    try {
      write();
    } catch {
      schedule();
    } finally {
      db.exec(`PRAGMA busy_timeout = ${limits.accounts.busyTimeoutMs}`);
    }
  }

  function schedule(): void {
    timer ??= setTimeout(tryWrite, limits.key.lastUsedFlushMs).unref();
  }

  return {
    note(id, nowMs) {
      lastUsedMs.set(id, nowMs);
      schedule();
    },
    close() {
      clearTimeout(timer);
      write();
    },
  };
}
