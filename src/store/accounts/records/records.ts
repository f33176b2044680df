/** The records behind accounts, over any database; what admission needs is beside them. */

import type { Mode } from '../../../base/config/data-dir.ts';
import { HttpError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { dayFromMillis } from '../../../base/time/dates.ts';
import { createBackfillStore } from '../backfills/backfill-store.ts';
import type { Changed, Sql } from '../database/sql.ts';
import { createAccountStore } from '../keys/account-store.ts';
import { createKeyStore } from '../keys/key-store.ts';
import { createScreenStore } from '../screens/screen-store.ts';
import { keysReport } from '../usage/key-usage.ts';
import { type RolledUp, rollUpUsage } from '../usage/usage-months.ts';
import { createUsageReport } from '../usage/usage-report.ts';
import { deliveryFigures, givenUpDeliveries } from '../webhooks/delivery-figures.ts';
import { createDeliveryList } from '../webhooks/delivery-list.ts';
import { createDeliveryQueue } from '../webhooks/delivery-queue.ts';
import { createEventStore } from '../webhooks/event-store.ts';
import { createRelayStore, type RelayPosition } from '../webhooks/relay-store.ts';
import { createStreamStore } from '../webhooks/stream-store.ts';
import type { SecretVault } from '../webhooks/webhook-secret.ts';
import { createWebhookStore } from '../webhooks/webhook-store.ts';
import { webhooksReport } from '../webhooks/webhooks-report.ts';
import { createIdempotencyStore, type SealedAnswer } from './idempotency.ts';
import { rollUpLimits } from './limits.ts';

/** Maintenance of accounts: short tasks that are safe to repeat. */
function createUpkeep(sql: Sql, now: () => number) {
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

export interface RecordDeps {
  /** Milliseconds since the epoch; dates changes and decides what is due. */
  now: () => number;
  vault: SecretVault;
  changed: Changed;
}

/** Accounts, keys, webhooks and the rest. Work in a transaction gets those of its transaction. */
export type StoredRecords = Omit<ReturnType<typeof storedRecords>, 'keepResponse' | 'moveRelay'>;

export type AccountRecords = ReturnType<typeof createRecords>;

function storedRecords(sql: Sql, { now, vault, changed }: RecordDeps) {
  return {
    ...createAccountStore(sql, now, changed),
    ...createKeyStore(sql, now, changed),
    ...createUsageReport(sql),
    ...createIdempotencyStore(sql, now),
    ...createWebhookStore(sql, now, vault),
    ...createScreenStore(sql, now),
    ...createBackfillStore(sql, now),
    ...createEventStore(sql, now),
    ...createRelayStore(sql),
    ...createStreamStore(sql, now),
    ...createDeliveryList(sql),
    ...createDeliveryQueue(sql, now),
    ...createUpkeep(sql, now),
    keysReport: () => keysReport(sql, now()),
    webhooksReport: () => webhooksReport(sql),
    deliveryFigures: () => deliveryFigures(sql, now()),
    givenUpDeliveries: (rowsMax: number) => givenUpDeliveries(sql, rowsMax),
  };
}

export function createRecords(sql: Sql, deps: RecordDeps) {
  const { keepResponse, moveRelay, ...records } = storedRecords(sql, deps);
  const within = (tx: Sql) => storedRecords(tx, { ...deps, changed: () => {} });
  return {
    ...records,
    /**
     * Runs the work of a claim and keeps its response in one transaction.
     *
     * @throws {HttpError} 409: the work took so long that another request has the claim.
     */
    async keepAnswer<T>(
      id: Uint8Array,
      claimedMs: number,
      work: (accounts: StoredRecords) => Promise<{ result: T } & SealedAnswer>,
    ): Promise<T> {
      const made = await sql.transaction(
        async (tx) => {
          const own = within(tx);
          const { result, ...answer } = await work(own);
          if (await own.keepResponse(id, claimedMs, answer)) return result;
          throw new HttpError(409, 'Another request with this Idempotency-Key has taken over');
        },
        { isDurable: true },
      );
      // Before the commit, another thread would read and keep the old state.
      await deps.changed();
      return made;
    },
    /** Runs work and moves the position of the relay in one transaction. */
    advanceRelay: (
      mode: Mode,
      position: RelayPosition,
      work: (accounts: StoredRecords) => Promise<void>,
    ): Promise<void> =>
      sql.transaction(
        async (tx) => {
          const own = within(tx);
          await work(own);
          await own.moveRelay(mode, position);
        },
        { isDurable: true },
      ),
  };
}
