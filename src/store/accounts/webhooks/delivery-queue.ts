/**
 * Queue of deliveries. Any number of processes may deliver. A process takes a lease first, and a
 * delivery that is not settled when its lease ends is due again. So each event reaches its webhook
 * at least once, whichever process is killed.
 */

import { limits } from '../../../base/limits.ts';
import { randomUUID } from '../../../base/world/chance.ts';
import type { Sql } from '../database/sql.ts';
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

interface TakenRow {
  seq: number;
  attempts: number;
  event: number;
}

interface EventRow {
  id: string;
  type: EventType;
  body: string;
}

interface DueWebhook {
  seq: number;
  id: string;
  account: string;
  url: string;
  failing_since: number | null;
  running: number;
}

export function createDeliveryQueue(sql: Sql, now: () => number) {
  return {
    /**
     * Claims due deliveries, those waiting longest first, within the bounds of `limits.webhook`.
     *
     * @param lateMs Claims only deliveries that have been due for so long.
     */
    claimDeliveries: createClaim(sql, now),
    /**
     * Returns the time of the next claim in milliseconds since the epoch; undefined if none waits.
     * The time may prove too early if the webhook rests by then.
     */
    nextDeliveryMs: createNext(sql, now),
    /** Writes the outcome. @returns false if the lease has ended or the webhook is gone. */
    settleDelivery: createSettle(sql, now),
  };
}

function createClaim(sql: Sql, now: () => number) {
  const selectAnyDue = 'SELECT 1 AS one FROM deliveries WHERE next_at <= ? LIMIT 1';
  // Webhooks with fewer running attempts first, so that none waits for the busy ones.
  const selectWebhooks = `SELECT webhooks.seq, webhooks.id, account, url, failing_since,
            (SELECT count(*) FROM deliveries
             WHERE webhook = webhooks.seq AND next_at > :now AND lease IS NOT NULL) AS running
     FROM webhooks JOIN accounts ON accounts.id = webhooks.account
     WHERE suspended_at IS NULL AND rest_until <= :now
       AND EXISTS (SELECT 1 FROM deliveries WHERE webhook = webhooks.seq AND next_at <= :due)
     ORDER BY running, webhooks.seq`;
  const countOfAccounts = `SELECT account, count(*) AS running
     FROM deliveries JOIN webhooks ON webhooks.seq = deliveries.webhook
     WHERE next_at > ? AND lease IS NOT NULL GROUP BY account`;
  // Asked of the row again: Postgres may have waited for the transaction that settles it.
  const take = `UPDATE deliveries SET lease = :lease, next_at = :until
     WHERE next_at <= :due AND seq IN (
       SELECT seq FROM deliveries WHERE webhook = :webhook AND next_at <= :due
       ORDER BY next_at, seq LIMIT :limit)
     RETURNING seq, attempts, event`;
  const selectEvent = 'SELECT id, type, body FROM events WHERE seq = ?';

  async function claim(
    tx: Sql,
    max: number,
    nowMs: number,
    due: number,
  ): Promise<ClaimedDelivery[]> {
    const { runningMax, failingRunningMax, accountRunningMax, leaseMs, freeMin } = limits.webhook;
    const counts = await tx.all<{ account: string; running: number }>(countOfAccounts, nowMs);
    const runningOf = new Map(counts.map(({ account, running }) => [account, running]));
    const claimed: ClaimedDelivery[] = [];
    const webhooks = await tx.all<DueWebhook>(selectWebhooks, { now: nowMs, due });
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
      const taken = await tx.all<TakenRow>(take, {
        ...{ lease, until, webhook: webhook.seq, due, limit },
      });
      runningOf.set(webhook.account, ofAccount + taken.length);
      // A database returns changed rows in any order.
      for (const { seq, attempts, event } of taken.sort((a, b) => a.seq - b.seq)) {
        const { id, type, body } = (await tx.get<EventRow>(selectEvent, event))!;
        claimed.push({
          ...{ seq, lease, webhookId: webhook.id, url: webhook.url, eventId: id },
          ...{ type, body, attempts },
          failingSinceMs: webhook.failing_since,
        });
      }
    }
    return claimed;
  }

  return async (max: number, lateMs = 0): Promise<ClaimedDelivery[]> => {
    const nowMs = now();
    const dueMs = nowMs - lateMs;
    // Checked without a lock: most times nothing is due.
    if (max <= 0 || !(await sql.get(selectAnyDue, dueMs))) return [];
    return await sql.transaction((tx) => claim(tx, max, nowMs, dueMs), { lock: 'deliveries' });
  };
}

function createNext(sql: Sql, now: () => number) {
  const { runningMax, failingRunningMax } = limits.webhook;
  // Leased deliveries come first in the index; there are at most as many as may run at once.
  const selectFirst = `SELECT next_at FROM deliveries WHERE next_at IS NOT NULL AND (lease IS NULL OR next_at <= ?)
     ORDER BY next_at LIMIT 1`;
  // A webhook with all its attempts running continues when they end.
  const select = `SELECT min(CASE WHEN first < rest_until THEN rest_until ELSE first END) AS next_at FROM (
       SELECT rest_until, failing_since,
              (SELECT min(next_at) FROM deliveries WHERE webhook = webhooks.seq
                 AND next_at IS NOT NULL AND (lease IS NULL OR next_at <= :now)) AS first,
              (SELECT count(*) FROM deliveries WHERE webhook = webhooks.seq
                 AND next_at > :now AND lease IS NOT NULL) AS running
       FROM webhooks JOIN accounts ON accounts.id = webhooks.account
       WHERE suspended_at IS NULL) AS webhooks
     WHERE running < CASE WHEN failing_since IS NULL
                     THEN ${runningMax} ELSE ${failingRunningMax} END`;
  return async (): Promise<number | undefined> => {
    const nowMs = now();
    const first = (await sql.get<{ next_at: number }>(selectFirst, nowMs))?.next_at;
    // Nothing is due: no webhook needs a look.
    if (first === undefined || first > nowMs) return first;
    const found = await sql.get<{ next_at: number | null }>(select, { now: nowMs });
    return found?.next_at ?? undefined;
  };
}

function createSettle(sql: Sql, now: () => number) {
  const settle = `UPDATE deliveries SET status = ?, attempts = ?, response_status = ?, error = ?, next_at = ?,
                           lease = NULL, attempted_at = ?
     WHERE seq = ? AND lease = ? RETURNING webhook, event`;
  const works = `UPDATE webhooks SET failing_since = NULL, disabled_at = CASE WHEN :isTest = 0 THEN disabled_at END,
       disabled_reason = CASE WHEN :isTest = 0 THEN disabled_reason END WHERE seq = :webhook`;
  const fails = `UPDATE webhooks SET
       failing_since = CASE WHEN :counts = 0 THEN failing_since
                       ELSE coalesce(failing_since, :nowMs) END,
       rest_until = CASE WHEN rest_until > :restUntilMs THEN rest_until ELSE :restUntilMs END,
       disabled_reason = CASE WHEN disabled_at IS NULL THEN :reason ELSE disabled_reason END,
       disabled_at = CASE WHEN :reason IS NULL THEN disabled_at
                     ELSE coalesce(disabled_at, :nowMs) END
     WHERE seq = :webhook`;
  const drop = `UPDATE deliveries SET status = 'failed', next_at = NULL, lease = NULL,
                           error = coalesce(error, 'the webhook was disabled')
     WHERE webhook = ? AND status = 'pending' AND (lease IS NULL OR next_at <= ?)
       AND webhook IN (SELECT seq FROM webhooks WHERE disabled_at IS NOT NULL)`;

  const forgetBodies = `UPDATE events SET body = NULL WHERE seq IN (
       SELECT event FROM deliveries WHERE webhook = :webhook AND event = coalesce(:event, event))
     AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event = events.seq AND status = 'pending')`;

  async function write(
    tx: Sql,
    claimed: ClaimedDelivery,
    attempt: SettledAttempt,
  ): Promise<boolean> {
    const nowMs = now();
    const { status, attempts, responseStatus, error, nextMs } = attempt;
    const values = [status, attempts, responseStatus, error, nextMs, nowMs];
    const own = [...values, claimed.seq, claimed.lease];
    const row = await tx.get<{ webhook: number; event: number }>(settle, ...own);
    if (!row) return false;
    const { webhook, event } = row;
    if (status !== 'pending') await tx.run(forgetBodies, { webhook, event });
    if (status === 'delivered') {
      await tx.run(works, { webhook, isTest: Number(claimed.type === 'webhook.test') });
      return true;
    }
    const { restUntilMs = 0, disabledReason: reason = null } = attempt;
    const counts = Number(attempts > claimed.attempts);
    await tx.run(fails, { webhook, nowMs, restUntilMs, reason, counts });
    const dropped = await tx.run(drop, webhook, nowMs);
    if (dropped > 0) await tx.run(forgetBodies, { webhook, event: null });
    return true;
  }

  return (claimed: ClaimedDelivery, attempt: SettledAttempt): Promise<boolean> =>
    sql.transaction((tx) => write(tx, claimed, attempt));
}
