/** Maintenance of accounts: short tasks that are safe to repeat. */

import { limits } from '../../../base/limits.ts';
import { dayFromMillis } from '../../../base/time/dates.ts';
import type { Sql } from '../database/sql.ts';
import { type RolledUp, rollUpUsage } from '../usage/usage-months.ts';
import { createStreamStore } from '../webhooks/stream-store.ts';
import { createIdempotencyStore } from './idempotency.ts';
import { rollUpLimits } from './limits.ts';

export function createUpkeep(sql: Sql, now: () => number) {
  return {
    /**
     * Removes expired events with their deliveries, expired streams with theirs, and expired
     * responses to repeated requests. @returns the number of events of webhooks.
     */
    async removeOld(): Promise<number> {
      await createIdempotencyStore(sql, now).eraseOldAnswers();
      await createStreamStore(sql, now).removeOldStreams();
      return await removeOldEvents(sql, now());
    },
    /** Rolls past usage up into months. */
    rollUp(): Promise<RolledUp> {
      const { dailyMs, keyMonthsMax } = rollUpLimits;
      return rollUpUsage(sql, dayFromMillis(now() - dailyMs), keyMonthsMax);
    },
  };
}

async function removeOldEvents(sql: Sql, nowMs: number): Promise<number> {
  const { eventsAtOnce, eventsMax } = limits.retention;
  const remove = `DELETE FROM events WHERE seq IN (
       SELECT seq FROM (SELECT seq, added_at FROM events ORDER BY seq LIMIT ?) AS oldest
       WHERE added_at <= ?)`;
  let removed = 0;
  while (removed < eventsMax) {
    const count = await sql.run(remove, eventsAtOnce, nowMs - limits.webhook.keptMs);
    if (count === 0) break;
    removed += count;
  }
  return removed;
}
