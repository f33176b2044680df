/** Webhooks of all accounts, without streams, with their deliveries, for the operator's report. */

import { limits } from '../../../base/limits.ts';
import type { WebhookReport, WebhooksReport } from '../../../base/operator/report.ts';
import { isoOrNull } from '../../../base/time/dates.ts';
import { countOf } from '../database/list-part.ts';
import type { Sql } from '../database/sql.ts';
import { givenUpDeliveries } from './delivery-figures.ts';

type Timed<T, Names extends string> = Omit<T, `${Names}At`> & Record<`${Names}Ms`, number | null>;

export async function webhooksReport(sql: Sql): Promise<WebhooksReport> {
  const { webhooksShown, deliveriesShown } = limits.operatorReport;
  const webhooks = await sql.all<Timed<WebhookReport, 'disabled' | 'lastAttempt'>>(
    `SELECT id, account, mode, url, events, disabled_at AS "disabledMs",
       disabled_reason AS "disabledReason", coalesce(delivered, 0) AS delivered,
       coalesce(pending, 0) AS pending, coalesce(failed, 0) AS failed, "lastAttemptMs",
       CASE WHEN failing_since IS NOT NULL OR coalesce(failed, 0) > 0 THEN
         (SELECT error FROM deliveries WHERE webhook = webhooks.seq AND error IS NOT NULL
          ORDER BY seq DESC LIMIT 1) END AS error
     FROM webhooks LEFT JOIN (
       SELECT webhook, max(attempted_at) AS "lastAttemptMs",
         count(*) FILTER (WHERE status = 'delivered') AS delivered,
         count(*) FILTER (WHERE status = 'pending') AS pending,
         count(*) FILTER (WHERE status = 'failed') AS failed
       FROM deliveries GROUP BY webhook) AS sent ON webhook = webhooks.seq
      WHERE stream_until IS NULL
     ORDER BY disabled_at IS NULL, failing_since IS NULL, coalesce(failed, 0) DESC, seq DESC
     LIMIT ?`,
    webhooksShown,
  );
  const total = await countOf(sql, 'FROM webhooks WHERE stream_until IS NULL');
  const givenUp = await givenUpDeliveries(sql, deliveriesShown);
  return {
    webhooks: webhooks.map(({ disabledMs, lastAttemptMs, ...rest }) => ({
      ...rest,
      disabledAt: isoOrNull(disabledMs),
      lastAttemptAt: isoOrNull(lastAttemptMs),
    })),
    more: total - webhooks.length,
    givenUp: givenUp.map(({ attemptedMs, mode: _, ...rest }) => ({
      ...rest,
      attemptedAt: isoOrNull(attemptedMs),
    })),
  };
}
