import type { Mode } from '../../../base/config/data-dir.ts';
import type { Sql } from '../database/sql.ts';
import type { EventType } from './event-record.ts';

export interface DeliveryFigures {
  waiting: number;
  /** Count of attempts that are running. */
  active: number;
  /** Count of deliveries that are due later. */
  delayed: number;
  /** Count of failed deliveries, which are kept for a week. */
  dead: number;
  /** Time since which the first waiting delivery is due, in milliseconds; null: none waits. */
  oldestDueMs: number | null;
}

export interface GivenUpDelivery {
  eventId: string;
  webhookId: string;
  mode: Mode;
  type: EventType;
  attempts: number;
  /** Time of the last attempt, in milliseconds. */
  attemptedMs: number | null;
  error: string | null;
}

export const NO_DELIVERIES: DeliveryFigures = {
  waiting: 0,
  active: 0,
  delayed: 0,
  dead: 0,
  oldestDueMs: null,
};

/** Counts deliveries through partial indexes. */
export async function deliveryFigures(sql: Sql, nowMs: number): Promise<DeliveryFigures> {
  const row = await sql.get<DeliveryFigures>(
    `SELECT count(*) FILTER (WHERE next_at <= :now) AS waiting,
       count(*) FILTER (WHERE next_at > :now AND lease IS NOT NULL) AS active,
       count(*) FILTER (WHERE next_at > :now AND lease IS NULL) AS delayed,
       (SELECT count(*) FROM deliveries WHERE status = 'failed') AS dead,
       min(next_at) FILTER (WHERE next_at <= :now) AS "oldestDueMs"
     FROM deliveries WHERE next_at IS NOT NULL`,
    { now: nowMs },
  );
  return row ?? NO_DELIVERIES;
}

export function givenUpDeliveries(sql: Sql, rowsMax: number): Promise<GivenUpDelivery[]> {
  return sql.all(
    `SELECT events.id AS "eventId", webhooks.id AS "webhookId", webhooks.mode, type, attempts,
       attempted_at AS "attemptedMs", error
     FROM (SELECT * FROM deliveries WHERE status = 'failed' ORDER BY seq DESC LIMIT ?) AS d
       JOIN events ON events.seq = d.event JOIN webhooks ON webhooks.seq = d.webhook
     ORDER BY d.seq DESC`,
    rowsMax,
  );
}
