/**
 * Queue of deliveries. Any number of processes may deliver. A process takes a lease first, and a
 * delivery that is not settled when its lease ends is due again. So each event reaches its webhook
 * at least once, whichever process is killed.
 */

import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { limits } from '../../../base/limits.ts';
import { inTransaction } from '../database/transaction.ts';
import type { EventType } from './event-record.ts';
import type { DeliveryStatus } from './webhook-record.ts';

/** A delivery that only the caller may attempt now. */
export interface ClaimedDelivery {
  seq: number;
  lease: string;
  webhookId: string;
  url: string;
  eventId: string;
  type: EventType;
  /** The JSON to send. */
  body: string;
  attempts: number;
  /** Time since which the webhook fails, in milliseconds since the epoch; null: it works. */
  failingSinceMs: number | null;
}

/** Outcome of an attempt. Times are milliseconds since the epoch. */
export interface SettledAttempt {
  status: DeliveryStatus;
  attempts: number;
  responseStatus: number | null;
  error: string | null;
  nextMs: number | null;
  /** Time before which the webhook gets no attempt. */
  restUntilMs?: number;
  /** Reason for which the webhook is disabled; undefined: it stays enabled. */
  disabledReason?: string;
}

interface DueWebhook {
  seq: number;
  id: string;
  account: string;
  url: string;
  failing_since: number | null;
  running: number;
}

export function createDeliveryQueue(db: DatabaseSync, now: () => number) {
  return {
    /**
     * Claims due deliveries, those waiting longest first, within the bounds of `limits.webhook`.
     *
     * @param lateMs Claims only deliveries that have been due for so long.
     */
    claimDeliveries: createClaim(db, now),
    /**
     * Returns the time of the next claim in milliseconds since the epoch; undefined if none waits.
     * The time may prove too early if the webhook rests by then.
     */
    nextDeliveryMs: createNext(db, now),
    /** Writes the outcome. @returns false if the lease has ended or the webhook is gone. */
    settleDelivery: createSettle(db, now),
  };
}

function createClaim(db: DatabaseSync, now: () => number) {
  const selectAnyDue = db.prepare('SELECT 1 FROM deliveries WHERE next_at <= ? LIMIT 1');
  // Webhooks with fewer running attempts first, so that none waits for the busy ones.
  const selectWebhooks = db.prepare(
    `SELECT webhooks.seq, webhooks.id, account, url, failing_since,
            (SELECT count(*) FROM deliveries
             WHERE webhook = webhooks.seq AND next_at > :now AND lease IS NOT NULL) AS running
     FROM webhooks JOIN accounts ON accounts.id = webhooks.account
     WHERE suspended_at IS NULL AND rest_until <= :now
       AND EXISTS (SELECT 1 FROM deliveries WHERE webhook = webhooks.seq AND next_at <= :due)
     ORDER BY running, webhooks.seq`,
  );
  const countOfAccounts = db.prepare(
    `SELECT account, count(*) AS running
     FROM deliveries JOIN webhooks ON webhooks.seq = deliveries.webhook
     WHERE next_at > ? AND lease IS NOT NULL GROUP BY account`,
  );
  const take = db.prepare(
    `UPDATE deliveries SET lease = :lease, next_at = :until WHERE seq IN (
       SELECT seq FROM deliveries WHERE webhook = :webhook AND next_at <= :due
       ORDER BY next_at, seq LIMIT :limit)
     RETURNING seq, attempts, event`,
  );
  const selectEvent = db.prepare('SELECT id, type, body FROM events WHERE seq = ?');

  function claim(max: number, nowMs: number, due: number): ClaimedDelivery[] {
    const { runningMax, failingRunningMax, accountRunningMax, leaseMs, freeMin } = limits.webhook;
    const runningOf = new Map(
      countOfAccounts.all(nowMs).map((row) => [String(row.account), Number(row.running)]),
    );
    const claimed: ClaimedDelivery[] = [];
    const webhooks = selectWebhooks.all({ now: nowMs, due }) as unknown as DueWebhook[];
    for (const webhook of webhooks) {
      const ofAccount = runningOf.get(webhook.account) ?? 0;
      const own = webhook.failing_since === null ? runningMax : failingRunningMax;
      const free = max - claimed.length;
      // The first attempt of a webhook may exceed the account's bound, so that its other webhooks
      // do not delay it. It may not take places reserved for accounts within their bound.
      const first = webhook.running === 0 && free > freeMin ? 1 : 0;
      const room = Math.max(accountRunningMax - ofAccount, first);
      const limit = Math.min(own - webhook.running, room, free);
      if (limit <= 0) continue;
      const lease = randomUUID();
      const until = nowMs + leaseMs;
      const taken = take.all({ lease, until, webhook: webhook.seq, due, limit });
      runningOf.set(webhook.account, ofAccount + taken.length);
      for (const { seq, attempts, event } of taken) {
        const { id, type, body } = selectEvent.get(event) as Record<string, string>;
        claimed.push({
          ...{ seq: Number(seq), lease, webhookId: webhook.id, url: webhook.url, eventId: id },
          ...{ type: type as EventType, body, attempts: Number(attempts) },
          failingSinceMs: webhook.failing_since,
        });
      }
    }
    return claimed;
  }

  return (max: number, lateMs = 0): ClaimedDelivery[] => {
    const nowMs = now();
    const dueMs = nowMs - lateMs;
    // Checked without a lock: most times nothing is due.
    if (max <= 0 || !selectAnyDue.get(dueMs)) return [];
    return inTransaction(db, () => claim(max, nowMs, dueMs));
  };
}

function createNext(db: DatabaseSync, now: () => number) {
  const { runningMax, failingRunningMax } = limits.webhook;
  // Leased deliveries come first in the index; there are at most as many as may run at once.
  const selectFirst = db.prepare(
    `SELECT next_at FROM deliveries WHERE next_at IS NOT NULL AND (lease IS NULL OR next_at <= ?)
     ORDER BY next_at LIMIT 1`,
  );
  // A webhook with all its attempts running continues when they end.
  const select = db.prepare(
    `SELECT min(max(rest_until, first)) AS next_at FROM (
       SELECT rest_until, failing_since,
              (SELECT min(next_at) FROM deliveries WHERE webhook = webhooks.seq
                 AND next_at IS NOT NULL AND (lease IS NULL OR next_at <= :now)) AS first,
              (SELECT count(*) FROM deliveries WHERE webhook = webhooks.seq
                 AND next_at > :now AND lease IS NOT NULL) AS running
       FROM webhooks JOIN accounts ON accounts.id = webhooks.account
       WHERE suspended_at IS NULL)
     WHERE running < iif(failing_since IS NULL, ${runningMax}, ${failingRunningMax})`,
  );
  return (): number | undefined => {
    const nowMs = now();
    const first = selectFirst.get(nowMs)?.next_at;
    // Nothing is due: no webhook needs a look.
    if (first === undefined) return undefined;
    if (Number(first) > nowMs) return Number(first);
    const found = select.get({ now: nowMs })?.next_at;
    return found === null || found === undefined ? undefined : Number(found);
  };
}

function createSettle(db: DatabaseSync, now: () => number) {
  const settle = db.prepare(
    `UPDATE deliveries SET status = ?, attempts = ?, response_status = ?, error = ?, next_at = ?,
                           lease = NULL, attempted_at = ?
     WHERE seq = ? AND lease = ? RETURNING webhook, event`,
  );
  const works = db.prepare(
    `UPDATE webhooks SET failing_since = NULL, disabled_at = iif(:isTest, NULL, disabled_at),
       disabled_reason = iif(:isTest, NULL, disabled_reason) WHERE seq = :webhook`,
  );
  const fails = db.prepare(
    `UPDATE webhooks SET
       failing_since = iif(:counts, coalesce(failing_since, :nowMs), failing_since),
       rest_until = max(rest_until, :restUntilMs),
       disabled_reason = iif(disabled_at IS NULL, :reason, disabled_reason),
       disabled_at = iif(:reason IS NULL, disabled_at, coalesce(disabled_at, :nowMs))
     WHERE seq = :webhook`,
  );
  const drop = db.prepare(
    `UPDATE deliveries SET status = 'failed', next_at = NULL, lease = NULL,
                           error = coalesce(error, 'the webhook was disabled')
     WHERE webhook = ? AND status = 'pending' AND (lease IS NULL OR next_at <= ?)
       AND webhook IN (SELECT seq FROM webhooks WHERE disabled_at IS NOT NULL)`,
  );

  const forgetBodies = db.prepare(
    `UPDATE events SET body = NULL WHERE seq IN (
       SELECT event FROM deliveries WHERE webhook = :webhook AND event = coalesce(:event, event))
     AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event = events.seq AND status = 'pending')`,
  );

  function write(claimed: ClaimedDelivery, attempt: SettledAttempt): boolean {
    const nowMs = now();
    const { status, attempts, responseStatus, error, nextMs } = attempt;
    const values = [status, attempts, responseStatus, error, nextMs, nowMs];
    const row = settle.get(...values, claimed.seq, claimed.lease);
    if (!row) return false;
    const webhook = Number(row.webhook);
    if (status !== 'pending') forgetBodies.run({ webhook, event: row.event });
    if (status === 'delivered') {
      works.run({ webhook, isTest: Number(claimed.type === 'webhook.test') });
      return true;
    }
    const { restUntilMs = 0, disabledReason: reason = null } = attempt;
    fails.run({ webhook, nowMs, restUntilMs, reason, counts: Number(attempts > claimed.attempts) });
    const { changes } = drop.run(webhook, nowMs);
    if (changes > 0) forgetBodies.run({ webhook, event: null });
    return true;
  }

  return (claimed: ClaimedDelivery, attempt: SettledAttempt) =>
    inTransaction(db, () => write(claimed, attempt));
}
