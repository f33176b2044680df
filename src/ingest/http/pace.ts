/**
 * Paces requests over all processes that share a data directory.
 *
 * A request takes a token, which comes back a whole window later, so that no window sees too many.
 * The bucket is a small SQLite file, because its transaction is a lock that ends with its process.
 */

import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RateLimit } from '../../base/config/values.ts';
import { makeFolders } from '../../base/data-folder.ts';
import { limits } from '../../base/limits.ts';

export interface Pace extends RateLimit {
  /** Least time between two requests, as one that the network holds up arrives with the next. */
  gapMs?: number;
}

/** A bucket on this machine answers at once, one that machines share after a call to Redis. */
export interface RequestPace<Answer extends number | Promise<number> = number | Promise<number>> {
  /**
   * Takes a token. `clock` is read while the bucket is locked.
   * @returns 0, or the milliseconds until the next token is free; then none was taken.
   */
  take(host: string, pace: Pace, clock: () => number): Answer;
  /** Returns the time until which no request goes to the host; 0 for none. */
  restsUntilMs(host: string): Answer;
  rest(host: string, untilMs: number): void | Promise<void>;
  close(): void;
}

const MILLIS_PER_SECOND = 1000;

export function openRequestPace(path: string): RequestPace<number> {
  makeFolders(dirname(path));
  const database = new DatabaseSync(path, { timeout: limits.accounts.busyTimeoutMs });
  // A power cut loses a second of counting.
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
