/** Maintenance of `accounts.sqlite`: short tasks that are safe to repeat. */

import type { DatabaseSync } from 'node:sqlite';
import { limits } from '../../base/limits.ts';
import { dayFromMillis } from '../../base/time/dates.ts';
import { openDatabase } from './database/open.ts';
import { createIdempotencyStore } from './idempotency.ts';
import { type RolledUp, rollUpUsage } from './usage/usage-months.ts';
import { createStreamStore } from './webhooks/stream-store.ts';

export function openAccountUpkeep(path: string, now: () => number) {
  const db = openDatabase(path, now());
  return {
    /**
     * Removes expired events with their deliveries, expired streams with theirs, and expired
     * responses to repeated requests. @returns the number of events of webhooks.
     */
    removeOld(): number {
      createIdempotencyStore(db, now).eraseOldAnswers();
      createStreamStore(db, now).removeOldStreams();
      return removeOldEvents(db, now());
    },
    /** Rolls past usage up into months. */
    rollUp(): RolledUp {
      const { dailyMs, keyMonthsMax } = limits.rollUp;
      return rollUpUsage(db, dayFromMillis(now() - dailyMs), keyMonthsMax);
    },
    [Symbol.dispose]: () => db.close(),
  };
}

function removeOldEvents(db: DatabaseSync, nowMs: number): number {
  const { eventsAtOnce, eventsMax } = limits.retention;
  const remove = db.prepare(
    `DELETE FROM events WHERE seq IN (
       SELECT seq FROM (SELECT seq, added_at FROM events ORDER BY seq LIMIT ?)
       WHERE added_at <= ?)`,
  );
  let removed = 0;
  while (removed < eventsMax) {
    const changes = Number(remove.run(eventsAtOnce, nowMs - limits.webhook.keptMs).changes);
    if (changes === 0) break;
    removed += changes;
  }
  return removed;
}
