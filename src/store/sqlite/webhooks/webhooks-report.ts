/** Webhooks of all accounts, without streams, with their deliveries, for the operator's report. */

import type { DatabaseSync } from 'node:sqlite';
import { limits } from '../../../base/limits.ts';
import type { WebhookReport, WebhooksReport } from '../../../base/operator/report.ts';

type Timed<T, Names extends string> = Omit<T, `${Names}At`> & Record<`${Names}Ms`, number | null>;

/** @param db `accounts.sqlite`, open for reading. */
export function webhooksReport(db: DatabaseSync): WebhooksReport {
  const { webhooksShown, deliveriesShown } = limits.operatorReport;
  const webhooks = db
    .prepare(
      `SELECT id, account, mode, url, events, disabled_at AS disabledMs,
         disabled_reason AS disabledReason, coalesce(delivered, 0) AS delivered,
         coalesce(pending, 0) AS pending, coalesce(failed, 0) AS failed, lastAttemptMs,
         iif(failing_since IS NULL AND coalesce(failed, 0) = 0, NULL,
           (SELECT error FROM deliveries WHERE webhook = webhooks.seq AND error IS NOT NULL
            ORDER BY seq DESC LIMIT 1)) AS error
       FROM webhooks LEFT JOIN (
         SELECT webhook, max(attempted_at) AS lastAttemptMs,
           count(*) FILTER (WHERE status = 'delivered') AS delivered,
           count(*) FILTER (WHERE status = 'pending') AS pending,
           count(*) FILTER (WHERE status = 'failed') AS failed
         FROM deliveries GROUP BY webhook) ON webhook = webhooks.seq
       WHERE stream_until IS NULL
       ORDER BY disabled_at IS NULL, failing_since IS NULL, coalesce(failed, 0) DESC, seq DESC
       LIMIT ?`,
    )
    .all(webhooksShown) as unknown as Timed<WebhookReport, 'disabled' | 'lastAttempt'>[];
  const count = db.prepare('SELECT count(*) AS count FROM webhooks WHERE stream_until IS NULL');
  const total = Number(count.get()?.count);
  const givenUp = db
    .prepare(
      `SELECT events.id AS eventId, webhooks.id AS webhookId, type, attempts,
         attempted_at AS attemptedMs, error
       FROM (SELECT * FROM deliveries WHERE status = 'failed' ORDER BY seq DESC LIMIT ?) AS d
         JOIN events ON events.seq = d.event JOIN webhooks ON webhooks.seq = d.webhook
       ORDER BY d.seq DESC`,
    )
    .all(deliveriesShown) as unknown as Timed<WebhooksReport['givenUp'][number], 'attempted'>[];
  return {
    webhooks: webhooks.map(({ disabledMs, lastAttemptMs, ...rest }) => ({
      ...rest,
      disabledAt: isoOrNull(disabledMs),
      lastAttemptAt: isoOrNull(lastAttemptMs),
    })),
    more: total - webhooks.length,
    givenUp: givenUp.map(({ attemptedMs, ...rest }) => ({
      ...rest,
      attemptedAt: isoOrNull(attemptedMs),
    })),
  };
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
