import { isoOrNull } from '../../../base/time/dates.ts';
import { createLister, type ListPlace } from '../database/list-part.ts';
import type { Sql } from '../database/sql.ts';
import type { EventType } from './event-record.ts';
import type { Delivery, DeliveryStatus } from './webhook-record.ts';

interface DeliveryTableRow {
  event_id: string;
  type: EventType;
  status: DeliveryStatus;
  attempts: number;
  next_at: number | null;
  response_status: number | null;
  error: string | null;
  created_at: number;
  attempted_at: number | null;
}

export function createDeliveryList(sql: Sql) {
  const columns = `*, (SELECT id FROM events WHERE seq = event) AS event_id,
    (SELECT type FROM events WHERE seq = event) AS type`;
  const list = 'FROM deliveries WHERE webhook = (SELECT seq FROM webhooks WHERE id = ?)';
  const part = createLister(sql, { columns, list }, deliveryFromRow);
  const selectOne = `SELECT ${columns} ${list} AND event IN (SELECT seq FROM events WHERE id = ?)`;
  return {
    listDeliveryPart: (webhookId: string, place: ListPlace) => part([webhookId], place),
    async findDelivery(webhookId: string, eventId: string): Promise<Delivery | undefined> {
      const row = await sql.get<DeliveryTableRow>(selectOne, webhookId, eventId);
      return row && deliveryFromRow(row);
    },
  };
}

function deliveryFromRow(row: DeliveryTableRow): Delivery {
  return {
    eventId: row.event_id,
    type: row.type,
    status: row.status,
    attempts: row.attempts,
    responseStatus: row.response_status,
    error: row.error,
    createdAt: new Date(row.created_at).toISOString(),
    lastAttemptAt: isoOrNull(row.attempted_at),
    nextAttemptAt: isoOrNull(row.next_at),
  };
}
