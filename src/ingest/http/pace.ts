/**
 * How often hosts are asked, over all processes that share a data directory.
 *
 * A host has a bucket of tokens. A request takes one, which comes back a whole window later: so no
 * window of that length, wherever it starts, sees more requests than the bucket holds. The bucket
 * is a small SQLite file, because its transaction is a lock that ends with its process.
 */

import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RateLimit } from '../../base/config/values.ts';
import { makeFolders } from '../../base/data-folder.ts';
import { limits } from '../../base/limits/limits.ts';

/** How often a host may be asked. */
export interface Pace extends RateLimit {
  /**
   * Least time between two requests, undefined for none. What a network holds up arrives together
   * with what came after it: a host that counts by the second sees more than was sent in one.
   */
  gapMs?: number;
}

/** A bucket of this machine answers at once, one that machines share after a word with Redis. */
export interface RequestPace<Answer extends number | Promise<number> = number | Promise<number>> {
  /**
   * Takes a token of the host.
   *
   * @param clock Read once the bucket is ours: a moment from before the wait for it is too old.
   * @returns 0, or how many milliseconds until the next one is free; then none was taken.
   */
  take(host: string, pace: Pace, clock: () => number): Answer;
  /** Until when the host is to be left alone; 0 for a host that is not. */
  restsUntilMs(host: string): Answer;
  rest(host: string, untilMs: number): void | Promise<void>;
  close(): void;
}

const MILLIS_PER_SECOND = 1000;

export function openRequestPace(path: string): RequestPace<number> {
  makeFolders(dirname(path));
  const database = new DatabaseSync(path, { timeout: limits.accounts.busyTimeoutMs });
  // What a power cut loses here is a second of counting.
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
    CREATE TABLE IF NOT EXISTS tokens (host TEXT, free_at_ms REAL);
    CREATE TABLE IF NOT EXISTS rests (host TEXT PRIMARY KEY, until_ms REAL)`);
  // A token that is free later than two windows from now was taken before the clock was set back.
  const free = database.prepare(
    'DELETE FROM tokens WHERE host = ? AND (free_at_ms <= ? OR free_at_ms > ?)',
  );
  const taken = database.prepare(
    'SELECT free_at_ms AS freeAtMs FROM tokens WHERE host = ? ORDER BY free_at_ms DESC',
  );
  const add = database.prepare('INSERT INTO tokens VALUES (?, ?)');
  const readRest = database.prepare('SELECT until_ms AS untilMs FROM rests WHERE host = ?');
  const writeRest = database.prepare('INSERT OR REPLACE INTO rests VALUES (?, ?)');
  return {
    take(host, { requests, windowS, gapMs = 0 }, clock) {
      const windowMs = windowS * MILLIS_PER_SECOND;
      database.exec('BEGIN IMMEDIATE');
      try {
        const nowMs = clock();
        free.run(host, nowMs, nowMs + 2 * windowMs);
        const rows = taken.all(host) as { freeAtMs: number }[];
        const fullMs = rows.length < requests ? 0 : rows[requests - 1].freeAtMs - nowMs;
        const lastMs = (rows[0]?.freeAtMs ?? Number.NEGATIVE_INFINITY) - windowMs;
        const waitMs = Math.max(fullMs, lastMs + gapMs - nowMs);
        if (waitMs > 0) return waitMs;
        add.run(host, nowMs + windowMs);
        return 0;
      } finally {
        database.exec('COMMIT');
      }
    },
    restsUntilMs(host) {
      return (readRest.get(host) as { untilMs: number } | undefined)?.untilMs ?? 0;
    },
    rest(host, untilMs) {
      writeRest.run(host, untilMs);
    },
    close() {
      database.close();
    },
  };
}
